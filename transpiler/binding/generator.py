"""The Metal source that MLX 0.32.4 generates for a kernel: a replica of mx.fast.metal_kernel's generator.

It lets the type-checker and the executors see the exact text that Metal would get, without MLX installed.
Observed with `verbose=True` under mx.export_function; tests/binding compares both byte for byte.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from cu2mlx.transpiler.binding.dtypes import MLX_SPELLING
from cu2mlx.transpiler.binding.interface import KernelInterface
from cu2mlx.transpiler.binding.signature import SMALLEST_DEVICE_ARRAY, TemplateValue, signature

# Kernel attributes that MLX looks for in the body, in the order in which it appends them, and their types.
ATTRIBUTES: tuple[tuple[str, str], ...] = (
    ("dispatch_quadgroups_per_threadgroup", "uint"),
    ("dispatch_simdgroups_per_threadgroup", "uint"),
    ("dispatch_threads_per_threadgroup", "uint3"),
    ("grid_origin", "uint3"),
    ("grid_size", "uint3"),
    ("quadgroup_index_in_threadgroup", "uint"),
    ("quadgroups_per_threadgroup", "uint"),
    ("simdgroup_index_in_threadgroup", "uint"),
    ("simdgroups_per_threadgroup", "uint"),
    ("thread_execution_width", "uint"),
    ("thread_index_in_quadgroup", "uint"),
    ("thread_index_in_simdgroup", "uint"),
    ("thread_index_in_threadgroup", "uint"),
    ("thread_position_in_grid", "uint3"),
    ("thread_position_in_threadgroup", "uint3"),
    ("threadgroup_position_in_grid", "uint3"),
    ("threadgroups_per_grid", "uint3"),
    ("threads_per_grid", "uint3"),
    ("threads_per_simdgroup", "uint"),
    ("threads_per_threadgroup", "uint3"),
)

# Shape arguments of an input: suffix, type as declared.
SHAPE_ARGUMENTS = (("_shape", "int*"), ("_strides", "int64_t*"), ("_ndim", "int&"))


@dataclass(frozen=True, slots=True)
class Input:
    """An input array as MLX sees it: its dtype, number of elements and number of dimensions."""

    name: str
    dtype: str
    size: int
    ndim: int = 1


@dataclass(frozen=True, slots=True)
class Output:
    name: str
    dtype: str


@dataclass(frozen=True, slots=True)
class Instance:
    """One instantiation of a kernel: a value for every template parameter, types by MLX dtype name."""

    template: Mapping[str, TemplateValue] = field(default_factory=dict)


def generated_source(interface: KernelInterface, instance: Instance) -> str:
    """The full Metal source of one instance, as the emitted module makes MLX generate it.

    The module hands buffers over as arrays of at least SMALLEST_DEVICE_ARRAY elements and values as 0-d
    arrays (vector values as 1-d arrays), so the text depends on nothing but the template values.
    Raises ValueError where a template value is missing.
    """
    kernel = signature(interface)
    missing = [name for name in kernel.template if name not in instance.template]
    if missing:
        raise ValueError(f"{interface.name}: no value for template parameter {', '.join(missing)}")
    inputs = []
    for buffer in kernel.inputs:
        size = buffer.lanes if buffer.is_value else SMALLEST_DEVICE_ARRAY
        ndim = 0 if buffer.is_value and size == 1 else 1
        inputs.append(Input(buffer.name, buffer.dtype(instance.template), size, ndim))
    outputs = [Output(buffer.name, buffer.dtype(instance.template)) for buffer in kernel.outputs]
    template = [(name, instance.template[name]) for name in kernel.template]
    return metal_source(kernel.name, inputs, outputs, template, kernel.header, kernel.body)


def metal_source(
    name: str,
    inputs: Sequence[Input],
    outputs: Sequence[Output],
    template: Sequence[tuple[str, TemplateValue]],
    header: str,
    body: str,
    *,
    atomic_outputs: bool = False,
) -> str:
    """What mx.fast.metal_kernel(name, …)(…) generates, byte for byte, its malformed signatures included."""
    values = [_template_value(value) for _, value in template]
    function = function_name(name, inputs, outputs, template)
    text = header
    if template:
        text += f"template <{', '.join(f'{_template_kind(value)} {key}' for key, value in template)}>\n"
    text += f"[[kernel]] void {function}(\n{_arguments(inputs, outputs, body, atomic_outputs)}{body}\n}}\n"
    if template:
        instance = f"{function}<{', '.join(values)}>"
        text += f'\ntemplate [[host_name("{function}")]] [[kernel]] decltype({instance}) {instance};\n'
    return text


def function_name(
    name: str,
    inputs: Sequence[Input],
    outputs: Sequence[Output],
    template: Sequence[tuple[str, TemplateValue]],
) -> str:
    """The name of the Metal function, and its host name where it is a template."""
    parts = [f"custom_kernel_{name}"]
    if template:
        values = [re.sub(r"[^A-Za-z0-9_]", "_", _template_value(value)) for _, value in template]
        parts.append("".join(f"_{value}" for value in values))
    for item in inputs:
        place = "s" if item.ndim == 0 else "c" if item.size < SMALLEST_DEVICE_ARRAY else ""
        parts.append(MLX_SPELLING[item.dtype] + place)
    parts += [MLX_SPELLING[item.dtype] for item in outputs]
    return "_".join(parts)


def _arguments(inputs: Sequence[Input], outputs: Sequence[Output], body: str, atomic_outputs: bool) -> str:
    """The argument list with the closing parenthesis and the opening brace."""
    attributes = [(name, kind) for name, kind in ATTRIBUTES if name in body]
    buffers = 0
    text = ""
    for item in inputs:
        space = "constant" if item.size < SMALLEST_DEVICE_ARRAY else "device"
        mark = "&" if item.ndim == 0 else "*"
        declarations = [f"const {space} {MLX_SPELLING[item.dtype]}{mark} {item.name}"]
        if item.ndim:
            for suffix, kind in SHAPE_ARGUMENTS:
                if item.name + suffix in body:
                    declarations.append(f"const constant {kind} {item.name}{suffix}")
        for declaration in declarations:
            text += f"  {declaration} [[buffer({buffers})]],\n"
            buffers += 1
    for output in outputs:
        kind = MLX_SPELLING[output.dtype]
        pointee = f"atomic<{kind}>" if atomic_outputs else kind
        text += f"  device {pointee}* {output.name} [[buffer({buffers})]]"
        # MLX compares with the arrays, not with the buffers: shape arguments close the list too early.
        is_inner = attributes or buffers < len(inputs) + len(outputs) - 1
        text += ",\n" if is_inner else ") {\n"
        buffers += 1
    if attributes:
        text += ",\n".join(f"  {kind} {name} [[{name}]]" for name, kind in attributes) + ") {\n"
    return text


def _template_kind(value: TemplateValue) -> str:
    if isinstance(value, bool):
        return "bool"
    return "int" if isinstance(value, int) else "typename"


def _template_value(value: TemplateValue) -> str:
    return str(int(value)) if isinstance(value, int) else MLX_SPELLING[value]
