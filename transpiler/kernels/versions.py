"""A template that the file launches for several classes or functions is one kernel to MLX for each of them, since MLX
passes dtypes, numbers and truth values only."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from cu2mlx.transpiler.kernels.overloads import emitted_names, launches_of
from cu2mlx.transpiler.kernels.templates import class_parameters, is_declared, passed_class
from cu2mlx.transpiler.model.declarations import Declarations, Function
from cu2mlx.transpiler.model.launches import Launch
from cu2mlx.transpiler.model.template_values import as_called

Arguments = tuple[str, ...]


@dataclass(eq=False, slots=True)
class Version:
    """A kernel under the name that it has in Metal and Python, and the launches that are its own."""

    function: Function
    name: str
    launches: list[Launch] = field(default_factory=list)
    instantiated: list[Arguments] = field(default_factory=list)


def versions_of(
    declared: Declarations,
    text: str,
    launches: Sequence[Launch],
    instantiated: dict[str, list[Arguments]],
    asked: frozenset[str],
) -> list[Version]:
    """All kernels of a file, in source order; those in `asked` are for the one class that the user names."""
    found: list[Version] = []
    names = emitted_names(declared.kernels)
    taken = set(names.values())
    for function, name in names.items():
        whole = Version(
            function, name, launches_of(function, declared, launches), instantiated.get(function.name, [])
        )
        several = [] if name in asked else list(_for_each_class(whole, declared, text))
        clear = taken.isdisjoint(each.name for each in several)
        found += several if len(several) > 1 and clear else [whole]
    return found


def _for_each_class(whole: Version, declared: Declarations, text: str) -> Iterator[Version]:
    """One version for each choice of classes and functions that a launch or an explicit instantiation makes."""
    function = whole.function
    places = {index: p.name for index, p, _ in class_parameters(function, (), text, declared)}
    versions: dict[Arguments, Version] = {}

    def version(given: Arguments, launch: Launch | None) -> Version | None:
        chosen = [
            given[index] if index < len(given) else passed_class(name, function, launch) if launch else None
            for index, name in places.items()
        ]
        known = tuple(each for each in chosen if each is not None and is_declared(each, declared))
        if not places or len(known) != len(places):
            return None
        words = [_word(as_called(each, declared, text)) for each in known]
        return versions.setdefault(known, Version(function, "_".join([whole.name, *words])))

    for launch in whole.launches:
        if (one := version(launch.template_arguments, launch)) is not None:
            one.launches.append(launch)
    for arguments in whole.instantiated:
        if (one := version(arguments, None)) is not None:
            one.instantiated.append(arguments)
    yield from versions.values()


def _word(spelling: str) -> str:
    """`Traits_64` of `ns::Traits<64>`."""
    return re.sub(r"\W+", "_", re.sub(r"\w+\s*::\s*", "", spelling)).strip("_")
