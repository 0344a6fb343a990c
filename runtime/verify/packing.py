"""A case's arguments as the emitted module would hand them to Metal, and its outputs as the caller gets them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cu2mlx.runtime.dtypes import CUDA_TYPES, decode, encode, is_float, storage
from cu2mlx.runtime.inputs import NULL_POINTER, Inputs
from cu2mlx.runtime.protocol import Value
from cu2mlx.runtime.spec import Resolved, ResolvedScalar
from cu2mlx.runtime.verify.enumerators import enumerator
from cu2mlx.transpiler.binding.dtypes import ITEM_SIZE
from cu2mlx.transpiler.binding.generator import Instance, generated_source
from cu2mlx.transpiler.binding.interface import KernelInterface, Role, TemplateParameter
from cu2mlx.transpiler.binding.signature import (
    DYNAMIC_SHARED,
    MAXIMUM_THREADGROUP_BYTES,
    SMALLEST_DEVICE_ARRAY,
    SMALLEST_DYNAMIC_SHARED,
    Buffer,
    TemplateValue,
    nullable_constants,
    signature,
)

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

_WORD = 4  # the kernels update 8 and 16-bit elements through words


class UnfitError(Exception):
    """A case that cannot be said to the translation; `skipped`: MLX itself could not say it either."""

    def __init__(self, message: str, *, skipped: bool = False) -> None:
        super().__init__(message)
        self.skipped = skipped


def instance_of(interface: KernelInterface, resolved: Resolved, cuda: str, *, narrow: bool) -> Instance:
    """The template values of a case. `cuda`: the text that declares enumerators; `narrow`: double was translated
    to float. Raises UnfitError."""
    given = dict(resolved.case.template)
    template: dict[str, TemplateValue] = {}
    for parameter in interface.template:
        if parameter.name not in given:
            raise UnfitError(f"the spec's [template] has no {parameter.name}")
        template[parameter.name] = _template_value(parameter, given[parameter.name], cuda, narrow=narrow)
    if resolved.launch.shared_bytes > MAXIMUM_THREADGROUP_BYTES:
        raise UnfitError(
            f"{resolved.launch.shared_bytes} bytes of shared memory; Metal has {MAXIMUM_THREADGROUP_BYTES}",
            skipped=True,
        )
    if interface.dynamic_shared:
        template[DYNAMIC_SHARED] = max(resolved.launch.shared_bytes, SMALLEST_DYNAMIC_SHARED)
    return Instance(template | nullable_constants(interface.parameters, resolved.null))


def _template_value(
    parameter: TemplateParameter, given: TemplateValue, cuda: str, *, narrow: bool
) -> TemplateValue:
    if parameter.kind == "type":
        dtype = CUDA_TYPES.get(str(given))
        if dtype == "float64" and narrow:
            return "float32"
        if dtype is None or dtype == "float64":
            raise UnfitError(f"{parameter.name} = {given}: MLX has no such element type", skipped=True)
        return dtype
    if isinstance(given, str):
        number = int(given) if given.lstrip("-").isdigit() else enumerator(cuda, given)
        if number is None:
            raise UnfitError(f"{parameter.name} = {given!r} is no number; give the spec its value")
        given = number
    return bool(given) if parameter.kind == "bool" else given


@dataclass(frozen=True, slots=True)
class Packed:
    """`arguments` in buffer order; `outputs`: each made array by its parameter's name."""

    instance: Instance
    text: str
    entry: str
    arguments: "tuple[Array | Value, ...]"
    outputs: "Mapping[str, tuple[Buffer, Array]]"


