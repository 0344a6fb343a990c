"""Files of many small kernels: `//// name` starts one, `//! text` marks a line that must be rejected."""

import re
from dataclasses import dataclass
from pathlib import Path

PRELUDE = "#include <metal_stdlib>\nusing namespace metal;\n"
_MARK = re.compile(r"//!\s*(?P<fragment>.*?)(?:\s*\(hint: (?P<hint>.*)\))?\s*$")


@dataclass(frozen=True)
class Expected:
    line: int
    fragment: str
    hint: str


@dataclass(frozen=True)
class Section:
    name: str
    text: str  # prelude included, marks removed
    expected: tuple[Expected, ...]


def read(path: Path, prelude: str = PRELUDE) -> list[Section]:
    sections = []
    for part in re.split(r"^//// ", path.read_text(), flags=re.MULTILINE)[1:]:
        name, _, body = part.partition("\n")
        expected = []
        lines = (prelude + body).split("\n")
        for number, line in enumerate(lines, start=1):
            if mark := _MARK.search(line):
                expected.append(Expected(number, mark["fragment"], mark["hint"] or ""))
        text = "\n".join(_MARK.sub("", line) for line in lines)
        sections.append(Section(f"{path.stem}: {name}", text, tuple(expected)))
    return sections
