"""Launch configuration, output shapes and template values that a file's own launches tell."""

import ast
import re
from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar

from cu2mlx.transpiler.binding.allocation import (
    Allocation,
    allocation,
    host_type_of,
    objects_of,
    with_allocations,
)
from cu2mlx.transpiler.binding.dtypes import ITEM_SIZE, dtype_of_cxx
from cu2mlx.transpiler.binding.host import HostSyntaxError, call, constant, key, name, parse
from cu2mlx.transpiler.binding.interface import (
    KernelInterface,
    Parameter,
    Role,
    TemplateParameter,
)
from cu2mlx.transpiler.binding.launch import LaunchDefaults
from cu2mlx.transpiler.binding.names import python_names
from cu2mlx.transpiler.binding.resolve import (
    ArrayName,
    Resolver,
    Scope,
    UnresolvedError,
    Value,
    as_integer,
    dim3_sizes,
)
from cu2mlx.transpiler.model.launches import Launch

T = TypeVar("T")
P = ParamSpec("P")


def launch_defaults(interface: KernelInterface) -> LaunchDefaults:
    """What all launches of the kernel agree on; what one of them does not tell is no default."""
    sites = [_Site(interface, site) for site in interface.launches]
    grid, block = _agreed([(_known(site.grid), _known(site.block)) for site in sites]) or (None, None)
    allocations: dict[str, Allocation] = {}
    for parameter in interface.parameters:
        if parameter.role is Role.OUT:
            found = _agreed([_known(site.allocation, parameter) for site in sites])
            if found is not None:
                allocations[parameter.name] = found
    values = {
        t.name: _source_default(t) or _agreed([s.template.get(t.name) for s in sites])
        for t in interface.template
    }
    return LaunchDefaults(
        grid=grid,
        block=block,
        shared=_agreed([_known(site.shared) for site in sites]),
        grid_needs_block=grid is not None and "block[" not in grid and bool(re.search(r"/|>>|ceil", grid)),
        shapes={output: found.shape for output, found in allocations.items()},
        zeroed=bool(allocations) and all(found.zeroed for found in allocations.values()),
        template={parameter: value for parameter, value in values.items() if value is not None},
    )


