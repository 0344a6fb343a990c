"""A kernel as MLX binds it: arrays in buffer order, template arguments, a unique name, ASCII text."""

import hashlib
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from cu2mlx.transpiler.binding.dtypes import BITS_OF_SIZE, ITEM_SIZE
from cu2mlx.transpiler.binding.interface import KernelInterface, Parameter, Role

MAXIMUM_BUFFERS = 31
MAXIMUM_THREADS = 1024
MAXIMUM_THREADGROUP_BYTES = 32_768
# Arrays with fewer elements than this arrive in `constant` memory: the launcher pads them to it.
SMALLEST_DEVICE_ARRAY = 8
# C++ knows no empty array, so a kernel launched without dynamic shared memory still gets some.
SMALLEST_DYNAMIC_SHARED = 16

DYNAMIC_SHARED = "dynamic_shared_bytes"
CHANGED_ROLES = frozenset({Role.OWNED, Role.INOUT})
ZEROED_ROLES = frozenset({Role.INOUT, Role.ACCUMULATED, Role.RAISED})
OUTPUT_ROLES = frozenset({Role.OUT, Role.OWNED, *ZEROED_ROLES})

TemplateValue = str | int | bool


@dataclass(frozen=True, slots=True)
class Buffer:
    """One array argument: `name` is MLX's, `parameter` the CUDA parameter that it serves.

    `is_size`: the number of the buffer's elements, a value, instead of the buffer. `bits`: the array has the
    unsigned type of the same size instead of the parameter's dtype. `packed`: the scalars that it holds, `parameter`
    the first of them.
    """

    name: str
    parameter: Parameter
    is_size: bool = False
    bits: bool = False
    packed: tuple[Parameter, ...] = ()

    @property
    def is_value(self) -> bool:
        """Whether it is handed over by value: as a 0-d array, or an array of one vector or of packed scalars."""
        return self.is_size or self.parameter.role is Role.SCALAR

    @property
    def lanes(self) -> int:
        if self.packed:
            return len(self.packed)
        return 1 if self.is_size else self.parameter.lanes

    def dtype(self, template: Mapping[str, TemplateValue]) -> str:
        """The MLX dtype under these template values (type parameters are given as MLX dtype names)."""
        if self.is_size:
            return "uint32"
        dtype = str(template.get(self.parameter.dtype, self.parameter.dtype))
        if dtype not in ITEM_SIZE:
            raise ValueError(f"{self.parameter.name}: no dtype for template type parameter {dtype}")
        return BITS_OF_SIZE[ITEM_SIZE[dtype]] if self.bits else dtype


@dataclass(frozen=True, slots=True)
class Signature:
    """What mx.fast.metal_kernel is given. `template` are the names of its template arguments, in order.

    `in_place`: places in `inputs` of the buffers that CUDA's kernel changes, in the order of their outputs.
    """

    name: str
    inputs: tuple[Buffer, ...]
    outputs: tuple[Buffer, ...]
    template: tuple[str, ...]
    header: str
    body: str
    in_place: tuple[int, ...] = ()

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
    in_place: list[int] = []
    aliases = ""
    for buffer in _inputs(interface.parameters, interface.metal_body + interface.cuda_body):
        if buffer.parameter.role in CHANGED_ROLES and not buffer.is_size:
            in_place.append(len(inputs))
        bound = _bound_name(buffer.name, body)
        if bound != buffer.name:
            aliases += f"auto {buffer.name} = {bound}; "
        inputs.append(replace(buffer, name=bound))
    outputs = _outputs(interface.parameters)
    template = tuple(parameter.name for parameter in interface.template)
    if interface.dynamic_shared:
        template += (DYNAMIC_SHARED,)
    template += tuple(nullable_constants(interface.parameters))
    header = ascii_source(interface.metal_header)
    if header and not header.endswith("\n"):
        header += "\n"
    if aliases and body.startswith("#"):
        aliases += "\n"
    name = _unique_name(interface)
    return Signature(name, tuple(inputs), tuple(outputs), template, header, aliases + body, tuple(in_place))


def nullable_constants(parameters: Sequence[Parameter], absent: Collection[str] = ()) -> dict[str, bool]:
    """The template bools that say which nullable arrays are given: all but those of the parameters in `absent`."""
    return {each.given: each.name not in absent for each in parameters if each.nullable}


def buffer_count(parameters: Sequence[Parameter], text: str) -> int:
    """How many buffers a kernel with these parameters has; `text` is its body, which asks for the sizes of some."""
    return sum(1 for _ in _inputs(parameters, text)) + len(_outputs(parameters))


def _inputs(parameters: Sequence[Parameter], text: str) -> Iterator[Buffer]:
    """The input arrays, in the order of the parameters; packed scalars stand where the first of them does."""
    packed: dict[str, list[Parameter]] = {}
    for parameter in parameters:
        packed.setdefault(parameter.array, []).append(parameter)
    for parameter in parameters:
        if parameter.array:
            together = packed.pop(parameter.array, None)
            if together is not None:
                yield Buffer(parameter.array, parameter, packed=tuple(together))
            continue
        if parameter.role in CHANGED_ROLES:
            yield Buffer(f"{parameter.name}_in", parameter)
        elif parameter.role in (Role.SCALAR, Role.IN):
            yield Buffer(parameter.name, parameter)
        size = f"cu_size_of_{parameter.name}"
        if size in text and re.search(rf"\b{size}\b", text):
            yield Buffer(size, parameter, is_size=True)


def _outputs(parameters: Sequence[Parameter]) -> list[Buffer]:
    changed = [parameter for parameter in parameters if parameter.role in OUTPUT_ROLES]
    return [
        Buffer(f"{each.name}_delta", each, bits=True) if each.role is Role.INOUT else Buffer(each.name, each)
        for each in changed
    ]


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
