"""The words of MSL text with their places; comments are dropped, directives are kept and marked."""

import bisect
import re
from collections.abc import Iterator
from typing import NamedTuple

ADDRESS_SPACES = frozenset({"device", "constant", "threadgroup", "thread"})
QUALIFIERS = frozenset({"const", "volatile", "restrict", "__restrict", "__restrict__", "coherent"})

_TOKEN = re.compile(
    r"""(?P<skip>[ \t\r\f\v]+|\\\n|//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/)
      |(?P<newline>\n)
      |(?P<word>[A-Za-z_]\w*)
      |(?P<number>\.?\d(?:[eEpP][+-]|[\w.'])*)
      |(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
      |(?P<mark>::|->|\+\+|--|&&|\|\||<<|<=|>=|==|!=|[-+*/%&|^]=|\#\#|.)
    """,
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """`kind` is word, number, string or mark. `>>` is two marks, so that template lists close."""

    kind: str
    text: str
    start: int
    directive: bool

    @property
    def end(self) -> int:
        return self.start + len(self.text)


def lex(text: str) -> list[Token]:
    """All tokens of `text`, those of preprocessor lines marked `directive`."""
    tokens: list[Token] = []
    directive = False
    at_line_start = True
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup
        if kind == "newline":
            directive, at_line_start = False, True
            continue
        if kind == "skip":
            continue
        word = match.group()
        if at_line_start and word == "#":
            directive = True
        at_line_start = False
        tokens.append(Token(kind or "mark", word, match.start(), directive))
    return tokens


_CLOSING = {"(": ")", "[": "]", "{": "}"}


def matching(tokens: list[Token], opening: int) -> int:
    """Index of the mark that closes the bracket at `opening`; the last index where it is never closed."""
    opener, closer = tokens[opening].text, _CLOSING[tokens[opening].text]
    depth = 0
    for index in range(opening, len(tokens)):
        word = tokens[index].text
        if word == opener:
            depth += 1
        elif word == closer:
            depth -= 1
            if depth == 0:
                return index
    return len(tokens) - 1


def unclosed(tokens: list[Token]) -> Token | None:
    """The innermost bracket that is never closed, where brackets do not pair up."""
    waiting: list[Token] = []
    for token in tokens:
        if token.directive:
            continue
        if token.text in _CLOSING:
            waiting.append(token)
        elif token.text in _CLOSING.values() and (not waiting or _CLOSING[waiting.pop().text] != token.text):
            return None  # one too many or the wrong one: clang points at it
    return waiting[-1] if waiting else None


def matching_angle(tokens: list[Token], opening: int) -> int | None:
    """Index of the `>` that closes the `<` at `opening`, None where it is a comparison."""
    depth = 0
    index = opening
    while index < len(tokens):
        word = tokens[index].text
        if word == "<":
            depth += 1
        elif word == ">":
            depth -= 1
            if depth == 0:
                return index
        elif word in ("(", "["):
            index = matching(tokens, index)
        elif word in (";", "{", "}"):
            return None
        index += 1
    return None


def split(tokens: list[Token], separator: str = ",") -> Iterator[list[Token]]:
    """Parts of `tokens` between separators that stand outside all brackets."""
    part: list[Token] = []
    index = 0
    while index < len(tokens):
        word = tokens[index].text
        end = index
        if word in _CLOSING:
            end = matching(tokens, index)
        elif word == "<":
            end = matching_angle(tokens, index) or index
        if word == separator:
            yield part
            part = []
        else:
            part.extend(tokens[index : end + 1])
        index = end + 1
    if part:
        yield part


class Lines:
    """Line and column (1-based, characters) of offsets in one text."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def place(self, offset: int) -> tuple[int, int]:
        line = bisect.bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1

    def offset(self, line: int, byte_column: int) -> int:
        """Offset of a line and a column counted in UTF-8 bytes, as clang counts."""
        start = self.starts[min(line, len(self.starts)) - 1]
        end = self.text.find("\n", start)
        content = self.text[start : end if end >= 0 else len(self.text)]
        if content.isascii():
            return start + min(byte_column - 1, len(content))
        return start + len(content.encode()[: byte_column - 1].decode(errors="ignore"))
