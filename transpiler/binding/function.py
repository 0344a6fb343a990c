"""One function of the emitted module: its arguments, its documentation and its statements, as Python text."""

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass

from cu2mlx.transpiler.binding.cuda_text import declared_type
from cu2mlx.transpiler.binding.interface import KernelInterface, Parameter, Role
from cu2mlx.transpiler.binding.launch import LaunchDefaults
from cu2mlx.transpiler.binding.literals import text_literal
from cu2mlx.transpiler.binding.names import PythonNames, python_names
from cu2mlx.transpiler.binding.signature import (
    OUTPUT_ROLES,
    ZEROED_ROLES,
    Buffer,
    ascii_source,
    signature,
)
from cu2mlx.transpiler.model.launches import Launch

_ARRAY_ROLES = (OUTPUT_ROLES - {Role.OUT}) | {Role.IN}
_MEANING = {
    Role.SCALAR: "value",
    Role.IN: "read",
    Role.OUT: "written: returned, not passed",
    Role.OWNED: "read and written: the new array is returned",
    Role.INOUT: "read and written: the new array is returned",
    Role.ACCUMULATED: "added to: the sum is returned",
    Role.RAISED: "raised to a maximum: the new array is returned",
}


@dataclass(frozen=True, slots=True)
class Argument:
    name: str
    annotation: str


@dataclass(frozen=True, slots=True)
class KernelFunction:
    """`constant`: the module's name for the kernel's texts; `launch`: CUDA's own launch, for messages; `wanted`: the
    keywords with which outputs that may be null are asked for."""

    function: str
    constant: str
    label: str
    arguments: tuple[Argument, ...]
    wanted: tuple[str, ...]
    keywords: tuple[str, ...]
    returns: str
    documentation: str
    statements: tuple[str, ...]
    launch: str


def kernel_function(interface: KernelInterface, defaults: LaunchDefaults) -> KernelFunction:
    """Raises ValueError for a kernel that writes no buffer: MLX cannot run it."""
    outputs = [p for p in interface.parameters if p.role in OUTPUT_ROLES]
    if not outputs:
        raise ValueError(f"{interface.name} writes no buffer: MLX needs at least one output")
    return _Writer(interface, defaults, python_names(interface), outputs).function()


