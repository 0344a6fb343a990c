"""The MSL support library: what CUDA has and Metal lacks, one `.metal` file per topic.

`assemble` hands out only what a kernel uses: the named definitions and what they need, in dependency order.
"""

from collections.abc import Iterable
from functools import lru_cache

from cu2mlx.transpiler.prelude.library import library, read, uses

__all__ = ["assemble", "available", "cuda_text", "requires_metal"]


def available() -> frozenset[str]:
    """Every name `assemble` knows, without its `cu::`."""
    return frozenset(library())


def assemble(names: Iterable[str]) -> str:
    """MSL text of `namespace cu` with the named definitions and what they depend on; "" for no names.

    Names may carry their `cu::`. All overloads of a name come together, after what they use.
    Raises KeyError with the unknown name.
    """
    return _assemble(_wanted(names))


def requires_metal(names: Iterable[str]) -> str:
    """The lowest Metal version that has everything the names need: "3.1" for most, "3.2" for fences."""
    known = library()
    versions = [part.metal for name in _closure(_wanted(names)) for part in known[name]]
    return max(versions, default="3.1", key=lambda version: tuple(map(int, version.split("."))))


def cuda_text(name: str) -> str:
    """CUDA C++ text of a support header ("inout_ptr") for mx.fast.cuda_kernel. Raises KeyError if unknown."""
    if name != "inout_ptr":
        raise KeyError(name)
    return read(f"{name}.cuh")


def _wanted(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({name.removeprefix("cu::") for name in names}))


@lru_cache(maxsize=256)
def _assemble(names: tuple[str, ...]) -> str:
    known = library()
    parts = [part for name in _closure(names) for part in known[name]]
    if not parts:
        return ""
    parts.sort(key=lambda part: not part.forward)  # types that use each other need a declaration first
    return "namespace cu {\n\n" + "\n\n".join(part.text for part in parts) + "\n\n}  // namespace cu\n"


def _closure(names: tuple[str, ...]) -> list[str]:
    """`names` and all they use, used ones first."""
    known = library()
    ordered: list[str] = []
    entered: set[str] = set()

    def visit(name: str) -> None:
        if name in entered:
            return
        if name not in known:
            raise KeyError(name)
        entered.add(name)
        for used in uses(name):
            visit(used)
        ordered.append(name)

    for name in names:
        visit(name)
    return ordered
