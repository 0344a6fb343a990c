"""The difference between two candidates' texts, line by line, with its words coloured."""

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.reply import SEPARATOR

CONTEXT = 3

_WORDS = re.compile(
    r"(?P<comment>//.*|/\*.*?\*/)"
    r"|(?P<literal>\b\d[\w.]*)"
    r"|(?P<space>\b(?:device|threadgroup|constant|thread)\b)"
    r"|(?P<keyword>\b(?:auto|bool|break|case|char|const|constexpr|continue|default|do|else|enum|false|float|for|half|if"
    r"|inline|int|long|namespace|return|short|sizeof|static|static_cast|struct|switch|template|true|typedef|typename"
    r"|uchar|uint|ulong|unsigned|using|ushort|void|volatile|while|(?:float|half|int|uint)[234])\b|^\s*\#\s*\w+)"
    r"|(?P<call>\b[A-Za-z_]\w*(?=\())"
)


@dataclass(frozen=True, slots=True)
class Line:
    """`kind`: add, remove or same; `old` and `new` are line numbers; `words`: (class, text), class may be empty."""

    kind: str
    old: int | None
    new: int | None
    words: tuple[tuple[str, str], ...]


def difference(seed: Candidate, best: Candidate) -> tuple[tuple[Line, ...], ...]:
    """Hunks of lines; none where the texts are the same."""
    old, new = (f"{each.header}{SEPARATOR}\n{each.body}".splitlines() for each in (seed, best))
    groups = difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT)
    return tuple(tuple(_lines(group, old, new)) for group in groups)


def _lines(group: list[tuple[str, int, int, int, int]], old: list[str], new: list[str]) -> Iterator[Line]:
    for tag, first, last, start, end in group:
        if tag == "equal":
            for offset in range(last - first):
                yield Line("same", first + offset + 1, start + offset + 1, _words(old[first + offset]))
            continue
        for number in range(first, last):
            yield Line("remove", number + 1, None, _words(old[number]))
        for number in range(start, end):
            yield Line("add", None, number + 1, _words(new[number]))


def _words(line: str) -> tuple[tuple[str, str], ...]:
    pieces, position = [], 0
    for match in _WORDS.finditer(line):
        if match.start() > position:
            pieces.append(("", line[position : match.start()]))
        pieces.append((match.lastgroup or "", match[0]))
        position = match.end()
    return (*pieces, ("", line[position:]))
