"""What every CUDA device function is called in Metal: one table row each, one file per group."""

import re
from functools import cache

from cu2mlx.transpiler.tables import (
    atomics,
    bfloat,
    conversion,
    cub,
    groups,
    half,
    integer,
    math,
    memory,
    simd_word,
    standard,
    sync,
    unsupported,
    vector,
    warp,
)
from cu2mlx.transpiler.tables.row import Builtin

__all__ = ["GROUPS", "Builtin", "all_rows", "lookup", "suggest"]

# In the order of docs/builtins.md.
GROUPS: dict[str, tuple[Builtin, ...]] = {
    "Single-precision math": math.ROWS,
    "Half precision": half.ROWS,
    "Bfloat16": bfloat.ROWS,
    "Integers": integer.ROWS,
    "SIMD in a word": simd_word.ROWS,
    "Conversion": conversion.ROWS,
    "Warp": warp.ROWS,
    "Synchronisation and control": sync.ROWS,
    "Atomics": atomics.ROWS,
    "Memory": memory.ROWS,
    "Vectors and complex numbers": vector.ROWS,
    "Cooperative groups": groups.ROWS,
    "CUB": cub.ROWS,
    "Standard library": standard.ROWS,
    "Without a counterpart": unsupported.ROWS,
}

_CLOSE_ENOUGH = 0.7
_TEMPLATE_ARGUMENTS = re.compile(r"<.*>")
# Namespaces as sources write them → as row names do.
_NAMESPACES = {
    "cooperative_groups::": "cg::",
    "nvcuda::wmma::": "wmma::",
    "cuda::std::": "std::",
    "thrust::": "std::",
}
# Functions that sources call by their bare name after `using namespace cooperative_groups`.
_USED_UNQUALIFIED = frozenset(
    (
        "this_thread_block",
        "tiled_partition",
        "coalesced_threads",
        "this_grid",
        "this_cluster",
        "labeled_partition",
    )
)


@cache
def lookup(name: str) -> tuple[Builtin, ...]:
    """The overload set of a CUDA function, the most general row last; empty if it is not one.

    `name` is as in the source: `std::exp`, `cooperative_groups::tiled_partition<32>`. Members are asked
    for with the type of their object: `cg::thread_block::sync`.
    """
    known = _by_name()
    for spelled in _readings(name):
        if spelled in known:
            return known[spelled]
    return ()


def suggest(name: str) -> list[str]:
    """Up to five known names like `name`: its members, those that differ by namespace only, then the closest."""
    import difflib

    names = list(_by_name())
    members = [known for known in names if known.startswith(f"{name}::")]
    elsewhere = [known for known in names if known.rsplit("::", 1)[-1] == name]
    close = difflib.get_close_matches(name, names, n=5, cutoff=_CLOSE_ENOUGH)
    return list(dict.fromkeys((*members, *elsewhere, *close)))[:5]


def all_rows() -> tuple[Builtin, ...]:
    """Every row, in the order of the groups."""
    return tuple(row for rows in GROUPS.values() for row in rows)


def _readings(name: str) -> tuple[str, ...]:
    """The row names that a name in the source may mean, the likeliest first."""
    plain = _TEMPLATE_ARGUMENTS.sub("", name).removeprefix("::")
    for prefix, short in _NAMESPACES.items():
        if plain.startswith(prefix):
            plain = short + plain.removeprefix(prefix)
            break
    unqualified = plain.removeprefix("std::") if plain.startswith("std::") else plain.removeprefix("cg::")
    in_scope = f"cg::{plain}" if plain in _USED_UNQUALIFIED else plain
    return (plain, unqualified, in_scope)


@cache
def _by_name() -> dict[str, tuple[Builtin, ...]]:
    found: dict[str, list[Builtin]] = {}
    for row in all_rows():
        found.setdefault(row.name, []).append(row)
    return {name: tuple(rows) for name, rows in found.items()}
