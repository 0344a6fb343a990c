"""Small tools for reading C++ text by position; edits are those of runtime.msl.tokens."""

import re

_LITERAL = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])*'", re.DOTALL
)
_OPENING, _CLOSING = "([{", ")]}"


def blank_literals(text: str) -> str:
    """`text` with comments, strings and characters made blanks, of the same length and lines."""
    return _LITERAL.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def without_comments(text: str) -> str:
    """`text` with comments alone made blanks."""
    return _LITERAL.sub(lambda m: re.sub(r"[^\n]", " ", m[0]) if m[0][0] == "/" else m[0], text)


def find_closing(blanked: str, opening: int) -> int:
    """The position of the bracket that closes the one at `opening`, or the text's end."""
    depth = 0
    for position in range(opening, len(blanked)):
        depth += (blanked[position] in _OPENING) - (blanked[position] in _CLOSING)
        if depth == 0:
            return position
    return len(blanked)


def split_top_level(text: str, separator: str) -> list[str]:
    """Split at separators outside brackets and strings."""
    blanked = blank_literals(text)
    parts, depth, start = [], 0, 0
    for position, char in enumerate(blanked):
        depth += (char in _OPENING) - (char in _CLOSING)
        if char == separator and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]]
