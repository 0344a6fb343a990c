"""A kernel as MLX binds it: arrays in buffer order, template arguments, a unique name, ASCII text."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from cu2mlx.transpiler.binding.dtypes import BITS_OF_SIZE, ITEM_SIZE
from cu2mlx.transpiler.binding.interface import KernelInterface, Parameter, Role

MAXIMUM_BUFFERS = 31
MAXIMUM_THREADS = 1024
MAXIMUM_THREADGROUP_BYTES = 32_768
# Arrays with fewer elements than this arrive in `constant` memory: the launcher pads them to it.
SMALLEST_DEVICE_ARRAY = 8

DYNAMIC_SHARED = "dynamic_shared_bytes"
ZEROED_ROLES = frozenset({Role.INOUT, Role.ACCUMULATED})
OUTPUT_ROLES = frozenset({Role.OUT, Role.OWNED, Role.INOUT, Role.ACCUMULATED})

TemplateValue = str | int | bool


@dataclass(frozen=True, slots=True)
class Buffer:
    """One array argument: `name` is MLX's, `parameter` the CUDA parameter that it serves.

    `bits`: the array has the unsigned type of the same size instead of the parameter's dtype.
    """

    name: str
    parameter: Parameter
    bits: bool = False

    def dtype(self, template: Mapping[str, TemplateValue]) -> str:
        """The MLX dtype under these template values (type parameters are given as MLX dtype names)."""
        dtype = str(template.get(self.parameter.dtype, self.parameter.dtype))
        if dtype not in ITEM_SIZE:
            raise ValueError(f"{self.parameter.name}: no dtype for template type parameter {dtype}")
        return BITS_OF_SIZE[ITEM_SIZE[dtype]] if self.bits else dtype


@dataclass(frozen=True, slots=True)
class Signature:
    """What mx.fast.metal_kernel is given. `template` are the names of its template arguments, in order."""

    name: str
    inputs: tuple[Buffer, ...]
    outputs: tuple[Buffer, ...]
    template: tuple[str, ...]
    header: str
    body: str

    @property
    def buffers(self) -> int:
        """Buffers of the Metal kernel; Metal allows MAXIMUM_BUFFERS."""
        return len(self.inputs) + len(self.outputs)


def ascii_source(text: str) -> str:
    r"""C++ text as MLX accepts it: `\n` line ends, every other character than ASCII as its universal name.

    `\u00e9` means the same to a C++ compiler as the character itself, in identifiers, literals and comments.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    return re.sub(r"[^\x00-\x7f]", _universal_name, text)


def _universal_name(match: re.Match[str]) -> str:
    point = ord(match[0])
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def signature(interface: KernelInterface) -> Signature:
    """The arrays, names and texts that the emitted module hands to mx.fast.metal_kernel."""
    body = ascii_source(interface.metal_body)
    inputs: list[Buffer] = []
    outputs: list[Buffer] = []
    aliases = ""
    for parameter in interface.parameters:
        if parameter.role in (Role.SCALAR, Role.IN, Role.OWNED, Role.INOUT):
            changed = parameter.role in (Role.OWNED, Role.INOUT)
            name = f"{parameter.name}_in" if changed else parameter.name
            bound = _bound_name(name, body)
            if bound != name:
                aliases += f"auto {name} = {bound};\n"
            inputs.append(Buffer(bound, parameter))
        if parameter.role in OUTPUT_ROLES:
            bits = parameter.role is Role.INOUT
            outputs.append(Buffer(f"{parameter.name}_delta" if bits else parameter.name, parameter, bits))
    template = tuple(parameter.name for parameter in interface.template)
    if interface.dynamic_shared:
        template += (DYNAMIC_SHARED,)
    header = ascii_source(interface.metal_header)
    if header and not header.endswith("\n"):
        header += "\n"
    return Signature(_unique_name(interface), tuple(inputs), tuple(outputs), template, header, aliases + body)


def _bound_name(name: str, body: str) -> str:
    """MLX adds a shape argument wherever the body contains `NAME_shape`, even inside a word: avoid it."""
    if any(f"{name}_{suffix}" in body for suffix in ("shape", "strides", "ndim")):
        return f"{name}_argument"
    return name


def _unique_name(interface: KernelInterface) -> str:
    """MLX caches libraries by kernel name, so the name carries a hash of everything that is compiled."""
    texts = (interface.metal_header, interface.metal_body, interface.cuda_header, interface.cuda_body)
    parameters = "\n".join(f"{p.name} {p.role} {p.dtype} {p.lanes}" for p in interface.parameters)
    digest = hashlib.sha256("\0".join((*texts, parameters)).encode()).hexdigest()[:8]
    return f"{re.sub(r'[^A-Za-z0-9_]', '_', interface.name)}_{digest}"
