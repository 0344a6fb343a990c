"""MSL text as tokens, and edits to a text of any language by position."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    WORD = "word"
    NUMBER = "number"
    STRING = "string"
    PUNCT = "punctuation"


@dataclass(frozen=True, slots=True)
class Token:
    """`start` and `end` are positions in the text; `directive`: part of a # line (a macro's body, say)."""

    kind: Kind
    text: str
    start: int
    end: int
    directive: bool


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace text[start:end]."""

    start: int
    end: int
    text: str


_PATTERN = re.compile(
    r"""(?P<skip>//(?:[^\n\\]|\\.|\\\n)*|/\*.*?\*/|[ \t\r\f\v]+|\\\n)
      | (?P<newline>\n)
      | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
      | (?P<number>\.?[0-9](?:[eEpP][+-]|[\w.])*)
      | (?P<word>[A-Za-z_$]\w*)
      | (?P<punct>::|->|\#\#|.)""",
    re.VERBOSE | re.DOTALL,
)
_OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = set(_OPENING.values())


def tokenize(text: str) -> list[Token]:
    """All tokens but comments and blanks; brackets one by one (`>>` is two tokens)."""
    tokens: list[Token] = []
    directive, line_start = False, True
    for match in _PATTERN.finditer(text):
        kind = match.lastgroup
        if kind == "newline":
            directive, line_start = False, True
        elif kind != "skip":
            if line_start and match[0] == "#":
                directive = True
            line_start = False
            assert kind is not None
            tokens.append(Token(Kind[kind.upper()], match[0], match.start(), match.end(), directive))
    return tokens


def match_brackets(tokens: Sequence[Token]) -> dict[int, int]:
    """Index of each opening bracket ( [ { to that of its closing one; directives are left out."""
    pairs: dict[int, int] = {}
    stack: list[int] = []
    for index, token in enumerate(tokens):
        if token.directive or token.kind is not Kind.PUNCT:
            continue
        if token.text in _OPENING:
            stack.append(index)
        elif token.text in _CLOSING:
            while stack:
                opening = stack.pop()
                if _OPENING[tokens[opening].text] == token.text:
                    pairs[opening] = index
                    break
    return pairs


def split_commas(tokens: Sequence[Token]) -> list[list[Token]]:
    """Split at commas outside all brackets, < > included."""
    parts: list[list[Token]] = [[]]
    for token, (brackets, angles) in zip(tokens, depths(tokens), strict=True):
        if token.text == "," and brackets == angles == 0:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts if parts != [[]] else []


def depths(tokens: Sequence[Token]) -> Iterator[tuple[int, int]]:
    """After each token, how many ( [ { and how many < are open. Inside brackets a < is a comparison."""
    brackets = angles = 0
    for token in tokens:
        if token.text in _OPENING:
            brackets += 1
        elif token.text in _CLOSING:
            brackets -= 1
        elif not brackets and token.kind is Kind.PUNCT and token.text in "<>":
            angles += 1 if token.text == "<" else -1
        yield brackets, angles


def apply(text: str, edits: Iterable[Edit]) -> str:
    """Make the edits. Each keeps the number of lines of what it replaces; one inside another is dropped."""
    pieces, position = [], 0
    for edit in sorted(edits, key=lambda edit: (edit.start, -edit.end)):
        if edit.start < position:
            continue
        removed = text[edit.start : edit.end]
        line_ends = re.findall(r"\\?\n", removed)[edit.text.count("\n") :]  # a macro's lines stay continued
        pieces += [text[position : edit.start], edit.text, *line_ends]
        position = edit.end
    return "".join([*pieces, text[position:]])


def text_of(text: str, tokens: Sequence[Token]) -> str:
    """The source text from the first to the last token."""
    return text[tokens[0].start : tokens[-1].end] if tokens else ""


def line_of(text: str, position: int) -> int:
    """The 1-based line of a position."""
    return text.count("\n", 0, position) + 1
