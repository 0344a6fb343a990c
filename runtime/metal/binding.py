"""A full MSL kernel text as what mx.fast.metal_kernel takes to generate that text: header, body and names."""

import re
from dataclasses import dataclass

from cu2mlx.runtime.msl.kernels import Parameter, find_kernel
from cu2mlx.runtime.protocol import CompileError
from cu2mlx.transpiler.binding.dtypes import METAL_SPELLING, MLX_SPELLING
from cu2mlx.transpiler.binding.generator import SHAPE_ARGUMENTS
from cu2mlx.transpiler.binding.signature import MAXIMUM_BUFFERS, TemplateValue

_DTYPES = {
    **{spelling: dtype for dtype, spelling in METAL_SPELLING.items()},
    **{spelling: dtype for dtype, spelling in MLX_SPELLING.items()},
}
# What MLX puts before a kernel by itself, and a text that stands alone brings along.
_PREAMBLE = re.compile(
    r"^[ \t]*(?:#include <metal_stdlib>|using namespace metal;|typedef half float16_t;|"
    r"typedef bfloat bfloat16_t;|#line 1)[ \t]*\n",
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Array:
    """One buffer as MLX binds it; `scalar`: a 0-d array, which the kernel takes as a reference."""

    name: str
    dtype: str
    scalar: bool


@dataclass(frozen=True, slots=True)
class Bound:
    """`template`: values in order, dtypes by name. `first_line`: how many lines of the text precede the header."""

    inputs: tuple[Array, ...]
    outputs: tuple[Array, ...]
    template: tuple[tuple[str, TemplateValue], ...]
    header: str
    body: str
    first_line: int


def bind(text: str, entry: str) -> Bound:
    """Take apart a text as MLX generates it (with or without its preamble).

    Raises CompileError for a text that MLX's generator cannot give: another order of buffers, threadgroup
    arguments, more than 31 buffers.
    """
    try:
        kernel, instance = find_kernel(text, entry)
    except LookupError as error:
        raise CompileError(str(error)) from None
    head = re.search(
        rf"(?:^template <[^\n]*>\n)?^\[\[kernel\]\] void {re.escape(kernel.name)}\(.*?\) \{{\n",
        text,
        re.M | re.S,
    )
    if head is None:
        raise CompileError(f"{kernel.name} is not written as MLX writes kernels")
    # The body's own closing braces stand before the last one: that of the kernel, or of its instantiation.
    end = text.rfind("\n}\n", head.end() - 1)
    preamble = "".join(match[0] for match in _PREAMBLE.finditer(text[: head.start()]))
    header = _PREAMBLE.sub("", text[: head.start()])
    values = _arguments(instance)
    if len(values) != len(kernel.template):
        raise CompileError(f"{entry}: {len(values)} template arguments, {len(kernel.template)} parameters")
    bools = set(re.findall(r"\bbool (\w+)", head[0].partition("\n")[0]))
    template = tuple(
        (name, bool(value) if name in bools else value)
        for name, value in zip(kernel.template, values, strict=True)
    )
    buffers = [each for each in kernel.parameters if each.is_buffer]
    if any(each.address_space == "threadgroup" for each in kernel.parameters):
        raise CompileError(
            f"{kernel.name}: MLX passes no threadgroup memory as an argument; declare it inside"
        )
    if len(buffers) > MAXIMUM_BUFFERS:
        raise CompileError(f"{kernel.name} has {len(buffers)} buffers; Metal binds {MAXIMUM_BUFFERS}")
    types = {name: str(value) for name, value in template}
    inputs = [each for each in buffers if "const" in each.type.split()]
    outputs = [each for each in buffers if "const" not in each.type.split()]
    if buffers != [*inputs, *outputs]:
        raise CompileError(f"{kernel.name}: MLX binds inputs (const) before outputs")
    arrays = [_array(each, types) for each in inputs if not _is_shape(each, inputs)]
    return Bound(
        tuple(arrays), tuple(_array(each, types) for each in outputs), template, header,
        text[head.end() : end], preamble.count("\n"),
    )  # fmt: skip


def _is_shape(parameter: Parameter, inputs: list[Parameter]) -> bool:
    """A shape argument, which MLX adds by itself for an input it follows."""
    names = {other.name + suffix for other in inputs for suffix, _ in SHAPE_ARGUMENTS}
    return parameter.name in names


def _array(parameter: Parameter, types: dict[str, str]) -> Array:
    element = re.sub(r"\bconst\b|[*&]", "", parameter.type).strip()
    dtype = types.get(element) or _DTYPES.get(element)
    if dtype is None:
        raise CompileError(f"{parameter.name}: MLX has no arrays of {element}")
    return Array(parameter.name, dtype, parameter.is_reference)


def _arguments(instance: str) -> list[TemplateValue]:
    """Template arguments of "k<float, 128>" as MLX is given them."""
    _, found, arguments = instance.partition("<")
    if not found:
        return []
    given = [each.strip() for each in arguments.rstrip("> ").split(",")]
    return [_DTYPES[each] if each in _DTYPES else int(each) for each in given]
