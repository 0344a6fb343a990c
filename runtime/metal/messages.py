"""Messages of Metal's compiler, brought back to the lines of the kernel's own text.

MLX compiles its own preamble and the kernel as one text, which Metal calls program_source. How long the preamble
is depends on MLX's version, so the lines that the compiler quotes tell where the kernel's text begins.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence

PLACE = re.compile(r"^program_source:(\d+):(\d+): ", re.MULTILINE)
_QUOTED = re.compile(r"^program_source:(\d+):\d+: [^\n]*\n([^\n]*)\n[ \t~^]*\^", re.MULTILINE)


def own_lines(message: str, text: str) -> str:
    """The message with "program_source:LINE" as "kernel.metal:LINE", LINE counting in `text`.

    Places in MLX's preamble, and all places where no quoted line can be found in `text`, stay as they are.
    """
    offset = _offset(message, text.split("\n"))
    if offset is None:
        return message
    count = text.count("\n") + 1

    def renamed(match: re.Match[str]) -> str:
        line = int(match[1]) - offset
        return f"kernel.metal:{line}:{match[2]}: " if 1 <= line <= count else match[0]

    return PLACE.sub(renamed, message)


def with_cuda_lines(message: str, cuda_line: Callable[[int], int | None], path: str) -> str:
    """A message of `own_lines` with the CUDA file's line after each place that comes from one."""

    def extended(match: re.Match[str]) -> str:
        line = cuda_line(int(match[1]))
        return match[0] if line is None else f"{match[0]}(from {path}:{line}) "

    return re.sub(r"^kernel\.metal:(\d+):\d+: ", extended, message, flags=re.MULTILINE)


def _offset(message: str, lines: Sequence[str]) -> int | None:
    """How many lines precede the text: what most quoted lines agree on."""
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        places.setdefault(line.strip(), []).append(number)
    votes: Counter[int] = Counter()
    for match in _QUOTED.finditer(message):
        votes.update(int(match[1]) - number for number in places.get(match[2].strip(), ()))
    return votes.most_common(1)[0][0] if votes else None
