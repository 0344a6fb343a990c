"""The declarations of an MSL text: functions, classes and variables of namespaces and classes."""

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from cu2mlx.runtime.msl.tokens import Kind, Token, match_brackets, tokenize

ADDRESS_SPACES = frozenset(
    {"device", "constant", "threadgroup", "thread", "threadgroup_imageblock", "ray_data"}
)
_CLASS_WORDS = frozenset({"struct", "class", "union"})
_ACCESS = frozenset({"public", "private", "protected"})
_CALL_LIKE = frozenset({"alignas", "decltype", "__attribute__", "noexcept", "static_assert"})


class Role(Enum):
    FUNCTION = "function"
    CLASS = "class"
    OTHER = "other"  # a variable, an alias, a declaration without body


@dataclass(frozen=True, slots=True)
class Declaration:
    """Token indices: the head is [start, body), the whole [start, end). `body` is the index of `{`, or of the
    `:` of a constructor's initialisers, or `end` where there is none."""

    role: Role
    start: int
    body: int
    end: int
    scope: int  # the index of the enclosing `{`, -1 at file level
    in_class: bool


class Scopes:
    """Reads the declarations of a token list."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.pairs: Mapping[int, int] = match_brackets(tokens)
        self.declarations = list(self._read(0, len(tokens), -1, in_class=False))

    def _read(self, start: int, end: int, scope: int, *, in_class: bool) -> Iterator[Declaration]:
        at = start
        while at < end:
            token = self.tokens[at]
            if token.directive or token.text == ";":
                at += 1
            elif token.text in _ACCESS and self._text(at + 1) == ":":
                at += 2
            elif self._opens_namespace(at, end) is not None:
                opening = self._opens_namespace(at, end)
                assert opening is not None
                closing = self.pairs.get(opening, end)
                yield from self._read(opening + 1, closing, opening, in_class=False)
                at = closing + 1
            else:
                declaration = self._declaration(at, end, scope, in_class)
                yield declaration
                if declaration.role is Role.CLASS and self._text(declaration.body) == "{":
                    closing = self.pairs.get(declaration.body, declaration.end)
                    yield from self._read(declaration.body + 1, closing, declaration.body, in_class=True)
                at = max(declaration.end, at + 1)

    def _opens_namespace(self, at: int, end: int) -> int | None:
        """The `{` of a namespace or of extern "C" that starts here."""
        if self._text(at) == "inline" and self._text(at + 1) == "namespace":
            at += 1
        if self._text(at) == "extern" and self._text(at + 2) == "{":
            return at + 2
        if self._text(at) != "namespace":
            return None
        while at < end and self._text(at) not in ("{", ";", "="):
            at += 1
        return at if self._text(at) == "{" else None

    def _declaration(self, start: int, end: int, scope: int, in_class: bool) -> Declaration:
        at, call, class_word, initialiser = start, False, False, -1
        angles = 0
        while at < end:
            token = self.tokens[at]
            text = token.text
            if token.directive:
                at += 1
                continue
            if text == ";":
                return Declaration(Role.OTHER, start, at, at + 1, scope, in_class)
            if text == "<" and self.tokens[at - 1].kind is Kind.WORD and self._text(at - 1) != "operator":
                angles += 1
            elif text == ">" and angles:
                angles -= 1
            elif text in _CLASS_WORDS and not angles and not call:
                class_word = True
            elif text == ":" and call and initialiser < 0:
                initialiser = at
            elif text == "(":
                call |= not angles and self._text(at - 1) not in _CALL_LIKE
                at = self.pairs.get(at, end)
            elif text == "[":
                at = self.pairs.get(at, end)
            elif text == "{":
                body = initialiser if initialiser >= 0 else at
                closing = self.pairs.get(at, end - 1)
                if (
                    call
                    and (initialiser < 0 or self._text(at - 1) in (")", "}"))
                    and self._text(at - 1) != "="
                ):
                    return Declaration(Role.FUNCTION, start, body, closing + 1, scope, in_class)
                if class_word and not call:
                    return Declaration(Role.CLASS, start, at, self._after(closing, end), scope, in_class)
                at = closing
            at += 1
        return Declaration(Role.OTHER, start, end, end, scope, in_class)

    def _after(self, closing: int, end: int) -> int:
        """Past the `;` that ends a class."""
        at = closing
        while at < end and self._text(at) != ";":
            at += 1
        return at + 1

    def _text(self, index: int) -> str:
        return self.tokens[index].text if 0 <= index < len(self.tokens) else ""

    def duplicates(self) -> Iterator[Declaration]:
        """Declarations that say the same as another one once address spaces are erased: overloads of functions,
        methods and specialisations for each space. The first with default arguments is none, else the first."""
        alike: dict[tuple[int, str], list[Declaration]] = {}
        for declaration in self.declarations:
            if declaration.role is not Role.OTHER:
                signature = " ".join(self._signature(declaration))
                alike.setdefault((declaration.scope, signature), []).append(declaration)
        for found in alike.values():
            kept = next((d for d in found if len(self._signature(d)) < len(self._spaceless(d))), found[0])
            for declaration in found:
                head = self.tokens[declaration.start : declaration.body]
                if declaration is not kept and any(token.text in ADDRESS_SPACES for token in head):
                    yield declaration

    def _spaceless(self, declaration: Declaration) -> list[str]:
        """The words of a declaration's head without address spaces."""
        head = self.tokens[declaration.start : declaration.body]
        return [token.text for token in head if token.text not in ADDRESS_SPACES]

    def _signature(self, declaration: Declaration) -> list[str]:
        """The same without default arguments."""
        words: list[str] = []
        depth, default = 0, 0  # default: the depth of the brackets that the `=` stands in
        for word in self._spaceless(declaration):
            depth += (word in "([{") - (word in ")]}")
            if default and (depth < default or (word == "," and depth == default)):
                default = 0
            elif word == "=" and depth and words[-1] != "operator":
                default = depth
            if not default:
                words.append(word)
        return words


@functools.lru_cache(maxsize=32)
def scopes_of(text: str) -> Scopes:
    """The declarations of a text. One translation asks for those of the same text many times."""
    return Scopes(tokenize(text))
