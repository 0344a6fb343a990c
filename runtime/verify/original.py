"""The original's side: the CUDA text of one kernel with its arguments, and where its lines come from."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cu2mlx.runtime.dtypes import decode
from cu2mlx.runtime.inputs import Inputs
from cu2mlx.runtime.protocol import KernelText, Value
from cu2mlx.runtime.spec import ResolvedBuffer, ResolvedScalar, cuda_kernel
from cu2mlx.runtime.verify.packing import UnfitError
from cu2mlx.transpiler.kernels import TranslatedKernel
from cu2mlx.transpiler.pipeline import Translation

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

UNREADABLE_GLOBAL = "a __device__ variable that the kernel changes cannot be read back from the original"
_EMPTY_RECORD = Value(bytes(1))


@dataclass(frozen=True, slots=True)
class OriginalCall:
    text: KernelText
    arguments: "tuple[Array | Value, ...]"


def original_call(kernel: TranslatedKernel, inputs: Inputs) -> OriginalCall:
    """The kernel as the spec calls it. Raises UnfitError where the spec does not fit its parameters.

    `__constant__` variables that host code fills are arguments of the translation; here their declarations
    get the values. Functors have no state and stand in no spec.
    """
    parameters = [parameter.name for parameter in kernel.function.parameters]
    given = {
        each.name: _by_value(each, argument)
        for each, argument in zip(inputs.resolved.arguments, inputs.arguments, strict=True)
    }
    records = [name for name, _ in inputs.resolved.spec.records]
    flat = [name for name in given if any(name.startswith(f"{record}_") for record in records)]
    constants = [name for name in given if name not in parameters and name not in flat]
    original = kernel.original
    changed = [name for name in constants if name in inputs.resolved.spec.outputs]
    if changed:
        raise UnfitError(f"{changed[0]}: {UNREADABLE_GLOBAL}", skipped=True)
    for name in constants:
        original = _initialised(original, name, inputs)
    if records:
        arguments = tuple(argument for name, argument in given.items() if name not in constants)
    else:
        arguments = tuple(given.get(name, _EMPTY_RECORD) for name in parameters)
    resolved = inputs.resolved
    if kernel.name != kernel.function.name:  # one of several overloads, under a name of ours
        own = resolved.entry.replace(resolved.spec.kernel, kernel.function.name, 1)
        resolved = replace(resolved, entry=own)
    return OriginalCall(cuda_kernel(resolved, original), arguments)


def _by_value(described: ResolvedBuffer | ResolvedScalar, argument: "Array | Value") -> "Array | Value":
    """A struct without extents is one record, passed as it is."""
    is_record = described.dtype == "struct" and isinstance(described, ResolvedBuffer) and not described.shape
    return Value(argument.tobytes()) if is_record and not isinstance(argument, Value) else argument


def _initialised(original: str, name: str, inputs: Inputs) -> str:
    """The text with a file-scope variable's declaration given its values."""
    declaration = re.compile(
        rf"(__(?:constant|device)__[^;={{}}()]*\b{re.escape(name)}\s*(?:\[[^\];]*\]\s*)*);"
    )
    if not declaration.search(original):
        raise UnfitError(f"the kernel has no parameter {name}; name the arguments as the kernel does")
    if name in inputs.buffers:
        values = decode(inputs.buffers[name], inputs.dtypes[name]).reshape(-1).tolist()
    else:
        values = [inputs.scalars[name]]
    listed = ", ".join(_literal(value) for value in values)
    return declaration.sub(rf"\1 = {{{listed}}};", original, count=1)


def _literal(value: int | float | bool) -> str:
    return repr(int(value)) if isinstance(value, bool | int) else float(value).hex()


def source_line(translation: Translation, call: OriginalCall, line: int) -> int | None:
    """The line in the CUDA file of a line of the kernel's own text.

    The text holds declarations of the file as they are, so the lines around it tell where it stands.
    """
    lines = call.text.text.split("\n")
    for window in _windows(lines, line - 1):
        text = "\n".join(window.lines)
        place = translation.unit.text.find(text)
        if place >= 0 and text.strip():
            offset = place + sum(len(each) + 1 for each in window.lines[: window.before])
            return translation.unit.origin(offset).line
    return None


@dataclass(frozen=True, slots=True)
class _Window:
    lines: list[str]
    before: int


def _windows(lines: list[str], index: int) -> Iterator[_Window]:
    """The line with fewer and fewer neighbours."""
    for reach in (3, 2, 1, 0):
        for shift in (0, -reach, reach) if reach else (0,):
            first, last = index + shift - reach, index + shift + reach
            if first >= 0 and last < len(lines):
                yield _Window(lines[first : last + 1], index - first)
    yield _Window([lines[index].strip()], 0)
