"""Cooperative groups. Groups are objects of the support library with CUDA's method names.

A method is a row named `class::method`; `{self}` is the object. `thread_block_tile` rows hold for tiles of at
most 32 threads: a simdgroup is the largest group whose threads can exchange values.
"""

from cu2mlx.transpiler.tables.row import Builtin, refused, row

_TILES = ("thread_block_tile", "coalesced_group")
_GROUPS = ("thread_block", *_TILES, "thread_group")
_RANKS = ("size", "num_threads", "thread_rank")
_BLOCK_SHAPE = ("group_index", "thread_index", "group_dim", "dim_threads")
_SHUFFLES = (
    ("shfl", "int source"),
    ("shfl_up", "int delta"),
    ("shfl_down", "unsigned int delta"),
)
_REDUCTIONS = ("reduce", "inclusive_scan", "exclusive_scan")
_OPERATORS = ("plus", "less", "greater", "bit_and", "bit_or", "bit_xor")
_GRID = ("sync", "is_valid", "barrier_arrive", "barrier_wait")
_GRID_RANKS = {
    "size": "cu::grid_size({block}, {grid})",
    "num_threads": "cu::grid_size({block}, {grid})",
    "thread_rank": "cu::grid_thread_rank({thread}, {group}, {block}, {grid})",
    "num_blocks": "cu::grid_num_blocks({grid})",
    "block_rank": "cu::grid_block_rank({group}, {grid})",
}
_GRID_SHAPE = {"group_dim": "{grid}", "dim_blocks": "{grid}", "block_index": "{group}"}

ROWS: tuple[Builtin, ...] = (
    row("thread_block cg::this_thread_block()", "cu::this_thread_block({thread}, {group}, {block}, {lane})"),
    row("coalesced_group cg::coalesced_threads()", "cu::coalesced_threads({lane})"),
    row(
        "thread_block_tile<N> cg::tiled_partition(const G &parent)",
        "cu::tiled_partition<{t0}>({0}, {lane})",
        caveat="N is at most 32",
    ),
    row(
        "thread_group cg::tiled_partition(const G &parent, unsigned int size)",
        "cu::tiled_partition({0}, {1}, {lane})",
    ),
    row(
        "coalesced_group cg::binary_partition(const G &parent, bool side)",
        "cu::binary_partition({0}, {1}, {lane})",
    ),
    row(
        "coalesced_group cg::labeled_partition(const G &parent, T label)",
        "cu::labeled_partition({0}, {1}, {lane})",
    ),
    row("thread_block_tile<1> cg::this_thread()", "cu::this_thread({lane})"),
    row("void cg::sync(const G &group)", "{0}.sync()"),
    row("unsigned int cg::thread_rank(const G &group)", "{0}.thread_rank()"),
    row("unsigned int cg::group_size(const G &group)", "{0}.size()"),
    row("unsigned int cg::num_threads(const G &group)", "{0}.size()"),
    *(
        row(f"T cg::{name}(const G &group, T value, Op op)", f"cu::cg_{name}({{0}}, {{1}}, {{2}})")
        for name in _REDUCTIONS
    ),
    *(
        row(f"T cg::{name}(const G &group, T value)", f"cu::cg_{name}({{0}}, {{1}})")
        for name in _REDUCTIONS[1:]
    ),
    *(row(f"cg::{name}<T> cg::{name}()", f"cu::{name}<{{t0}}>()") for name in _OPERATORS),
    row(
        "void cg::memcpy_async(const G &group, T *to, const T *from, size_t bytes)",
        "cu::cg_memcpy_async({0}, {1}, {2}, {3})",
        caveat="done at once; the wait that follows is a barrier",
        code="CU4106",
    ),
    row("void cg::invoke_one(const G &group, ...)", "cu::invoke_one({arguments})"),
    row("T cg::invoke_one_broadcast(const G &group, ...)", "cu::invoke_one_broadcast({arguments})"),
    row("void cg::wait(const G &group)", "{0}.sync()"),
    row("void cg::wait_prior(const G &group)", "{0}.sync()"),
    *(row(f"void {group}::sync()", "{self}.sync()") for group in _GROUPS),
    *(row(f"unsigned int {group}::{name}()", f"{{self}}.{name}()") for group in _GROUPS for name in _RANKS),
    *(row(f"dim3 thread_block::{name}()", f"{{self}}.{name}()") for name in _BLOCK_SHAPE),
    *(
        row(f"unsigned int {group}::{name}()", f"{{self}}.{name}()")
        for group in _TILES
        for name in ("meta_group_rank", "meta_group_size")
    ),
    *(
        row(f"T {group}::{name}(T value, {source})", f"{{self}}.{name}({{0}}, {{1}})")
        for group in _TILES
        for name, source in _SHUFFLES
    ),
    row("T thread_block_tile::shfl_xor(T value, unsigned int mask)", "{self}.shfl_xor({0}, {1})"),
    *(
        row(f"int {group}::{name}(int predicate)", f"{{self}}.{name}({{0}})")
        for group in _TILES
        for name in ("any", "all")
    ),
    *(row(f"unsigned int {group}::ballot(int predicate)", "{self}.ballot({0})") for group in _TILES),
    *(row(f"unsigned int {group}::match_any(T value)", "{self}.match_any({0})") for group in _TILES),
    *(
        row(f"unsigned int {group}::match_all(T value, int &predicate)", "{self}.match_all({0}, {1})")
        for group in _TILES
    ),
    row(
        "grid_group cg::this_grid()",
        "cu::grid_group()",
        caveat="for its sizes and ranks; it cannot synchronise",
    ),
    *(row(f"unsigned long long grid_group::{name}()", how) for name, how in _GRID_RANKS.items()),
    *(row(f"dim3 grid_group::{name}()", how) for name, how in _GRID_SHAPE.items()),
    *(refused(f"void grid_group::{name}()", "CU3201") for name in _GRID),
    refused("cluster_group cg::this_cluster()", "CU3202"),
)
