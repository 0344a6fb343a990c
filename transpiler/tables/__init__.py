"""What every CUDA device function is called in Metal: one table row each, one file per group."""

from functools import cache

from cu2mlx.transpiler.tables import (
    atomics,
    bfloat,
    conversion,
    groups,
    half,
    integer,
    math,
    memory,
    simd_word,
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
    "Without a counterpart": unsupported.ROWS,
}

_CLOSE_ENOUGH = 0.7


def lookup(name: str) -> tuple[Builtin, ...]:
    """The overload set of a CUDA function, the most general row last; empty if it is not one.

    Members are asked for as `thread_block::sync`, functions of namespaces as `cg::reduce`, `wmma::mma_sync`.
    """
    return _by_name().get(name, ())


def suggest(name: str) -> list[str]:
    """Up to five known names like `name`: those that differ by namespace only, then the closest."""
    import difflib

    names = list(_by_name())
    members = [known for known in names if known.rsplit("::", 1)[-1] == name]
    close = difflib.get_close_matches(name, names, n=5, cutoff=_CLOSE_ENOUGH)
    return list(dict.fromkeys((*members, *close)))[:5]


def all_rows() -> tuple[Builtin, ...]:
    """Every row, in the order of the groups."""
    return tuple(row for rows in GROUPS.values() for row in rows)


@cache
def _by_name() -> dict[str, tuple[Builtin, ...]]:
    found: dict[str, list[Builtin]] = {}
    for row in all_rows():
        found.setdefault(row.name, []).append(row)
    return {name: tuple(rows) for name, rows in found.items()}
