"""Runs expressions and kernels of the support library on the CPU machine."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.protocol import KernelText, Launch, Loaded, Status
from cu2mlx.transpiler import prelude

Array = np.ndarray[Any, Any]

HEAD = "#include <metal_stdlib>\nusing namespace metal;\n"
_TYPES = {
    "float32": "float",
    "float16": "half",
    "int8": "char",
    "uint8": "uchar",
    "int16": "short",
    "uint16": "ushort",
    "int32": "int",
    "uint32": "uint",
    "int64": "long",
    "uint64": "ulong",
    "bool": "bool",
}
_OUTPUTS = 20  # results of one kernel; Metal binds 31 buffers


def msl_type(array: Array) -> str:
    return _TYPES[array.dtype.name]


def assembled(text: str) -> str:
    """MSL text with the parts of the library that it names in front of it."""
    import re

    return HEAD + prelude.assemble(set(re.findall(r"cu::(\w+)", text))) + text


@cache
def load(text: str, entry: str, checked: bool = False) -> Loaded:
    return CpuExecutor(threads=1).load(KernelText("msl", assembled(text), entry), checked=checked)


def run(
    text: str, entry: str, arguments: Sequence[Array], grid: int, block: int, checked: bool = False
) -> None:
    """Runs a kernel whose parameters are all buffers; the arrays are updated in place."""
    outcome = load(text, entry, checked).run(arguments, Launch((grid, 1, 1), (block, 1, 1)))
    assert outcome.status is Status.OK, (outcome.message, outcome.faults)


def evaluate(
    expressions: Mapping[str, str], inputs: Mapping[str, Array], results: Mapping[str, Any] | Any
) -> dict[str, Array]:
    """Each expression over the inputs, element by element, as arrays of the dtypes in `results`.

    `results` may be one dtype for all.
    """
    names = list(expressions)
    found: dict[str, Array] = {}
    size = len(next(iter(inputs.values())))
    for start in range(0, len(names), _OUTPUTS):
        chunk = names[start : start + _OUTPUTS]
        outputs = {
            name: np.zeros(size, results[name] if isinstance(results, Mapping) else results) for name in chunk
        }
        parameters = [f"device const {msl_type(array)}* in_{name}" for name, array in inputs.items()]
        parameters += [f"device {msl_type(array)}* out_{name}" for name, array in outputs.items()]
        buffers = [f"{parameter} [[buffer({index})]]" for index, parameter in enumerate(parameters)]
        body = [f"    {msl_type(array)} {name} = in_{name}[i];" for name, array in inputs.items()]
        body += [f"    out_{name}[i] = {expressions[name]};" for name in chunk]
        text = (
            f"kernel void sweep({', '.join(buffers)}, uint i [[thread_position_in_grid]]) {{\n"
            + "\n".join(body)
            + "\n}\n"
        )
        block = next(b for b in (256, 128, 64, 32, 16, 8, 4, 2, 1) if size % b == 0)
        run(text, "sweep", [*inputs.values(), *outputs.values()], size // block, block)
        found.update(outputs)
    return found
