"""Warp shuffle, vote, match, reduce. A simdgroup has 32 threads on every Apple GPU, like a warp.

Metal's own shuffles want a delta that is uniform over the simdgroup (MSL §6.9.2) and know no `width`, so the
general forms come from the support library; a rule puts the native one where the arguments allow.
"""

from cu2mlx.transpiler.tables.row import Builtin, row

_LEGACY = "without a mask: removed from CUDA 9 on; all active lanes take part"

# name, its parameter after the value
_SHUFFLES = (
    ("shfl", "int srcLane"),
    ("shfl_up", "unsigned int delta"),
    ("shfl_down", "unsigned int delta"),
    ("shfl_xor", "int laneMask"),
)

ROWS: tuple[Builtin, ...] = (
    *(
        row(
            f"T __{name}_sync(unsigned int mask, T value, {source}, int width = 32)",
            f"cu::{name}_sync({{1}}, {{2}}, {{3=32}}, {{lane}})",
            caveat="the mask is not checked: named lanes must be active, as CUDA demands",
        )
        for name, source in _SHUFFLES
    ),
    *(
        row(
            f"T __{name}(T value, {source}, int width = 32)",
            f"cu::{name}_sync({{0}}, {{1}}, {{2=32}}, {{lane}})",
            caveat=_LEGACY,
        )
        for name, source in _SHUFFLES
    ),
    row("int __all_sync(unsigned int mask, int predicate)", "cu::all_sync({0}, {1})"),
    row("int __any_sync(unsigned int mask, int predicate)", "cu::any_sync({0}, {1})"),
    row("int __uni_sync(unsigned int mask, int predicate)", "cu::uni_sync({0}, {1})"),
    row("unsigned int __ballot_sync(unsigned int mask, int predicate)", "cu::ballot_sync({0}, {1})"),
    row("int __all(int predicate)", "cu::all_sync(0xffffffffu, {0})", caveat=_LEGACY),
    row("int __any(int predicate)", "cu::any_sync(0xffffffffu, {0})", caveat=_LEGACY),
    row("unsigned int __ballot(int predicate)", "cu::ballot_sync(0xffffffffu, {0})", caveat=_LEGACY),
    row("unsigned int __activemask()", "cu::activemask()"),
    row("unsigned int __match_any_sync(unsigned int mask, T value)", "cu::match_any_sync({0}, {1})"),
    row(
        "unsigned int __match_all_sync(unsigned int mask, T value, int *predicate)",
        "cu::match_all_sync({0}, {1}, {2})",
    ),
    *(
        row(
            f"T __reduce_{name}_sync(unsigned int mask, T value)",
            f"cu::reduce_{name}_sync({{0}}, {{1}})",
        )
        for name in ("add", "min", "max", "and", "or", "xor")
    ),
)
