"""The readable Metal file: all kernels of a source file with the signatures under which MLX binds them."""

import re
from collections.abc import Iterator, Sequence

from cu2mlx.transpiler.binding.dtypes import BITS_OF_SIZE, ITEM_SIZE, METAL_SPELLING
from cu2mlx.transpiler.binding.generator import ATTRIBUTES
from cu2mlx.transpiler.binding.interface import KernelInterface
from cu2mlx.transpiler.binding.signature import (
    DYNAMIC_SHARED,
    Buffer,
    ascii_source,
    nullable_constants,
    signature,
)

_SUPPORT = re.compile(r"namespace cu \{\n(.*)\n\}  // namespace cu", re.DOTALL)
_START = "#include <metal_stdlib>\nusing namespace metal;\n"


def emit_metal(interfaces: Sequence[KernelInterface]) -> str:
    """One Metal file with every kernel; what several headers share stands once. ASCII."""
    kernels = [_kernel(interface) for interface in interfaces]
    parts = [_START]
    support: dict[str, None] = {}
    own: dict[str, None] = {}
    for interface in interfaces:
        for part in top_level_parts(signature(interface).header):
            library = _SUPPORT.fullmatch(part)
            if library is not None:
                support.update(dict.fromkeys(top_level_parts(library[1])))
            else:
                own[part] = None
    if support:
        inside = "\n\n".join(support)
        parts.append(f"namespace cu {{\n\n{inside}\n\n}}  // namespace cu\n")
    return "\n".join([*parts, *(part + "\n" for part in own), *kernels])


def top_level_parts(text: str) -> Iterator[str]:
    """Pieces of C++ text between blank lines that are outside all braces and `#if` blocks."""
    lines: list[str] = []
    depth = 0
    for line in text.split("\n"):
        if not line.strip() and depth == 0:
            if lines:
                yield "\n".join(lines)
            lines = []
            continue
        lines.append(line)
        code = re.sub(r"//.*|\"(\\.|[^\"\\])*\"|'(\\.|[^'\\])+'", "", line)
        depth += code.count("{") - code.count("}")
        depth += len(re.findall(r"^\s*#\s*if", code)) - len(re.findall(r"^\s*#\s*endif", code))
    if lines:
        yield "\n".join(lines)


def _kernel(interface: KernelInterface) -> str:
    bound = signature(interface)
    kinds = {parameter.name: parameter.kind for parameter in interface.template}
    kinds |= dict.fromkeys(nullable_constants(interface.parameters), "bool")
    text = "".join(f"// {line}".rstrip() + "\n" for line in _comment(interface))
    if bound.template:
        spelled = [
            f"{'typename' if kinds.get(n) == 'type' else kinds.get(n, 'int')} {n}" for n in bound.template
        ]
        text += f"template <{', '.join(spelled)}>\n"
    arguments = [f"    {_declaration(b, is_input=True)}" for b in bound.inputs]
    arguments += [f"    {_declaration(b, is_input=False)}" for b in bound.outputs]
    arguments = [f"{argument} [[buffer({place})]]" for place, argument in enumerate(arguments)]
    arguments += [f"    {kind} {name} [[{name}]]" for name, kind in ATTRIBUTES if name in bound.body]
    body = "\n".join(
        f"  {line}" if line and line[0] != "#" else line for line in bound.body.strip("\n").split("\n")
    )
    return text + f"[[kernel]] void {interface.name}(\n" + ",\n".join(arguments) + f") {{\n{body}\n}}\n"


def _comment(interface: KernelInterface) -> list[str]:
    lines = ascii_source(interface.documentation).strip().splitlines()
    if interface.dynamic_shared:
        lines.append(f"{DYNAMIC_SHARED}: the launch's dynamic shared memory")
    lines += [f"{p.given}: whether {p.name} is given" for p in interface.parameters if p.nullable]
    return lines


def _declaration(buffer: Buffer, *, is_input: bool) -> str:
    kind = _type(buffer)
    if not is_input:
        return f"device {kind}* {buffer.name}"
    if not buffer.is_value:
        return f"const device {kind}* {buffer.name}"
    return f"const constant {kind}{'&' if buffer.lanes == 1 else '*'} {buffer.name}"


def _type(buffer: Buffer) -> str:
    """Metal's name of the element type; a template type parameter keeps its own."""
    dtype = "uint32" if buffer.is_size else buffer.parameter.dtype
    if not buffer.bits:
        return METAL_SPELLING.get(dtype, dtype)
    if dtype in ITEM_SIZE:
        return METAL_SPELLING[BITS_OF_SIZE[ITEM_SIZE[dtype]]]
    return f"typename cu::inout_ptr<{dtype}>::bits"