class _Writer:
    def __init__(
        self,
        interface: KernelInterface,
        defaults: LaunchDefaults,
        names: PythonNames,
        outputs: list[Parameter],
    ) -> None:
        self.interface = interface
        self.defaults = defaults
        self.names = names
        self.outputs = outputs
        self.types = [t.name for t in interface.template if t.kind == "type"]
        self.label = text_literal(interface.name)
        self.constant = f"_{names.function.upper()}"

    def function(self) -> KernelFunction:
        returned = [f"mx.array{' | None' if p.nullable else ''}" for p in self.outputs]
        launch = self.interface.launches[0] if self.interface.launches else None
        return KernelFunction(
            function=self.names.function,
            constant=self.constant,
            label=self.interface.name,
            arguments=tuple(self._arguments()),
            wanted=tuple(
                f"{self._given(p)}: bool = True" for p in self.outputs if p.nullable and p.role is Role.OUT
            ),
            keywords=tuple(self._keywords()),
            returns=returned[0] if len(returned) == 1 else f"tuple[{', '.join(returned)}]",
            documentation=self._documentation(),
            statements=tuple(self._statements()),
            launch=f"; the CUDA source has {_launch_text(launch)}" if launch else "",
        )

    def _name(self, parameter: Parameter) -> str:
        return self.names.parameters[parameter.name]

    def _given(self, parameter: Parameter) -> str:
        """The variable that says whether a nullable parameter is given."""
        return self.names.given[parameter.name]

    def _dtype(self, parameter: Parameter) -> str:
        """The dtype as an expression of the module."""
        if parameter.dtype in self.types:
            return self.names.parameters[parameter.dtype]
        return "mx.bool_" if parameter.dtype == "bool" else f"mx.{parameter.dtype}"

    def _arrays_of(self, dtype: str) -> list[Parameter]:
        return [p for p in self.interface.parameters if p.role in _ARRAY_ROLES and p.dtype == dtype]

    def _arguments(self) -> Iterator[Argument]:
        for parameter in self.interface.parameters:
            if parameter.role is Role.SCALAR:
                annotation = "Scalar" if parameter.lanes == 1 else "Sequence[float] | mx.array"
                yield Argument(self._name(parameter), annotation)
            elif parameter.role is not Role.OUT:
                others = " | bytes" if parameter.layout else " | None" if parameter.nullable else ""
                yield Argument(self._name(parameter), f"mx.array{others}")

    def _keywords(self) -> Iterator[str]:
        if self.interface.dynamic_shared:
            yield "shared_bytes: int | None = None"
        for parameter in self.interface.template:
            name, default = self.names.parameters[parameter.name], self.defaults.template.get(parameter.name)
            if parameter.kind == "type" and self._arrays_of(parameter.name):
                yield f"{name}: mx.Dtype | None = None"
                continue
            kind = "mx.Dtype" if parameter.kind == "type" else parameter.kind
            yield f"{name}: {kind}" + (f" = {default}" if default else "")
        for shape in self.names.shapes.values():
            yield f"{shape}: Size | None = None"
        if self._has_unwritten():
            yield f"init_value: float | None = {'0' if self.defaults.zeroed else 'None'}"

    def _has_unwritten(self) -> bool:
        """Whether elements that the kernel leaves alone may show: only pure outputs, and no buffer zeroed."""
        roles = {p.role for p in self.outputs}
        return Role.OUT in roles and not roles & ZEROED_ROLES

    def _statements(self) -> Iterator[str]:
        for name in self.types:
            yield from self._deduced(name)
        inputs = [self._input(buffer) for buffer in signature(self.interface).inputs]
        yield from self._checks()
        yield from self._extents()
        yield "results = _launch("
        yield f"    {self.constant},"
        yield from _list("", inputs)
        yield from _list("", [self._output(p) for p in self.outputs])
        yield "    grid=grid,"
        yield "    block=block,"
        yield "    stream=stream,"
        if template := list(self._template_pairs()):
            yield from _list("template=", template)
        yield from (f"    {option}," for option in self._options())
        yield ")"
        results = [
            f"results[{i}]" + (f" if {self._given(p)} else None" if p.nullable else "")
            for i, p in enumerate(self.outputs)
        ]
        yield f"return {', '.join(results)}"

    def _deduced(self, type_: str) -> Iterator[str]:
        """A type parameter that the caller leaves open is the dtype of an array."""
        python, arrays = self.names.parameters[type_], self._arrays_of(type_)
        for parameter in [p for p in arrays if not p.nullable][:1] or arrays:
            value = self._name(parameter)
            yield f"if {python} is None{f' and {value} is not None' if parameter.nullable else ''}:"
            yield f"    {python} = _array({self.label}, {text_literal(value)}, {value}).dtype"
        if arrays and all(p.nullable for p in arrays):
            yield f"if {python} is None:"
            message = text_literal(
                f"{self.interface.name}: pass {python}=, the dtype of arrays that are all None"
            )
            yield f"    raise ValueError({message})"

    def _checks(self) -> Iterator[str]:
        for parameter in self.interface.parameters:
            name, dtype = self._name(parameter), self._dtype(parameter)
            call = f"{self.label}, {text_literal(name)}, {name}, {dtype}"
            call += f", {parameter.lanes}" if parameter.lanes > 1 else ""
            if parameter.role in _ARRAY_ROLES and parameter.nullable:
                yield f"{self._given(parameter)} = {name} is not None"
                yield f"{name} = _nullable({call})"
            elif parameter.layout:
                size = struct.calcsize(parameter.layout)
                yield f"{name} = _record({self.label}, {text_literal(name)}, {name}, {size})"
            elif parameter.role in _ARRAY_ROLES:
                yield f"_array({call})"

    def _input(self, buffer: Buffer) -> str:
        parameter = buffer.parameter
        name, dtype = self._name(parameter), self._dtype(parameter)
        if buffer.packed:
            scalars = [f"    {each}={each}," for each in map(self._name, buffer.packed)]
            return "\n".join(["_scalars(", f"    {self.label},", f"    {dtype},", *scalars, ")"])
        if buffer.is_size:
            shape = self.names.shapes.get(parameter.name)
            size = f"math.prod({shape})" if shape else f"{name}.size"
            return f'_scalar({self.label}, "{name}.size", {size}, mx.uint32)'
        if parameter.role is not Role.SCALAR:
            return f"_buffer({name})"
        call = f"{self.label}, {text_literal(name)}, {name}, {dtype}"
        return f"_scalar({call})" if parameter.lanes == 1 else f"_vector({call}, {parameter.lanes})"

    def _extents(self) -> Iterator[str]:
        """Shapes, then block, then grid: each may use the ones before it."""
        for parameter in self.outputs:
            shape = self.names.shapes.get(parameter.name)
            default = self.defaults.shapes.get(parameter.name)
            wanted = self._given(parameter) if parameter.nullable else ""
            if shape and default:
                yield f"if {shape} is None{f' and {wanted}' if wanted else ''}{self._told(default)}:"
                yield f"    {shape} = {default}"
            if shape:
                checked = f"_shape({self.label}, {text_literal(shape)}, {shape})"
                yield f"{shape} = {checked}{f' if {wanted} else (0,)' if wanted else ''}"
        grid, block = self.defaults.grid, self.defaults.block
        if grid and block and self.defaults.grid_needs_block:
            yield f"if grid is None and block is None{self._told(grid)}:"
            yield f"    grid = {grid}"
            grid = None
        if block:
            yield f"if block is None{self._told(block)}:"
            yield f"    block = {block}"
        if grid:
            if "block[" in grid:
                yield f'block = _dimensions({self.constant}, "block", block, 1)'
            yield f"if grid is None{self._told(grid)}:"
            yield f"    grid = {grid}"
        if self.interface.dynamic_shared and self.defaults.shared:
            yield f"if shared_bytes is None{self._told(self.defaults.shared)}:"
            yield f"    shared_bytes = {self.defaults.shared}"

    def _told(self, expression: str) -> str:
        """The condition that a default hangs on: arrays that may be missing are there to be asked for their shape."""
        words = set(re.findall(r"\w+", expression))
        asked = [
            p
            for p in self.interface.parameters
            if p.nullable and {self._name(p), self.names.shapes.get(p.name)} & words
        ]
        return "".join(f" and {self._given(p)}" for p in asked)

    def _output(self, parameter: Parameter) -> str:
        name, dtype = self._name(parameter), self._dtype(parameter)
        if parameter.role is Role.OUT:
            return f"_Output({self.names.shapes[parameter.name]}, {dtype})"
        return f'_Output({name}.shape, {dtype}, {name}, "{parameter.role}")'

    def _template_pairs(self) -> Iterator[str]:
        for each in self.interface.template:
            yield f"({text_literal(each.name)}, {self.names.parameters[each.name]})"
        for parameter in self.interface.parameters:
            if parameter.nullable:
                yield f"({text_literal(parameter.given)}, {self._given(parameter)})"

    def _options(self) -> Iterator[str]:
        if self.interface.dynamic_shared:
            yield "shared_bytes=shared_bytes"
        if self.interface.threadgroup_bytes != "0":
            yield f"threadgroup_bytes={self.interface.threadgroup_bytes}"
        if self._has_unwritten():
            yield "init_value=init_value"
        elif any(p.role in ZEROED_ROLES for p in self.outputs):
            yield "init_value=0"

    def _documentation(self) -> str:
        lines = [f"`{self.interface.name}`, line {self.interface.line} of the CUDA source.", ""]
        if self.interface.documentation:
            lines += [*self.interface.documentation.strip().splitlines(), ""]
        for parameter in self.interface.parameters:
            type_ = f"`{declared_type(parameter)}` ({_elements(parameter)})"
            is_passed = parameter.role is not Role.OUT
            or_none = " or None" if parameter.nullable and is_passed else ""
            asked = f"; {self._given(parameter)}=False: None" if parameter.nullable and not is_passed else ""
            packed = ", ".join([f'"{parameter.layout}"', *parameter.members])
            how = f": struct.pack({packed})" if parameter.layout else ""
            lines.append(f"{self._name(parameter)}: {type_}{or_none}, {_MEANING[parameter.role]}{asked}{how}")
        launch = {"grid": self.defaults.grid, "block": self.defaults.block}
        lines += [f"{name}: needed" for name, default in launch.items() if not default]
        for name, shape in self.names.shapes.items():
            default = self.defaults.shapes.get(name)
            lines.append(f"{shape}: shape of {name}; {f'default {default}' if default else 'needed'}")
        if self._has_unwritten():
            lines.append(
                "init_value: what elements hold that the kernel does not write; None leaves them undefined"
            )
        for template in self.interface.template:
            name = self.names.parameters[template.name]
            deduced = template.kind == "type" and self._arrays_of(template.name)
            lines.append(
                f"{name}: template {template.kind}"
                + ("; default: the dtype of its arrays" if deduced else "")
            )
        launches = [
            f"CUDA launch, line {site.line}: {_launch_text(site)}" for site in self.interface.launches
        ]
        lines += dict.fromkeys(launches)
        text = ascii_source("\n".join(lines)).replace("\\", "\\\\").replace('"""', "'''")
        return "\n".join(f"    {line}".rstrip() if i else line for i, line in enumerate(text.split("\n")))


def _list(prefix: str, items: list[str]) -> Iterator[str]:
    """A list argument of the launch, each item on lines of its own."""
    if not items:
        yield f"    {prefix}[],"
        return
    yield f"    {prefix}["
    yield from (f"        {line}" for item in items for line in f"{item},".split("\n"))
    yield "    ],"


def _elements(parameter: Parameter) -> str:
    """What an array holds: "float32", "3 x float32" for a vector, bytes for a record."""
    if parameter.lanes == 0:
        record = (
            "its" if parameter.role is Role.IN and "*" not in declared_type(parameter) else "each record's"
        )
        return f"{parameter.dtype}: {record} bytes"
    return f"{parameter.lanes} x {parameter.dtype}" if parameter.lanes > 1 else parameter.dtype


def _launch_text(site: Launch) -> str:
    """The launch as CUDA writes it, on one line."""
    configuration = [_dim3(site.grid), _dim3(site.block)] + ([site.shared] if site.shared else [])
    text = f"<<<{', '.join(configuration)}>>>({', '.join(site.arguments)})"
    return " ".join(text.split())


def _dim3(sizes: tuple[str, ...]) -> str:
    return sizes[0] if len(sizes) == 1 else f"dim3({', '.join(sizes)})"
