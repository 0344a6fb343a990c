"""Where each side runs. The CPU machine and NVIDIA run both texts, Apple only Metal's."""

import importlib
import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass

from cu2mlx.runtime.protocol import Executor


@dataclass(frozen=True, slots=True)
class Target:
    """`original` and `translation` name executors: "module:class"."""

    name: str
    original: str
    translation: str

    def executors(self) -> tuple[Executor, Executor]:
        """Raises CannotRunError where one is not to be had here."""
        return _executor(self.original), _executor(self.translation)


class CannotRunError(Exception):
    """An executor that this computer has not got; the message says why."""


_CPU = "cu2mlx.runtime.cpu.executor:CpuExecutor"
_CUDA = "cu2mlx.runtime.cuda.executor:CudaExecutor"
TARGETS: Mapping[str, Target] = {
    "cpu": Target("cpu", _CPU, _CPU),
    "cuda": Target("cuda", _CUDA, _CUDA),
    "metal": Target("metal", _CPU, "cu2mlx.runtime.metal.executor:MetalExecutor"),
}


def _executor(place: str) -> Executor:
    module, _, name = place.partition(":")
    try:
        found: Executor = getattr(importlib.import_module(module), name)()
    except ModuleNotFoundError as error:
        raise CannotRunError(f"{name} needs the module {error.name}") from None
    reason = found.unavailable()
    if reason is not None:
        raise CannotRunError(reason)
    return found
