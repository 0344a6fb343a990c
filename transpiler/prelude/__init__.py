"""The MSL support library: what CUDA has and Metal lacks, one `.metal` file per topic.

`assemble` hands out only what a kernel uses: the named definitions and what they need, in dependency order.
"""

from collections.abc import Iterable
from functools import cache, lru_cache

from cu2mlx.transpiler.prelude.library import Definition, library, uses

_PLAIN_TYPES = frozenset({"int", "uint", "long", "ulong", "float", "half", "bfloat", "half2", "bfloat2"})

LOWEST_METAL = "3.1"  # that has most of the library

__all__ = ["LOWEST_METAL", "assemble", "available", "requires_metal", "takes"]


@cache
def available() -> frozenset[str]:
    """Every name `assemble` knows, without its `cu::`."""
    return frozenset(library())


def assemble(names: Iterable[str]) -> str:
    """MSL text of `namespace cu` with the named definitions and what they depend on; "" for no names.

    Names may carry their `cu::`. All overloads of a name come together, after what they use; of a function on
    pointers "atomic_add(device float)", "atomic_add(device)" and "atomic_add(inout)" ask for some only.
    Raises KeyError with the unknown name.
    """
    return _assemble(_wanted(names))


def takes(name: str, space: str) -> bool:
    """Whether a function on pointers has an overload for memory of this space ("device", "inout")."""
    return any(part.pointer is None or part.pointer.split()[0] == space for part in library().get(name, ()))


def requires_metal(names: Iterable[str]) -> str:
    """The lowest Metal version that has everything the names need: "3.1" for most, "3.2" for fences."""
    versions = [part.metal for part in _closure(_wanted(names))]
    return max(versions, default=LOWEST_METAL, key=lambda version: tuple(map(int, version.split("."))))


def _wanted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({name.removeprefix("cu::") for name in names}))


@lru_cache(maxsize=256)
def _assemble(names: tuple[str, ...]) -> str:
    parts = _closure(names)
    if not parts:
        return ""
    parts.sort(key=lambda part: not part.forward)  # types that use each other need a declaration first
    return "namespace cu {\n\n" + "\n\n".join(part.text for part in parts) + "\n\n}  // namespace cu\n"


def _closure(names: tuple[str, ...]) -> list[Definition]:
    """The definitions of `names` and of all they use, used ones first."""
    known = library()
    asked: dict[str, set[str]] = {}
    for name in names:
        base, _, overload = name.rstrip(")").partition("(")
        asked.setdefault(base, set()).add(overload)
    groups: dict[str, list[Definition]] = {}
    entered: set[str] = set()

    def visit(name: str, overloads: set[str]) -> None:
        if name in entered:
            return
        if name not in known:
            raise KeyError(name)
        entered.add(name)
        chosen = [part for part in known[name] if _is_asked(part, overloads)]
        for part in chosen:
            for used in uses(part):
                visit(used, asked.get(used, {""}) | {""})
        groups[name] = chosen

    for name, overloads in asked.items():
        visit(name, overloads)
    return [part for parts in groups.values() for part in parts]


def _is_asked(part: Definition, overloads: set[str]) -> bool:
    if part.pointer is None or "" in overloads:
        return True
    space, _, type_ = part.pointer.partition(" ")
    generic = type_ not in _PLAIN_TYPES
    return any(
        asked == part.pointer or asked == space or (generic and asked.startswith(f"{space} "))
        for asked in overloads
    )
