"""The one form of a table row: a CUDA name, what it means, and how Metal says it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Builtin:
    """One CUDA function and its MSL spelling.

    `signature` is CUDA's own ("float expf(float x)"); overload sets are several rows of one name. `spelling` is
    a format string over the rendered arguments: `{0}`, `{1}`, `{2=32}` (default where the call omits it),
    `{lane}` (thread_index_in_simdgroup, handed down), `{space0}` (address space of argument 0), `{T0}` (type of
    argument 0 without its pointer); None means refused. Functions of the support library are spelt `cu::name`.
    `code` is the diagnostic raised at each use: a refusal where spelling is None, else a warning or note.
    """

    name: str
    signature: str
    spelling: str | None
    accuracy: str = ""
    caveat: str = ""
    code: str | None = None
    metal: str = "3.1"
