"""What MLX says when a kernel fails on Metal: the compiler's lines brought back to the kernel's own text, and
which way of failing it is.

MLX compiles its own headers and the kernel as one text. Each header begins with a #line, and nothing ends the
last one, so the compiler counts the kernel's lines on in that header ("mlx/backend/metal/kernels/utils.h:466:18");
before MLX 0.30 there was no #line, and the text is Metal's "program_source". How many lines come before the kernel
depends on MLX's version: the lines that the compiler quotes tell.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from cu2mlx.runtime.protocol import Outcome, Status

_FILE = r"program_source|mlx/[\w./-]+"
_PLACE = re.compile(rf"^({_FILE}):(\d+):(\d+): ", re.MULTILINE)
_QUOTED = re.compile(rf"^({_FILE}):(\d+):\d+: [^\n]*\n([^\n]*)\n[ \t~^]*\^", re.MULTILINE)
# The executors' spellings of a place in a kernel's Metal text: Metal, CPU machine; NVRTC.
_OWN_PLACE = re.compile(r"^kernel\.metal(?::(\d+):\d+: |\((\d+)\): )", re.MULTILINE)

# Names that Metal gives to errors of command buffers, as MLX hands them on.
_FAILURES: Mapping[str, tuple[Status, str]] = {
    "kIOGPUCommandBufferCallbackErrorTimeout": (Status.TIMEOUT, "macOS ended the kernel: it ran too long"),
    "kIOGPUCommandBufferCallbackErrorImpactingInteractivity": (
        Status.TIMEOUT,
        "macOS ended the kernel: it kept the GPU from the screen",
    ),
    "kIOGPUCommandBufferCallbackErrorHang": (Status.TIMEOUT, "macOS ended the kernel: the GPU hung"),
    "kIOGPUCommandBufferCallbackErrorOutOfMemory": (Status.OUT_OF_MEMORY, "the GPU's memory ran out"),
    "kIOGPUCommandBufferCallbackErrorPageFault": (Status.CRASH, "access to memory that is not there"),
}


def own_lines(message: str, text: str) -> str:
    """The compiler's message with places in the kernel's text as "kernel.metal:LINE:COLUMN", LINE counting in `text`.

    Places in MLX's own headers, and all places where no quoted line can be found in `text`, stay as they are.
    """
    found = _before(message, text.split("\n"))
    if found is None:
        return message
    file, before = found
    count = text.count("\n") + 1

    def renamed(match: re.Match[str]) -> str:
        line = int(match[2]) - before
        ours = match[1] == file and 1 <= line <= count
        return f"kernel.metal:{line}:{match[3]}: " if ours else match[0]

    return _PLACE.sub(renamed, message)


def with_cuda_places(message: str, cuda_place: Callable[[int], str | None]) -> str:
    """A message about a kernel's Metal text, with what `cuda_place` says of a line ("k.cu:40") after its places."""

    def extended(match: re.Match[str]) -> str:
        place = cuda_place(int(match[1] or match[2]))
        return match[0] if place is None else f"{match[0]}(from {place}) "

    return _OWN_PLACE.sub(extended, message)


def is_compiler_error(message: str) -> bool:
    return "Unable to build metal library" in message or re.search(r":\d+:\d+: error: ", message) is not None


def failure(message: str) -> Outcome:
    """The outcome of a kernel that was compiled and failed with this message of MLX's."""
    for name, (status, meaning) in _FAILURES.items():
        if name in message:
            return Outcome(status, f"{meaning} ({name})")
    return Outcome(Status.CRASH, message.strip())


def _before(message: str, lines: Sequence[str]) -> tuple[str, int] | None:
    """The file in which the compiler counts the kernel's lines, and how many there come before: most quoted lines
    agree on that."""
    places: dict[str, list[int]] = {}
    for number, line in enumerate(lines, 1):
        places.setdefault(line.strip(), []).append(number)
    votes: Counter[tuple[str, int]] = Counter()
    for match in _QUOTED.finditer(message):
        votes.update((match[1], int(match[2]) - number) for number in places.get(match[3].strip(), ()))
    return votes.most_common(1)[0][0] if votes else None
