"""Small tools for rewriting C++ text by position."""

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


def replace_spans(text: str, edits: list[tuple[int, int, str]]) -> str:
    """Apply (start, end, replacement) edits, keeping the number of lines of each replaced span.

    Where the span's lines are joined by backslashes (in a #define), so are the lines that fill up.
    """
    pieces, position = [], 0
    for start, end, replacement in sorted(edits):
        lost = text.count("\n", start, end) - replacement.count("\n")
        filler = " \\\n" if "\\\n" in text[start:end] else "\n"
        pieces += [text[position:start], replacement, filler * lost]
        position = end
    return "".join([*pieces, text[position:]])


def line_of(text: str, position: int) -> int:
    """The 1-based line of a position."""
    return text.count("\n", 0, position) + 1


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
