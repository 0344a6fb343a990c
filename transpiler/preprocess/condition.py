"""The value of an #if condition, after C++ [cpp.cond]."""

import re
from collections.abc import Callable, Mapping

from cu2mlx.transpiler.preprocess.lexical import Token, tokens, without_comments

DEFAULT_DEFINES: dict[str, str] = {
    "__CUDACC__": "1",
    "__NVCC__": "1",
    "__CUDA_ARCH__": "700",
    "CUDA_VERSION": "12000",
    "CUDART_VERSION": "12000",
    "__CUDACC_VER_MAJOR__": "12",
    "__CUDACC_VER_MINOR__": "0",
    "__cplusplus": "201703",
}

_BINARY: tuple[Mapping[str, Callable[[int, int], int]], ...] = (
    {"||": lambda a, b: int(bool(a) or bool(b))},
    {"&&": lambda a, b: int(bool(a) and bool(b))},
    {"|": int.__or__},
    {"^": int.__xor__},
    {"&": int.__and__},
    {"==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b)},
    {
        "<": lambda a, b: int(a < b),
        ">": lambda a, b: int(a > b),
        "<=": lambda a, b: int(a <= b),
        ">=": lambda a, b: int(a >= b),
    },
    {"<<": lambda a, b: a << (b & 63), ">>": lambda a, b: a >> (b & 63)},
    {"+": int.__add__, "-": int.__sub__},
    {"*": int.__mul__, "/": lambda a, b: _quotient(a, b), "%": lambda a, b: a - b * _quotient(a, b)},
)
_UNARY: Mapping[str, Callable[[int], int]] = {
    "!": lambda a: int(not a),
    "-": int.__neg__,
    "+": int.__pos__,
    "~": int.__invert__,
}
_SPELLED = {"and": "&&", "or": "||", "not": "!", "bitand": "&", "bitor": "|", "xor": "^", "compl": "~"}
_INTEGER = re.compile(r"(0[xX][\da-fA-F']+|0[bB][01']+|0[0-7']*|[1-9][\d']*)([uUlLzZ]*)")
_MAXIMUM_DEPTH = 40


class _ConditionError(Exception):
    """The text is no integer constant expression."""


def evaluate_condition(text: str, defines: Mapping[str, str]) -> bool | None:
    """Whether an #if condition holds; None where it is no valid condition.

    `defines` gives object-like macros; names that are not in it are 0. An #ifdef X is "defined(X)".
    """
    try:
        return _Reader(tokens(without_comments(text)), defines, 0).whole() != 0
    except _ConditionError:
        return None


def _quotient(a: int, b: int) -> int:
    if b == 0:
        raise _ConditionError("division by zero")
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _integer(text: str) -> int:
    match = _INTEGER.fullmatch(text)
    if match is None:
        raise _ConditionError(text)
    digits = match[1].replace("'", "")
    if digits[:1] == "0" and digits[1:].isdigit():
        return int(digits, 8)
    return int(digits, 0)


class _Reader:
    """Recursive descent over the tokens of a condition."""

    def __init__(self, found: list[Token], defines: Mapping[str, str], depth: int) -> None:
        self.tokens = found
        self.defines = defines
        self.depth = depth
        self.next = 0

    def whole(self) -> int:
        value = self.ternary()
        if self.next != len(self.tokens):
            raise _ConditionError(self.peek())
        return value

    def peek(self) -> str:
        text = self.tokens[self.next].text if self.next < len(self.tokens) else ""
        return _SPELLED.get(text, text)

    def take(self, text: str) -> bool:
        if self.peek() != text:
            return False
        self.next += 1
        return True

    def ternary(self) -> int:
        self.depth += 1
        if self.depth > _MAXIMUM_DEPTH:
            raise _ConditionError("nesting")
        value = self.choice()
        self.depth -= 1
        return value

    def choice(self) -> int:
        condition = self.binary(0)
        if not self.take("?"):
            return condition
        yes = self.ternary()
        if not self.take(":"):
            raise _ConditionError("?")
        no = self.ternary()
        return yes if condition else no

    def binary(self, level: int) -> int:
        if level == len(_BINARY):
            return self.unary()
        value = self.binary(level + 1)
        while (operation := _BINARY[level].get(self.peek())) is not None:
            self.next += 1
            value = operation(value, self.binary(level + 1))
        return value

    def unary(self) -> int:
        signs = []
        while self.peek() in _UNARY:
            signs.append(self.peek())
            self.next += 1
        value = self.primary()
        for sign in reversed(signs):
            value = _UNARY[sign](value)
        return value

    def primary(self) -> int:
        if self.next == len(self.tokens):
            raise _ConditionError("end")
        token = self.tokens[self.next]
        self.next += 1
        if token.text == "(":
            value = self.ternary()
            if not self.take(")"):
                raise _ConditionError("(")
            return value
        if token.kind == "number":
            return _integer(token.text)
        if token.kind == "char" and len(token.text) == 3:
            return ord(token.text[1])
        if token.kind != "name":
            raise _ConditionError(token.text)
        return self.name(token.text)

    def name(self, name: str) -> int:
        if name == "defined":
            bracket = self.take("(")
            operand = self.peek()
            self.next += 1
            if bracket and not self.take(")"):
                raise _ConditionError("defined")
            return int(operand in self.defines)
        if name in ("__has_include", "__has_feature", "__has_builtin", "__has_cpp_attribute"):
            self.skip_call()
            return 0
        if self.peek() == "(":
            raise _ConditionError(name)
        if name not in self.defines:
            return int(name == "true")
        found = tokens(without_comments(self.defines[name]))
        others = {other: value for other, value in self.defines.items() if other != name}
        return _Reader(found, others, self.depth + 1).whole()

    def skip_call(self) -> None:
        depth = 0
        while self.next < len(self.tokens):
            text = self.peek()
            self.next += 1
            depth += (text == "(") - (text == ")")
            if depth == 0:
                return
        raise _ConditionError("(")
