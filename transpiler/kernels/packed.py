"""Scalars handed over together, as small arrays of one dtype, where a kernel has more arguments than Metal buffers."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cu2mlx.transpiler.binding.dtypes import METAL_SPELLING, MLX_SPELLING
from cu2mlx.transpiler.binding.interface import Parameter, Role
from cu2mlx.transpiler.binding.signature import MAXIMUM_BUFFERS, SMALLEST_DEVICE_ARRAY, buffer_count

# MLX hands a longer array over in `device` memory; scalars belong in `constant`, which every thread reads alike.
_LARGEST = SMALLEST_DEVICE_ARRAY - 1


def pack_scalars(
    parameters: list[Parameter], prologue: list[str], statements: str
) -> tuple[list[Parameter], list[str]]:
    """The parameters and the prologue of a kernel as they are, or with its scalars packed if it has too many buffers.

    What the prologue copies, it copies from the array (`params.n = int_values[0];`); a scalar that the statements
    use by its name becomes a reference to its element.
    """
    text = "\n".join([*prologue, statements])
    if buffer_count(parameters, text) <= MAXIMUM_BUFFERS:
        return parameters, prologue
    elements: dict[str, tuple[str, int]] = {}
    for name, scalars in _arrays(parameters, text):
        elements |= {scalar.name: (name, place) for place, scalar in enumerate(scalars)}
    packed: list[Parameter] = []
    references: list[str] = []
    copied = list(prologue)
    for parameter in parameters:
        if parameter.name not in elements:
            packed.append(parameter)
            continue
        array, place = elements[parameter.name]
        packed.append(replace(parameter, array=array))
        copy = f" = {parameter.name};"
        if any(line.endswith(copy) for line in copied):
            copied = [
                line.removesuffix(copy) + f" = {array}[{place}];" if line.endswith(copy) else line
                for line in copied
            ]
        else:
            kind = MLX_SPELLING.get(parameter.dtype, parameter.dtype)
            references.append(f"const constant {kind}& {parameter.name} = {array}[{place}];")
    return packed, references + copied


def _arrays(parameters: Sequence[Parameter], text: str) -> Iterator[tuple[str, list[Parameter]]]:
    """The arrays by name: the scalars of each dtype in their order. One that would be alone stays as it is."""
    by_dtype: dict[str, list[Parameter]] = {}
    for parameter in parameters:
        if parameter.role is Role.SCALAR and parameter.lanes == 1:
            by_dtype.setdefault(parameter.dtype, []).append(parameter)
    taken = set(re.findall(r"\w+", text)) | {parameter.name for parameter in parameters}
    for dtype, scalars in by_dtype.items():
        for number, start in enumerate(range(0, len(scalars), _LARGEST), 1):
            part = scalars[start : start + _LARGEST]
            if len(part) > 1:
                name = f"{METAL_SPELLING.get(dtype, dtype)}_values" + (f"_{number}" if number > 1 else "")
                while name in taken:
                    name += "_"
                yield name, part
