"""Inputs for a kernel that has no spec file, from its signature, its launches and the numbers the user gives."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from cu2mlx.runtime.dtypes import is_float
from cu2mlx.runtime.spec import SkeletonParameter, skeleton
from cu2mlx.runtime.spec.cuda import CUDA_SPELLING
from cu2mlx.runtime.verify.enumerators import first_enumerator
from cu2mlx.runtime.verify.host import HostNames, NoExpressionError, expression, extents
from cu2mlx.runtime.verify.operation import operation_of
from cu2mlx.runtime.verify.original import UNREADABLE_GLOBAL
from cu2mlx.runtime.verify.records import Member, is_by_value, members_of, sizes_of
from cu2mlx.transpiler.binding.defaults import launch_defaults
from cu2mlx.transpiler.binding.host import HostSyntaxError
from cu2mlx.transpiler.binding.interface import KernelInterface, Parameter, Role
from cu2mlx.transpiler.binding.launch import LaunchDefaults
from cu2mlx.transpiler.binding.names import python_names
from cu2mlx.transpiler.binding.resolve import Resolver, Scope, UnresolvedError
from cu2mlx.transpiler.binding.signature import OUTPUT_ROLES, TemplateValue
from cu2mlx.transpiler.instance import default_instance
from cu2mlx.transpiler.kernels import TranslatedKernel
from cu2mlx.transpiler.kernels.templates import template_list
from cu2mlx.transpiler.pipeline import Translation
from cu2mlx.transpiler.tables.types import TYPES

Number = int | float

_ABSENT = "absent"
_SMALL = '{ kind = "integers", low = 0, high = 8 }'  # small enough to index with
_MOST = 1 << 22  # elements of a guessed buffer
_BLOCKS = re.compile(r"\b(?:blockIdx|gridDim|this_grid|grid_group)\b")
_FIXED = re.compile(r"^using (\w+) = (.+);$", re.MULTILINE)  # template arguments that are fixed in the text
_MANY_AXES = re.compile(r"\b(?:threadIdx|blockIdx|blockDim|gridDim)\s*\.\s*[yz]\b")


@dataclass(frozen=True, slots=True)
class Attempt:
    """What a guess starts from: threads of a block where no launch says, and how roomy buffers are."""

    block: int = 256
    room: int = 1


# Tried in this order, until the original runs clean in checked mode.
ATTEMPTS = (
    Attempt(),
    Attempt(room=64),
    Attempt(64),
    Attempt(64, 64),
    Attempt(32),
    Attempt(32, 256),
    Attempt(1024),
)


@dataclass(frozen=True, slots=True)
class Guess:
    """A spec file's text. `missing`: what the user has to say, each with how; then the text has FILL marks."""

    text: str
    missing: tuple[str, ...]


def guess(
    translation: Translation,
    kernel: TranslatedKernel,
    given: Mapping[str, Sequence[Number]],
    asked: tuple[str, ...] = (),
    attempt: Attempt = Attempt(),
) -> Guess:
    """A spec for a translated kernel. `given`: numbers by parameter name, also
    `grid`, `block`, `shared`; `asked`: template arguments as CUDA spells them."""
    assert kernel.interface is not None
    return _Guesser(translation, kernel, kernel.interface, given, asked, attempt).guess()


