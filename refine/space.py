"""The numbers of a task that may be varied, and what their combinations have to satisfy."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from cu2mlx.runtime.spec import Case, Spec, SpecError, resolve
from cu2mlx.runtime.spec.expression import Expression, ExpressionError, Names, Number, evaluate, parse
from cu2mlx.transpiler.binding.signature import MAXIMUM_THREADS

BLOCK_SIZES = (32, 64, 128, 256, 512, 1024)


@dataclass(frozen=True, slots=True)
class Tunable:
    """A number that a candidate may choose; `values` in increasing order."""

    name: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Space:
    """`requirements` are expressions that must not be 0, over tunables and, for each of `settings`, the template
    integers and sizes of a case."""

    tunables: tuple[Tunable, ...]
    requirements: tuple[Expression, ...] = ()
    settings: tuple[tuple[tuple[str, Number], ...], ...] = ()

    def violated(self, numbers: Mapping[str, int]) -> str | None:
        """The first requirement that these numbers break, None where they break none. Numbers that are left out
        are as the task has them."""
        for setting in self.settings:
            names = Names(dict(setting) | dict(numbers))
            for each in self.requirements:
                if not evaluate(each, names):
                    return each.text
        return None

    def points(self) -> Iterator[dict[str, int]]:
        """Every combination of the tunables' values that is allowed, the last tunable changing fastest."""
        names = [each.name for each in self.tunables]
        for values in product(*(each.values for each in self.tunables)):
            point = dict(zip(names, values, strict=True))
            if self.violated(point) is None:
                yield point


def read_space(spec: Spec, cases: Sequence[Case]) -> Space:
    """`[optimize]` of a task, whose cases these are. Raises SpecError."""
    tunables = tuple(_tunables(spec))
    requirements = tuple(_requirements(spec))
    settings = tuple(dict.fromkeys(setting(spec, case) for case in cases))
    space = Space(tunables, requirements, settings)
    try:
        broken = space.violated({})
    except ExpressionError as error:
        raise SpecError(spec.path, "optimize.require", str(error)) from None
    if broken is not None:
        raise SpecError(
            spec.path,
            "optimize.require",
            f"the task's own numbers break it: {broken}; it is where a search starts",
        )
    return space


def setting(spec: Spec, case: Case) -> tuple[tuple[str, Number], ...]:
    """A case's numbers: template integers, sizes, and named values that are plain numbers."""
    names = {name: value for name, value in _defaults(spec) if value is not None}
    names |= {name: value for name, value in case.template if type(value) is int}
    return tuple((names | dict(case.sizes)).items())


def _requirements(spec: Spec) -> Iterator[Expression]:
    texts = spec.optimize.get("require", [])
    if not isinstance(texts, list) or not all(isinstance(each, str) for each in texts):
        raise SpecError(spec.path, "optimize.require", 'a list of expressions in quotes, ["A * B <= 1024"]')
    for text in texts:
        try:
            yield parse(text)
        except ExpressionError as error:
            raise SpecError(spec.path, "optimize.require", str(error)) from None


def _tunables(spec: Spec) -> Iterator[Tunable]:
    """Those of `[optimize.tunables]`, else the integers that the block's extents are made of."""
    declared = spec.optimize.get("tunables")
    if declared is None:
        yield from _block_numbers(spec)
        return
    if not isinstance(declared, Mapping):
        raise SpecError(spec.path, "optimize.tunables", "a table of NAME = [values]")
    for name, values in declared.items():
        key = f"optimize.tunables.{name}"
        whole = isinstance(values, list) and values and all(type(each) is int for each in values)
        if not whole:
            raise SpecError(spec.path, key, "a list of whole numbers")
        if name not in dict(_defaults(spec)):
            raise SpecError(spec.path, key, "is no integer of [template] or [let]")
        if changes_data(spec, name, values):
            raise SpecError(spec.path, key, "changes the arguments, not only the launch")
        yield Tunable(name, tuple(sorted(set(values))))


def _block_numbers(spec: Spec) -> Iterator[Tunable]:
    used = {token for each in spec.block for token in each.text.replace("(", " ").replace(",", " ").split()}
    for name, default in _defaults(spec):
        if name not in used or changes_data(spec, name, BLOCK_SIZES):
            continue
        values = {*BLOCK_SIZES, *([] if default is None else [default])}
        possible = [value for value in sorted(values) if _threads(spec, name, value) <= MAXIMUM_THREADS]
        if len(possible) > 1:
            yield Tunable(name, tuple(possible))


def _threads(spec: Spec, name: str, value: int) -> int:
    """The most threads in a block of any case."""
    blocks = [resolve(spec, chosen(case, {name: value})).launch.block for case in spec.cases]
    return max(x * y * z for x, y, z in blocks)


def _defaults(spec: Spec) -> Iterator[tuple[str, int | None]]:
    for name, value in spec.cases[0].template:
        if type(value) is int:
            yield name, value
    for name, expression in spec.let:
        yield name, int(expression.text) if expression.text.isdigit() else None


def changes_data(spec: Spec, name: str, values: Sequence[int]) -> bool:
    """Whether another value of a number means other arguments: then it belongs to the problem."""
    for case in spec.cases:
        seen = {
            tuple((a.name, getattr(a, "shape", None), getattr(a, "values", None)) for a in resolved.arguments)
            for resolved in [resolve(spec, case), *(resolve(spec, chosen(case, {name: v})) for v in values)]
        }
        if len(seen) > 1:
            return True
    return False


def chosen(case: Case, numbers: Mapping[str, int]) -> Case:
    """A case with these values for template integers and named values."""
    template = tuple((name, numbers.get(name, value)) for name, value in case.template)
    names = {name for name, _ in template}
    sizes = dict(case.sizes) | {name: value for name, value in numbers.items() if name not in names}
    return replace(case, template=template, sizes=tuple(sizes.items()))