def _known(compute: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T | None:
    """What `compute` returns, None where the host code does not tell it."""
    try:
        return compute(*arguments, **options)
    except (UnresolvedError, HostSyntaxError):
        return None


def _agreed(found: Sequence[T | None]) -> T | None:
    """The one value of all launches, None where they differ or there are none."""
    return found[0] if found and all(value == found[0] for value in found) else None


def _source_default(parameter: TemplateParameter) -> str | None:
    return None if parameter.default is None else _literal(parameter, parameter.default, Scope())


def _literal(parameter: TemplateParameter, text: str, scope: Scope) -> str | None:
    """A template argument as Python text, None where it is no literal after all."""
    if parameter.kind == "type":
        dtype = dtype_of_cxx(text)
        return None if dtype in (None, "float64") else "mx.bool_" if dtype == "bool" else f"mx.{dtype}"
    value = _known(_integer, text, scope)
    if not isinstance(value, ast.Constant):
        return None
    return str(bool(value.value)) if parameter.kind == "bool" else str(value.value)


def _integer(text: str, scope: Scope) -> ast.expr:
    return as_integer(Resolver(scope).value(parse(text)))


def _objects(node: ast.expr, variables: Sequence[tuple[str, str]]) -> list[ast.expr]:
    return list(objects_of(node, variables))


class _Site:
    """One launch: its host expressions in terms of the emitted function's arguments."""

    def __init__(self, interface: KernelInterface, site: Launch) -> None:
        self.interface = interface
        self.site = site
        self.names = python_names(interface)
        self.locals = with_allocations(site.locals)
        self.template: dict[str, str] = {}
        self._types: dict[str, str] = {}
        self._values: dict[str, Value] = {}
        self._arrays: dict[str, ArrayName] = {}
        self._outputs: dict[str, ArrayName] = {}
        self._arguments: dict[str, ast.expr] = {}
        self._read_template_arguments()
        if len(site.arguments) == len(interface.parameters):
            for parameter, text in zip(interface.parameters, site.arguments, strict=True):
                self._read_argument(parameter, text)

    def _read_template_arguments(self) -> None:
        constants = Scope(locals=self.locals, functions={f.name: f for f in self.site.functions})
        for parameter, text in zip(self.interface.template, self.site.template_arguments, strict=False):
            python = self.names.parameters[parameter.name]
            literal = _literal(parameter, text, constants)
            if literal is not None:
                self.template[parameter.name] = literal
            if parameter.kind == "type":
                self._types.setdefault(text.strip(), python)
                continue
            node = _known(parse, text)
            if node is not None and not isinstance(node, ast.Constant):
                self._values.setdefault(key(node), Value(name(python)))

    def _read_argument(self, parameter: Parameter, text: str) -> None:
        node = _known(parse, text)
        if node is None:
            return
        self._arguments[parameter.name] = node
        python = self.names.parameters[parameter.name]
        if parameter.role is Role.SCALAR:
            if parameter.lanes == 1 and not isinstance(node, ast.Constant):
                is_float = parameter.dtype not in ITEM_SIZE or "float" in parameter.dtype
                value = Value(call("float" if is_float else "int", name(python)), is_float)
                self._values.setdefault(key(node), value)
            return
        host_type = host_type_of(node)
        if host_type and parameter.dtype in self.names.parameters:
            self._types.setdefault(host_type, self.names.parameters[parameter.dtype])
        is_output = parameter.role is Role.OUT
        array = ArrayName(self.names.shapes[parameter.name], True) if is_output else ArrayName(python)
        for host_object in _known(_objects, node, self.locals) or []:
            (self._outputs if is_output else self._arrays).setdefault(key(host_object), array)

    def _scope(self, values: dict[str, Value], outputs: dict[str, ArrayName]) -> Scope:
        return Scope(
            {**values, **self._values},
            {**outputs, **self._arrays},
            self._types,
            self.locals,
            {function.name: function for function in self.site.functions},
        )

    def block(self) -> str:
        return self._dim3(self.site.block, self._scope({}, self._outputs))

    def grid(self) -> str:
        return self._dim3(self.site.grid, self._scope(self._block_values(), self._outputs))

    def shared(self) -> str | None:
        if self.site.shared is None:
            return None
        return Resolver(self._scope(self._block_values(), self._outputs)).integer(self.site.shared)

    def allocation(self, parameter: Parameter) -> Allocation | None:
        """The allocation of a pure output, where host code of the launch makes it."""
        argument = self._arguments.get(parameter.name)
        if argument is None:
            return None
        scope = self._scope({}, {})
        is_template = parameter.dtype in self.names.parameters
        dtype = self.names.parameters[parameter.dtype] if is_template else parameter.dtype
        for host_object in objects_of(argument, self.locals):
            found = allocation(host_object, dtype, is_template, scope)
            if found is not None:
                return found
        return None

    def _block_values(self) -> dict[str, Value]:
        """`threads` and `block.x` of the host are `block[0]`: the grid follows a block the caller passes."""
        values: dict[str, Value] = {}
        entries = [_known(parse, text) for text in self.site.block]
        for axis, node in enumerate(entries):
            if node is not None and not isinstance(node, ast.Constant):
                values.setdefault(key(node), _block_size(axis))
        names = {node.id for node in entries if isinstance(node, ast.Name) and len(entries) == 1}
        for variable, text in self.locals:
            initialiser = _known(parse, text)
            if initialiser is not None and None not in entries:
                sizes = [key(size) for size in dim3_sizes(initialiser)]
                if sizes == [key(entry) for entry in entries if entry is not None]:
                    names.add(variable)
        for variable in names:
            for axis, member in enumerate("xyz"):
                values[key(ast.Attribute(name(variable), member, ast.Load()))] = _block_size(axis)
        return values

    def _dim3(self, texts: tuple[str, ...], scope: Scope) -> str:
        resolver = Resolver(scope)
        nodes = [parse(text) for text in texts]
        before = len(scope.locals)
        if len(nodes) == 1:
            first = nodes[0]
            if isinstance(first, ast.Name) and key(first) not in scope.values:
                found = resolver.local(first.id, before)
                if found is not None:
                    first, before = found
            nodes = list(dim3_sizes(first))
        sizes = [as_integer(resolver.value(node, before)) for node in nodes]
        sizes += [constant(1)] * (3 - len(sizes))
        return ast.unparse(ast.Tuple(sizes, ast.Load()))


def _block_size(axis: int) -> Value:
    return Value(ast.Subscript(name("block"), constant(axis), ast.Load()))