class _Guesser:
    def __init__(
        self,
        translation: Translation,
        kernel: TranslatedKernel,
        interface: KernelInterface,
        given: Mapping[str, Sequence[Number]],
        asked: tuple[str, ...],
        attempt: Attempt,
    ) -> None:
        self.kernel, self.interface, self.given = kernel, interface, given
        self.text, self.source = translation.unit.text, Path(translation.source.path).name
        self.declared = translation.workshop.declared
        self.attempt = attempt
        self.defaults: LaunchDefaults = launch_defaults(interface)
        chosen = default_instance(interface, asked).template
        self.template = {each.name: chosen[each.name] for each in interface.template}
        self.sizes: dict[str, Number] = {}
        self.missing: list[str] = []
        nullable = [each.name for each in interface.parameters if each.nullable]
        self.nullable = {name: number for number, name in enumerate(nullable, 1)}
        self.absent = _ABSENT  # a size of the cases: which of them is null
        while self.absent in {each.name for each in interface.parameters}:
            self.absent += "_"
        python = python_names(interface)
        types = {
            python.parameters[t.name]: str(self.template[t.name])
            for t in interface.template
            if t.kind == "type"
        }
        self.names = HostNames(
            {p: cuda for cuda, p in python.parameters.items()},
            {p: cuda for cuda, p in python.shapes.items()},
            types,
        )

    def guess(self) -> Guess:
        for parameter in self.interface.parameters:
            if parameter.role is Role.SCALAR:
                self._size(parameter)
            elif is_by_value(parameter):
                self._sizes_inside(parameter)
        sizes_known = not self.missing
        block = self._extents("block", self.defaults.block)
        if block is None and not _MANY_AXES.search(self.kernel.original):
            block = (str(self.interface.max_threads or self.attempt.block),)
        self.names = HostNames(self.names.parameters, self.names.shapes, self.names.types, block or ())
        grid = self._extents("grid", self.defaults.grid)
        if grid is None and not _BLOCKS.search(self.kernel.original):
            grid = ("1",)
        elif (
            grid is None and sizes_known and block is not None and not _MANY_AXES.search(self.kernel.original)
        ):
            grid = (f"max(1, ceildiv({self._count()}, {block[0]}))" if self.sizes else "4",)
        for name, found in (("grid", grid), ("block", block)):
            if found is None and sizes_known:
                self.missing.append(f"{name}: pass --arg {name}=X,Y,Z")
        parameters = [self._parameter(each, grid, block) for each in self.interface.parameters]
        if not self.missing:
            parameters = [replace(each, null=self._null(each.name)) for each in parameters]
        text = skeleton(
            self.interface.name,
            parameters,
            template=self._template(),
            records=self._records(),
            grid=grid,
            block=block,
            shared=self._shared(),
            source=self.source,
            operation=operation_of(self.kernel.original),
            cases=None if self.missing else self._cases(),
        )
        return Guess(text, tuple(self.missing))

    def _template(self) -> list[tuple[str, TemplateValue]]:
        """The kernel's template arguments in C++ order, as CUDA spells them."""
        if self.kernel.function.template is None:
            return []
        values: dict[str, TemplateValue] = {
            name: CUDA_SPELLING.get(value, value) if isinstance(value, str) else value
            for name, value in self.template.items()
        }
        given = {
            name: str(value).lower() if isinstance(value, bool) else str(value)
            for name, value in values.items()
        }
        for name, spelling in _FIXED.findall(self.interface.cuda_body):
            values[name] = re.sub(r"\w+", lambda word: given.get(word[0], word[0]), spelling)
        listed = template_list(self.kernel.function.template, self.text)
        parameters = self.kernel.function.template.need("parameters").named_children
        call = re.search(r"\w<([^<>()]*)>\(", self.interface.cuda_body)
        for each, argument in zip(listed, call[1].split(",") if call is not None else (), strict=False):
            values.setdefault(each.name, argument.strip())  # a function, named in the text
        for each, node in zip(listed, parameters, strict=False):
            specified = node.child("type")
            kind = self.text[specified.start : specified.end] if specified is not None else ""
            if each.kind == "int" and (named := first_enumerator(self.text, kind)) is not None:
                values[each.name] = named
        for each in listed:
            if each.name not in values:
                self.missing.append(f"{each.name}: pass --instantiate '{self.interface.name}<…>'")
        return [(each.name, values[each.name]) for each in listed if each.name in values]

    def _records(self) -> list[tuple[str, str]]:
        """By-value records that reach the translation as their members, with their types."""
        names = {parameter.name for parameter in self.interface.parameters}
        return [
            (each.name, each.type.base)
            for each in self.kernel.function.parameters
            if each.name not in names and any(name.startswith(f"{each.name}_") for name in names)
        ]

    def _size(self, parameter: Parameter) -> None:
        """A whole number becomes a size of the cases; other values are the same everywhere."""
        dtype = self._dtype(parameter)
        if parameter.name in self.given:
            value = self.given[parameter.name][0]
            self.sizes[parameter.name] = value if is_float(dtype) else int(value)
        elif is_float(dtype) or dtype == "bool" or parameter.lanes != 1:
            return
        elif (launched := _launched(self.interface, parameter)) is not None:
            self.sizes[parameter.name] = min(launched, _ENOUGH)
        else:
            self.missing.append(f"{parameter.name}: pass --arg {parameter.name}=N")

    def _sizes_inside(self, parameter: Parameter) -> None:
        """Those of a record by value have the names of its members."""
        for name in sizes_of(self._members(parameter)):
            if name in self.given:
                self.sizes[name] = int(self.given[name][0])
            else:
                self.missing.append(f"{name}: pass --arg {name}=N, a member of {parameter.name}")

    def _cases(self) -> list[tuple[str, Mapping[str, Number]]]:
        """The sizes given, then shapes that are no multiple of anything, tiny and empty ones."""
        whole = {name for name, value in self.sizes.items() if isinstance(value, int) and value > 1}
        cases: list[tuple[str, Mapping[str, Number]]] = [("given", self.sizes)]
        if whole:
            derived = {"ragged": -1, "tiny": 1, "empty": 0}
            for name, size in derived.items():
                cases.append(
                    (
                        name,
                        {
                            n: (v - 1 if size < 0 else size) if n in whole else v
                            for n, v in self.sizes.items()
                        },
                    )
                )
        if not self.nullable:
            return cases
        cases = [(name, {**sizes, self.absent: 0}) for name, sizes in cases]
        return cases + [
            (f"without {name}", {**self.sizes, self.absent: number}) for name, number in self.nullable.items()
        ]

    def _null(self, name: str) -> str:
        """Where a parameter is a null pointer; empty for one that never is."""
        return f"{self.absent} == {self.nullable[name]}" if name in self.nullable else ""

    def _count(self) -> str:
        """The elements of a buffer nobody describes: as many as all sizes together could index."""
        whole = [name for name, value in self.sizes.items() if isinstance(value, int) and value > 1]
        count = " * ".join(whole) or "1"
        return count if len(whole) < 3 else f"min({_MOST}, {count})"

    def _extents(self, key: str, found: str | None) -> tuple[str, ...] | None:
        if key in self.given:
            return tuple(str(int(each)) for each in self.given[key])
        try:
            return None if found is None else extents(found, self.names)
        except NoExpressionError:
            return None

    def _shared(self) -> str | None:
        if "shared" in self.given:
            return str(int(self.given["shared"][0]))
        if not self.interface.dynamic_shared:
            return None
        try:
            if self.defaults.shared is not None:
                return expression(self.defaults.shared, self.names)
        except NoExpressionError:
            pass
        self.missing.append("shared: pass --arg shared=BYTES, the dynamic shared memory")
        return "0"

    def _parameter(
        self, parameter: Parameter, grid: tuple[str, ...] | None, block: tuple[str, ...] | None
    ) -> SkeletonParameter:
        name, dtype = parameter.name, self._dtype(parameter)
        if parameter.role is Role.SCALAR:
            constant = "0.75" if is_float(dtype) else None
            known = name if name in self.sizes else "1" if dtype == "bool" else constant
            return SkeletonParameter(name, dtype, buffer=False, value=known)
        is_global = re.match(r"(?:\w+\s+)*__(?:constant|device)__", parameter.cuda_type) is not None
        by_value = is_by_value(parameter)
        shape: tuple[str, ...] | None = None
        if is_global and parameter.role in OUTPUT_ROLES:
            self.missing.append(f"{name}: {UNREADABLE_GLOBAL}")
        elif by_value and (value := self._value(parameter)) is not None:
            return value
        elif by_value and self._members(parameter):
            shape = ()
        elif by_value or (parameter.lanes == 0 and not self._members(parameter)):
            self.missing.append(f"{name}: describe the {parameter.cuda_type} in the spec file")
        else:
            shape = self._shape(parameter, grid, block)
        output = parameter.role in OUTPUT_ROLES
        initial = parameter.role is not Role.OUT
        init = None
        if initial and shape is not None:
            init = '"normal"' if is_float(dtype) else '"bits"' if dtype == "bool" else _SMALL
        fields = tuple(each.entry(self.sizes if by_value else ()) for each in self._members(parameter))
        if fields:
            dtype, init = "struct", None
        return SkeletonParameter(
            name, dtype, True, output, initial, shape, init=init, lanes=parameter.lanes, fields=fields
        )

    def _members(self, parameter: Parameter) -> tuple[Member, ...]:
        """Those of a record that the file declares; none for anything else."""
        if parameter.lanes:
            return ()
        types = {each.name: each.type.base for each in self.kernel.function.parameters}
        return members_of(types.get(parameter.name, ""), self.declared, self.text)

    def _value(self, parameter: Parameter) -> SkeletonParameter | None:
        """A vector or a record of one type that is passed by value."""
        members = self._members(parameter)
        dtypes = {each.dtype for each in members} if members else {self._dtype(parameter)}
        count = sum(each.size for each in members) or parameter.lanes
        if len(dtypes) != 1 or count == 0:
            return None
        dtype = dtypes.pop()
        values = ", ".join(["0.75" if is_float(dtype) else "1"] * count)
        return SkeletonParameter(parameter.name, dtype, buffer=False, value=f"[{values}]")

    def _shape(
        self, parameter: Parameter, grid: tuple[str, ...] | None, block: tuple[str, ...] | None
    ) -> tuple[str, ...] | None:
        if re.match(r"(?:\w+\s+)*__(?:constant|device)__", parameter.cuda_type):
            declared = re.findall(r"\[\s*(\d+)\s*\]", parameter.cuda_type) or ["1"]
            return (*declared, str(parameter.lanes)) if parameter.lanes > 1 else tuple(declared)
        if parameter.name in self.defaults.shapes:
            try:
                return extents(self.defaults.shapes[parameter.name], self.names)
            except NoExpressionError:
                pass
        if self.missing:  # sizes are: no shape can be told yet
            return None
        count = self._count()
        if not self.sizes and grid is not None and block is not None:
            count = " * ".join([*grid, *block])
        if not re.fullmatch(r"[\w\s*(),]+", count):  # a grid or block that itself depends on buffers
            self.missing.append(f"{parameter.name}: give its shape in the spec file")
            return None
        room = count if self.attempt.room == 1 else f"{count} * {self.attempt.room}"
        if self.attempt.room > 1:
            room = f"min({_MOST}, {room})"
        return (room, str(parameter.lanes)) if parameter.lanes > 1 else (room,)

    def _dtype(self, parameter: Parameter) -> str:
        """What the original takes: double where the translation has it narrowed."""
        types = {each.name: each.type.base for each in self.kernel.function.parameters}
        base = types.get(parameter.name, "")
        row = TYPES.get(self.declared.aliases[base].base if base in self.declared.aliases else base)
        if row is not None and row.narrowed is not None:
            return "float64"
        return str(self.template.get(parameter.dtype, parameter.dtype))


# Host code often asks for millions; the arithmetic shows with fewer, and a multiple of no block.
_ENOUGH = 1000


def _launched(interface: KernelInterface, parameter: Parameter) -> int | None:
    """The whole number that every launch in the file passes for a parameter, where host code fixes it."""
    place = interface.parameters.index(parameter)
    found = set()
    for site in interface.launches:
        if len(site.arguments) != len(interface.parameters):
            return None
        resolver = Resolver(Scope(locals=site.locals, functions={f.name: f for f in site.functions}))
        try:
            found.add(resolver.integer(site.arguments[place]))
        except (UnresolvedError, HostSyntaxError):
            return None
    text = found.pop() if len(found) == 1 else ""
    return int(text) if text.lstrip("-").isdigit() else None
