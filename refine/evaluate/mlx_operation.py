"""Kernels as operations of MLX: functions from a case's arrays, by parameter, to outputs that nothing has run yet."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.binding import Bound, kernel_text, launch_of
from cu2mlx.refine.task import Task
from cu2mlx.runtime.dtypes import storage
from cu2mlx.runtime.inputs import Inputs
from cu2mlx.runtime.protocol import Value
from cu2mlx.runtime.spec import Case
from cu2mlx.transpiler.binding.interface import Role
from cu2mlx.transpiler.binding.signature import SMALLEST_DEVICE_ARRAY, ZEROED_ROLES, Buffer, TemplateValue

if TYPE_CHECKING:
    import mlx.core as mx
    import numpy as np

    Array = np.ndarray[Any, Any]
    Arrays = Mapping[str, mx.array]
    Operation = Callable[[Arrays], Arrays]


def arrays_of(data: Inputs) -> "dict[str, mx.array]":
    """Each buffer of a case, with the shape and type that its spec says, in the device's own memory.

    What MLX's CUDA back end makes of the host's data stays in managed memory, which every kernel then reads slowly,
    and which it gives to later arrays once it is free.
    """
    import mlx.core as mx

    of_host = {name: to_mlx(array, data.dtypes[name]) for name, array in data.buffers.items()}
    arrays = {name: _copied(array) for name, array in of_host.items()}
    mx.eval(list(arrays.values()))
    of_host.clear()
    mx.clear_cache()
    return arrays


def _copied(array: "mx.array") -> "mx.array":
    """The same bits in an array that an operation has made."""
    import mlx.core as mx

    if not array.size:
        return array
    bits = array.view({1: mx.uint8, 2: mx.uint16, 4: mx.uint32, 8: mx.uint64}[array.itemsize])
    return (bits + mx.array(0, bits.dtype)).view(array.dtype)


def to_mlx(array: "Array", dtype: str) -> "mx.array":
    import mlx.core as mx

    made = mx.array(array)
    return made.view(mx.bfloat16) if dtype == "bfloat16" else made


def from_mlx(array: "mx.array") -> "Array":
    """As stored: bfloat16 as its bits."""
    import mlx.core as mx
    import numpy as np

    return np.array(array.view(mx.uint16) if array.dtype == mx.bfloat16 else array)


def mlx_dtype(name: str) -> "mx.Dtype":
    import mlx.core as mx

    dtype: mx.Dtype = getattr(mx, "bool_" if name == "bool" else name)
    return dtype


def metal_operation(
    metal_kernel: Callable[..., Any], task: Task, candidate: Candidate, case: Case, bound: Bound
) -> "Operation":
    """Through mx.fast.metal_kernel or what stands in for it. Outputs by buffer name, flat."""
    launch, template = launch_of(task, candidate, case)
    binding = task.binding
    kernel = metal_kernel(
        name=candidate.kernel_name,
        input_names=[each.name for each in binding.inputs],
        output_names=[each.name for each in binding.outputs],
        source=candidate.body,
        header=candidate.header,
    )
    given = _given(task, bound, template, by_value=False)
    options = {
        "output_shapes": [(array.size,) for array in bound.written.values()],
        "output_dtypes": [mlx_dtype(each.dtype(template)) for each in binding.outputs],
        "grid": tuple(groups * size for groups, size in zip(launch.grid, launch.block, strict=True)),
        "threadgroup": launch.block,
        "template": [(name, _template_value(template[name])) for name in binding.template] or None,
        "init_value": _initial(task),
    }

    def operation(arrays: "Arrays") -> "Arrays":
        made = kernel(inputs=_inputs(task, arrays, given), **options)
        return dict(zip(bound.written, made, strict=True))

    return operation


def cuda_operation(task: Task, candidate: Candidate, case: Case, bound: Bound) -> "Operation":
    """The MSL text compiled by NVRTC, in MLX's CUDA back end. Outputs by buffer name, flat."""
    from cu2mlx.runtime.cuda.mlx_operation import Fresh, MlxOperation
    from cu2mlx.runtime.protocol import Launch

    launch, template = launch_of(task, candidate, case)
    _, text = kernel_text(task, candidate, template)
    kernel = MlxOperation(text)
    given = _given(task, bound, template, by_value=True)
    outputs = [
        Fresh((array.size,), mlx_dtype(buffer.dtype(template)))
        for array, buffer in zip(bound.written.values(), task.binding.outputs, strict=True)
    ]
    blocks = Launch(launch.grid, launch.block)  # dynamic shared memory is an array of the text's own

    def operation(arrays: "Arrays") -> "Arrays":
        made = kernel([*_inputs(task, arrays, given), *outputs], blocks, init_value=_initial(task))
        return dict(zip(bound.written, made, strict=True))

    return operation


