"""A candidate, one case and its data as an executor gets them: the exact text MLX would hand to Metal."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.space import chosen
from cu2mlx.refine.task import Task
from cu2mlx.runtime.dtypes import decode, encode
from cu2mlx.runtime.emulate import PREAMBLE
from cu2mlx.runtime.inputs import Inputs
from cu2mlx.runtime.protocol import KernelText, Launch, Value
from cu2mlx.runtime.spec import Case, resolve
from cu2mlx.runtime.spec.expression import parse
from cu2mlx.runtime.verify.enumerators import enumerator
from cu2mlx.transpiler.binding.dtypes import dtype_of_cxx
from cu2mlx.transpiler.binding.generator import Input, Output, function_name, metal_source
from cu2mlx.transpiler.binding.interface import Role
from cu2mlx.transpiler.binding.signature import (
    DYNAMIC_SHARED,
    SMALLEST_DEVICE_ARRAY,
    SMALLEST_DYNAMIC_SHARED,
    ZEROED_ROLES,
    Buffer,
    TemplateValue,
    nullable_constants,
)

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


def launch_of(task: Task, candidate: Candidate, case: Case) -> tuple[Launch, dict[str, TemplateValue]]:
    """A case's launch and template values under the candidate's numbers. Raises SpecError, ExpressionError."""
    spec = task.spec
    if candidate.grid:
        spec = replace(spec, grid=tuple(parse(each) for each in candidate.grid))
    if candidate.block:
        spec = replace(spec, block=tuple(parse(each) for each in candidate.block))
    resolved = resolve(spec, chosen(case, dict(candidate.numbers)))
    template = {name: _template_value(task, value) for name, value in resolved.case.template}
    template[DYNAMIC_SHARED] = max(resolved.launch.shared_bytes, SMALLEST_DYNAMIC_SHARED)
    template |= nullable_constants(task.interface.parameters, resolved.null)
    return resolved.launch, template


def _template_value(task: Task, value: int | bool | str) -> TemplateValue:
    """As MLX passes it: a type's name, a number, or the number that an enumerator stands for; a class that is part of
    the text stays as it is."""
    if not isinstance(value, str):
        return value
    found = dtype_of_cxx(value) or enumerator(task.original, value)
    return value if found is None else found


def kernel_text(
    task: Task, candidate: Candidate, template: Mapping[str, TemplateValue]
) -> tuple[str, KernelText]:
    """The generated Metal source, without MLX's preamble for the checker and with it for an executor."""
    binding = task.binding
    inputs = [
        Input(
            each.name,
            each.dtype(template),
            each.lanes if each.is_value else SMALLEST_DEVICE_ARRAY,
            0 if each.is_value and each.lanes == 1 else 1,
        )
        for each in binding.inputs
    ]
    outputs = [Output(each.name, each.dtype(template)) for each in binding.outputs]
    values = [(name, template[name]) for name in binding.template]
    name = candidate.kernel_name
    text = metal_source(name, inputs, outputs, values, candidate.header, candidate.body)
    entry = function_name(name, inputs, outputs, values)
    return text, KernelText("msl", PREAMBLE + text, entry)


@dataclass(frozen=True, slots=True)
class Bound:
    """Arguments in buffer order. Every array is memory of its own, so that nothing written stays unseen."""

    task: Task
    data: Inputs
    arguments: "Sequence[Array | Value]"
    read: "Mapping[str, Array]"  # what the kernel may only read, by buffer name
    written: "Mapping[str, Array]"

    def changed_inputs(self) -> list[str]:
        """Buffers that the kernel may only read and has written."""
        originals = {each.name: each for each in self.task.binding.inputs}
        return [
            name
            for name, array in self.read.items()
            if array.tobytes() != _buffer_data(originals[name], self.data).tobytes()
        ]

    def results(self) -> "dict[str, Array]":
        """Each output as CUDA's kernel would have left it."""
        import numpy as np

        found: dict[str, Array] = {}
        for each in self.task.binding.outputs:
            array, name = self.written[each.name], each.parameter.name
            if name in self.data.resolved.null:
                continue
            if each.parameter.role is Role.INOUT:
                before = self.data.buffers[name]
                array = (array.view(_bits(before)) ^ before.view(_bits(before))).view(before.dtype)
            elif each.parameter.role is Role.ACCUMULATED:
                dtype, before = self.data.dtypes[name], self.data.buffers[name]
                array = encode(decode(before, dtype) + decode(array, dtype), dtype)
            elif each.parameter.role is Role.RAISED:
                array = np.maximum(array, self.data.buffers[name])
            found[name] = array
        return found


def bind(task: Task, data: Inputs, *, fill: int, beside: Bound | None = None) -> Bound:
    """Fresh copies of the inputs, and outputs whose bytes are all `fill` (0xFF: NaN) unless MLX zeroes them.

    `beside`: another binding of the same data, whose copies of the inputs serve this one too.
    """
    import numpy as np

    arguments: list[Array | Value] = []
    read: dict[str, Array] = {}
    written: dict[str, Array] = {}
    values = {
        each.name: argument for each, argument in zip(data.resolved.arguments, data.arguments, strict=True)
    }
    for buffer in task.binding.inputs:
        if buffer.packed:
            arguments.append(_packed(buffer, values))
            continue
        value = values[buffer.parameter.name]
        if buffer.is_value and not buffer.is_size and isinstance(value, Value):
            arguments.append(value)
            continue
        read[buffer.name] = _buffer_data(buffer, data) if beside is None else beside.read[buffer.name]
        arguments.append(read[buffer.name])
    for buffer in task.binding.outputs:
        like = data.buffers.get(buffer.parameter.name)
        array = _of_null() if like is None else np.empty_like(like)
        zeroed = buffer.parameter.role in ZEROED_ROLES
        array.reshape(-1).view(np.uint8)[...] = 0 if zeroed else fill
        written[buffer.name] = array
        arguments.append(array)
    return Bound(task, data, arguments, read, written)


def _packed(buffer: Buffer, values: "Mapping[str, Array | Value]") -> Value:
    """The bytes of the scalars that a kernel with too many arguments gets as one array."""
    scalars = [values[each.name] for each in buffer.packed]
    return Value(b"".join(each.data for each in scalars if isinstance(each, Value)))


def _buffer_data(buffer: Buffer, data: Inputs) -> "Array":
    import numpy as np

    found = data.buffers.get(buffer.parameter.name)
    if buffer.is_size:
        return np.array(0 if found is None else found.size, np.uint32)
    return _of_null() if found is None else found.copy()


def _of_null() -> "Array":
    """What stands for a null pointer: MLX has none, so the module passes a small array."""
    import numpy as np

    return np.zeros(SMALLEST_DEVICE_ARRAY, np.uint64)


def _bits(array: "Array") -> str:
    return f"u{array.dtype.itemsize}"