def pack(interface: KernelInterface, instance: Instance, inputs: Inputs) -> Packed:
    """Arguments for the text of one instance. Raises UnfitError where the spec does not fit the kernel."""
    bound = signature(interface)
    given = dict(zip((each.name for each in inputs.resolved.arguments), inputs.arguments, strict=True))
    for parameter in interface.parameters:
        if parameter.name not in given:
            raise UnfitError(f"the spec describes no argument {parameter.name}; add [args.{parameter.name}]")
        if given[parameter.name] is NULL_POINTER and not parameter.nullable:
            message = (
                f"{parameter.name} is null, but neither the kernel nor a launch in its file allows for that"
            )
            raise UnfitError(message, skipped=True)
    values = {each.name: each for each in inputs.resolved.arguments if isinstance(each, ResolvedScalar)}
    arguments: list[Array | Value] = []
    for buffer in bound.inputs:
        name, dtype = buffer.parameter.name, buffer.dtype(instance.template)
        if buffer.is_size:
            arguments.append(_size(buffer, inputs, instance))
        elif buffer.packed:
            arguments.append(Value(b"".join(_number(values, each.name, dtype) for each in buffer.packed)))
        elif name in values and buffer.lanes == 1:  # a number, in the parameter's own dtype
            arguments.append(Value(_number(values, name, dtype)))
        elif name in values:  # a vector or a record: its bytes
            arguments.append(given[name])
        else:
            array = _padded(_narrowed(inputs, name, dtype), dtype)
            array.flags.writeable = False
            arguments.append(array)
    outputs: dict[str, tuple[Buffer, Array]] = {}
    for buffer in bound.outputs:
        name, dtype = buffer.parameter.name, buffer.dtype(instance.template)
        first = _padded(_narrowed(inputs, name, _element(buffer, instance)), dtype)
        if buffer.parameter.role is Role.OWNED:
            first[...] = 0xFF  # nobody has written there yet: the body copies from the input
        elif buffer.parameter.role is not Role.OUT:
            first[...] = 0
        outputs[name] = (buffer, first)
        arguments.append(first)
    text = generated_source(interface, instance)
    entry = re.search(r"\[\[kernel\]\] void (\w+)\(", text)
    assert entry is not None, "the generator always names its kernel"
    return Packed(instance, text, entry[1], tuple(arguments), outputs)


def results(packed: Packed, inputs: Inputs, launched: bool) -> "tuple[dict[str, Array], dict[str, str]]":
    """Each output as the module's caller gets it, with its dtype. Not `launched`: an empty grid."""
    arrays: dict[str, Array] = {}
    dtypes: dict[str, str] = {}
    for name, (buffer, made) in packed.outputs.items():
        if name in inputs.resolved.null:
            continue
        before, dtype = inputs.buffers[name], inputs.dtypes[name]
        if dtype == "float64" and _element(buffer, packed.instance) == "float32":
            before, dtype = encode(before, "float32"), "float32"
        dtypes[name] = dtype
        arrays[name] = _result(before, made, dtype, buffer.parameter.role) if launched else before
    return arrays, dtypes


def _result(before: "Array", made: "Array", dtype: str, role: Role) -> "Array":
    new = made[: before.nbytes].view(before.dtype).reshape(before.shape)
    if role is Role.INOUT:
        import numpy as np

        bits = np.ascontiguousarray(before).view(np.uint8) ^ np.ascontiguousarray(new).view(np.uint8)
        return bits.view(before.dtype).reshape(before.shape)
    if role is Role.ACCUMULATED:
        if is_float(dtype):
            return encode(decode(before, dtype) + decode(new, dtype), dtype)
        total: Array = before + new
        return total
    if role is Role.RAISED:
        import numpy as np

        greater: Array = np.maximum(before, new)
        return greater
    return new


def _number(values: Mapping[str, ResolvedScalar], name: str, dtype: str) -> bytes:
    import numpy as np

    if name not in values:
        raise UnfitError(f"{name} is a number to the kernel; give [args.{name}] a value")
    return encode(np.array(values[name].values), dtype).tobytes()


def _size(buffer: Buffer, inputs: Inputs, instance: Instance) -> Value:
    """`cu_size_of_x`: the number of elements of the parameter's dtype."""
    dtype = _element(buffer, instance)
    count = _narrowed(inputs, buffer.parameter.name, dtype).nbytes // ITEM_SIZE[dtype]
    return Value(count.to_bytes(4, "little"))


def _element(buffer: Buffer, instance: Instance) -> str:
    """The dtype of the parameter that a buffer serves."""
    return str(instance.template.get(buffer.parameter.dtype, buffer.parameter.dtype))


def _narrowed(inputs: Inputs, name: str, dtype: str) -> "Array":
    """A buffer as the translation stores it: double as float where it was translated so, else its bytes."""
    if name in inputs.resolved.null:
        import numpy as np

        return np.zeros(0, np.uint8)  # the module passes an array that nothing is read from
    if name not in inputs.buffers:
        raise UnfitError(f"{name} is a buffer of the kernel; give [args.{name}] a shape")
    array = inputs.buffers[name]
    return encode(array, "float32") if inputs.dtypes[name] == "float64" and dtype == "float32" else array


def _padded(array: "Array", dtype: str) -> "Array":
    """The bytes, with room for as many elements as the module makes sure of."""
    import numpy as np

    size = max(array.nbytes, SMALLEST_DEVICE_ARRAY * storage(dtype).itemsize)
    padded = np.zeros(-(-size // _WORD) * _WORD, np.uint8)
    padded[: array.nbytes] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
    return padded
