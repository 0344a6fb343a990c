"""Which macros stay macros: those that mean the same in Metal and parse as a name or a call.

A macro is kept when its body has nothing but literals, arithmetic, its own parameters and other kept macros.
Whatever else it holds (a function, a type, a variable, a statement, CUDA names) the translator must see.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from cu2mlx.transpiler.preprocess.lexical import Token, tokens
from cu2mlx.transpiler.preprocess.unit import Macro

# What a kept body may be made of. `*` and `&` are also prefixes, and then say something about memory.
_OPERATORS = frozenset(
    token.text for token in tokens("+ - * / % < > <= >= == != && || ! ~ & | ^ << >> ? : ,")
)
_ARITHMETIC = _OPERATORS | {"(", ")"}
_PREFIX_ONLY_AFTER = _OPERATORS | {"("}
_CONSTANTS = frozenset({"true", "false"})


def to_expand(macros: Mapping[str, list[Macro]], misused: Iterable[str]) -> frozenset[str]:
    """The names whose uses are expanded. `macros` gives every definition of a name (one per #if branch);
    `misused` are names with a use that does not parse as an expression."""
    expanded = set(misused)
    users: dict[str, set[str]] = {}
    for name, definitions in macros.items():
        for macro in definitions:
            body = macro.tokens
            if not _is_expression(body, macro, macros):
                expanded.add(name)
            for token in body:
                if token.kind == "name" and token.text in macros:
                    users.setdefault(token.text, set()).add(name)
    return _closure(expanded, users)


def pasting(macros: Mapping[str, list[Macro]]) -> frozenset[str]:
    """The macros that paste or stringize, by themselves or through the macros they use."""
    direct: set[str] = set()
    users: dict[str, set[str]] = {}
    for name, definitions in macros.items():
        for macro in definitions:
            if "#" in macro.body:
                direct.add(name)
            for token in macro.tokens:
                if token.kind == "name" and token.text in macros:
                    users.setdefault(token.text, set()).add(name)
    return _closure(direct, users)


def _closure(names: set[str], users: Mapping[str, set[str]]) -> frozenset[str]:
    pending = list(names)
    found = set(names)
    while pending:
        for user in users.get(pending.pop(), ()):
            if user not in found:
                found.add(user)
                pending.append(user)
    return frozenset(found)


def _is_expression(body: Sequence[Token], macro: Macro, macros: Mapping[str, list[Macro]]) -> bool:
    """Whether a body is arithmetic over literals, parameters and other macros."""
    parameters = macro.parameters or ()
    depth = 0
    before = "("
    for index, token in enumerate(body):
        after = body[index + 1].text if index + 1 < len(body) else ""
        if token.kind == "name":
            if token.text in parameters:
                if after == "(" or macro.variadic:
                    return False
            elif token.text not in _CONSTANTS and token.text not in macros:
                return False
        elif token.kind == "operator":
            if token.text not in _ARITHMETIC or (token.text in "*&" and before in _PREFIX_ONLY_AFTER):
                return False
            depth += (token.text == "(") - (token.text == ")")
            if depth < 0:
                return False
            if token.text == "(" and before == ")":
                return False
            if token.text == "," and depth == 0:
                return False
        before = token.text
    return bool(body) and depth == 0 and before not in _PREFIX_ONLY_AFTER


_TYPE_WORDS = (
    r"void|bool|char|short|int|long|float|double|unsigned|signed|const|auto|struct|typename|half2?|float[1-4]"
)
_NOT_AN_EXPRESSION = re.compile(rf"[{{}};]|<<<|\b(?:{_TYPE_WORDS}|return|for|if|while)\b")
_BEFORE = re.compile(r"(?:^|([A-Za-z_]\w*)|(.))\s*$", re.DOTALL)


def is_misuse(before: str, arguments: list[str] | None, after: str) -> bool:
    """Whether a use of a kept macro breaks the parse: `before` and `after` are the code around it."""
    following = after.lstrip()[:1]
    if following.isidentifier() or following == "{":
        return True
    if arguments is None:
        return False
    if any(not argument.strip() or _NOT_AN_EXPRESSION.search(argument) for argument in arguments):
        return True
    match = _BEFORE.search(before)
    starts_statement = match is None or (match[1] is None and (match[2] or ";") in ";{}")
    return following == "(" or (starts_statement and following != ";")