def original_operation(task: Task, data: Inputs) -> "Operation":
    """The CUDA kernel in MLX's CUDA back end; a buffer that it reads and writes is copied first."""
    from cu2mlx.runtime.cuda.mlx_operation import Changed, Fresh, MlxOperation
    from cu2mlx.runtime.spec import cuda_kernel

    kernel = MlxOperation(cuda_kernel(data.resolved, task.original))
    roles = {each.name: each.role for each in task.interface.parameters}
    written = [name for name in data.buffers if roles[name] is not Role.IN]

    def argument(name: str, value: "Array | Value", arrays: "Arrays") -> "Fresh | Changed | mx.array | Value":
        if isinstance(value, Value):
            return value
        if roles[name] is Role.OUT:
            return Fresh(arrays[name].shape, arrays[name].dtype)
        return arrays[name] if roles[name] is Role.IN else Changed(arrays[name])

    def operation(arrays: "Arrays") -> "Arrays":
        named = zip(data.resolved.arguments, data.arguments, strict=True)
        arguments = [argument(each.name, value, arrays) for each, value in named]
        return dict(zip(written, kernel(arguments, data.launch), strict=True))

    return operation


def _initial(task: Task) -> int | None:
    return 0 if any(each.parameter.role in ZEROED_ROLES for each in task.binding.outputs) else None


def _template_value(value: TemplateValue) -> "int | bool | mx.Dtype":
    return mlx_dtype(value) if isinstance(value, str) else value


def _given(
    task: Task, bound: Bound, template: Mapping[str, TemplateValue], *, by_value: bool
) -> "dict[str, mx.array | Value]":
    """The arguments that are no buffers of the case, by buffer name: values, sizes, what stands for a null pointer.
    `by_value`: values stay as they are, else they are arrays too."""
    given: dict[str, mx.array | Value] = {}
    for argument, buffer in zip(bound.arguments, task.binding.inputs, strict=False):
        if isinstance(argument, Value):
            given[buffer.name] = argument if by_value else _array(argument, buffer, template)
        elif buffer.is_size:
            given[buffer.name] = to_mlx(argument, buffer.dtype(template))
        elif buffer.parameter.name not in bound.data.buffers:
            given[buffer.name] = _with_room(to_mlx(argument, buffer.dtype(template)))
    return given


def _array(value: Value, buffer: Buffer, template: Mapping[str, TemplateValue]) -> "mx.array":
    import numpy as np

    dtype = buffer.dtype(template)
    numbers = np.frombuffer(value.data, storage(dtype))
    return to_mlx(np.asarray(numbers[0]) if buffer.lanes == 1 else numbers, dtype)


def _inputs(
    task: Task, arrays: "Arrays", given: "Mapping[str, mx.array | Value]"
) -> "list[mx.array | Value]":
    """In the order of the buffers. Their shapes do not matter: kernels count elements."""
    return [
        given[each.name] if each.name in given else _with_room(arrays[each.parameter.name])
        for each in task.binding.inputs
    ]


def _with_room(array: "mx.array") -> "mx.array":
    """As the emitted module passes it: MLX has smaller arrays in another address space."""
    import mlx.core as mx

    if array.size >= SMALLEST_DEVICE_ARRAY:
        return array
    return mx.pad(array.reshape(-1), (0, SMALLEST_DEVICE_ARRAY - array.size))
