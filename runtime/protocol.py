"""What runs a kernel: one protocol for the CPU machine, NVIDIA and Apple."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class KernelText:
    """Source with everything the kernel reaches. `entry` names it, instantiated: "saxpy", "k<float, 128>"; for
    MSL also the [[host_name]] of an explicit instantiation. `constants`: MSL's function constants, index and
    literal, of those that are set."""

    language: Literal["msl", "cuda"]
    text: str
    entry: str
    constants: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Launch:
    """CUDA's meaning: `grid` in blocks, `block` in threads, dynamic shared memory in bytes.

    `threads`, for MSL: the grid in threads, where that is no multiple of the block; its last groups are then
    smaller, as with Metal's dispatchThreads.
    """

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int = 0
    threads: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True)
class Value:
    """A by-value argument as its bytes in memory (int, float, struct)."""

    data: bytes


class Status(StrEnum):
    OK = "ok"
    COMPILE_ERROR = "compile error"
    FAULT = "fault"  # checked mode found something, see faults
    CRASH = "crash"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out of memory"


@dataclass(frozen=True, slots=True)
class Fault:
    """One finding of checked mode: `kind` such as "race", "out of bounds", "uninitialised", "divergent barrier".

    `line` and those of the `callers` that lead there, the innermost first, are 1-based lines of the text that ran.
    """

    kind: str
    detail: str
    line: int | None = None
    callers: tuple[int, ...] = ()

    @property
    def message(self) -> str:
        """The finding with its lines, as one line of text."""
        place = "" if self.line is None else f"line {self.line}: "
        return f"{place}{self.kind}: {self.detail}{called_from(self.callers)}"


def called_from(lines: Sequence[int]) -> str:
    """ " (called from line 6, 9)", nothing without lines."""
    return f" (called from line {', '.join(map(str, lines))})" if lines else ""


@dataclass(frozen=True, slots=True)
class Outcome:
    status: Status
    message: str = ""
    faults: tuple[Fault, ...] = ()
    seconds: float = 0.0
    output: str = field(default="", repr=False)  # what device printf wrote


class Loaded(Protocol):
    """A compiled kernel."""

    def run(
        self, arguments: "Sequence[np.ndarray[Any, Any] | Value]", launch: Launch, *, timeout: float = 60.0
    ) -> Outcome:
        """Run once; buffers are updated in place when the status is OK or FAULT."""
        ...


class Executor(Protocol):
    name: str

    def unavailable(self) -> str | None:
        """Why this executor cannot run here, None when it can."""
        ...

    def load(self, kernel: KernelText, *, checked: bool = False) -> Loaded:
        """Compile. Raises CompileError with the compiler's message, mapped to the kernel's lines."""
        ...


class CompileError(Exception):
    """The kernel's text did not compile; the message names its lines."""
