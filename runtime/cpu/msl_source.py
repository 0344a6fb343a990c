"""MSL made C++ for the CPU machine: text in, one translation unit out, line numbers kept."""

import re
from collections.abc import Iterator, Mapping

from cu2mlx.runtime.msl.erase import Declarator, erase, function_constants
from cu2mlx.runtime.msl.kernels import Kernel, Parameter, find_kernel
from cu2mlx.runtime.protocol import CompileError

_SWIZZLE = re.compile(r"\.\s*([xyzw]{2,4}|[rgba]{2,4})\b(?=(\s*(?:[-+*/%&|^]|<<|>>)?=(?!=))?)")
# A text that defines one of these brings MLX's preamble itself.
_MLX_PREAMBLE = re.compile(r"\b(?:typedef|using|struct)\b[^;{]*\b(?:bfloat16_t|complex64_t|complex_t)\b")
_COMPONENTS = {name: index for names in ("xyzw", "rgba") for index, name in enumerate(names)}


def translation_unit(text: str, entry: str, constants: Mapping[int, str], *, unrolled: bool = False) -> str:
    """C++ for the engine that runs `entry`. The text's lines keep their numbers, in "kernel.metal". `unrolled`: with
    the pragmas that unroll loops.

    Raises CompileError where the text has no such kernel or the kernel takes what cannot be given.
    """
    try:
        kernel, instance = find_kernel(text, entry)
    except LookupError as error:
        raise CompileError(str(error)) from None
    body = erase(text, _shared, constants, unrolled=unrolled)
    preamble = [] if _MLX_PREAMBLE.search(text) else ['#include "msl/mlx.h"']
    left_out = _left_out(kernel, function_constants(text), constants)
    return "\n".join([
        *_swizzles(body), '#include "msl/metal_stdlib.h"', *preamble, '#line 1 "kernel.metal"', body,
        '#line 1 "entry"', *_entry(kernel, instance, left_out), "",
    ])  # fmt: skip


def _shared(variable: Declarator) -> str:
    return f"auto& {variable.name} = ::engine::shared<{variable.type}{variable.dimensions}>([] {{}});"


def _swizzles(body: str) -> Iterator[str]:
    """The members that the vectors need for the swizzles of this text."""
    used: dict[str, bool] = {}
    for match in _SWIZZLE.finditer(body):
        used[match[1]] = used.get(match[1], False) or match[2] is not None
    for size in (2, 3, 4):
        members = []
        for name, written in sorted(used.items()):
            indices = [_COMPONENTS[letter] for letter in name]
            if max(indices) < size:
                kind = "SWIZZLE_WRITTEN" if written else "SWIZZLE"
                members.append(f"{kind}({name}, {', '.join(map(str, indices))})")
        yield f"#define MSL_SWIZZLES_{size} {' '.join(members)}"
    if any(used.values()):
        yield "#define MSL_ASSIGNS_SWIZZLES"


# Attributes that bind no buffer: how the entry gets their values.
_BUILTIN = re.compile(r"(dispatch_)?(thread|simd|quad|grid)\w+")


def _entry(kernel: Kernel, instance: str, left_out: set[str]) -> Iterator[str]:
    """A function of the kernel's buffers, in the order of their indices, that calls the kernel."""
    position = {parameter.name: index for index, parameter in enumerate(kernel.parameters)}
    given = [position[each.name] for each in kernel.buffers() if each.name not in left_out]
    parameters = ", ".join(f"msl::buffer<msl_kernel, {index}> b{index}" for index in given)
    arguments = ", ".join(_argument(each, index, left_out) for index, each in enumerate(kernel.parameters))
    yield f"using msl_kernel = decltype(&{instance});"
    yield f"static void msl_entry({parameters}) {{ ({instance})({arguments}); }}"
    yield "ENGINE_ENTRY(msl_entry)"


def _argument(parameter: Parameter, index: int, left_out: set[str]) -> str:
    type_ = f"msl::parameter<msl_kernel, {index}>"
    if parameter.is_buffer:
        return f"msl::absent<{type_}>()" if parameter.name in left_out else f"msl::pass<{type_}>(b{index})"
    if parameter.attribute("threadgroup") is not None:
        if parameter.attribute("threadgroup") != "0":
            raise CompileError(
                f"parameter {parameter.name}: only one [[threadgroup(0)]] argument can be given"
            )
        return f"msl::threadgroup_buffer<{type_}>()"
    for attribute in parameter.attributes:
        if _BUILTIN.fullmatch(attribute.name):
            return f"msl::attribute<{type_}>(msl::{attribute.name}())"
    raise CompileError(f"kernel parameter {parameter.name} is neither a buffer nor a known attribute")


def _left_out(kernel: Kernel, named: Mapping[str, int], constants: Mapping[int, str]) -> set[str]:
    """Buffers that a function constant leaves out: [[function_constant(c)]] where c is not true."""
    names = set()
    for parameter in kernel.buffers():
        condition = parameter.attribute("function_constant")
        if condition is None:
            continue
        if condition not in named:
            raise CompileError(f"parameter {parameter.name}: {condition} must itself be a function constant")
        if constants.get(named[condition], "false") in ("false", "0"):
            names.add(parameter.name)
    return names
