"""Cooperative groups: tiles of 1 to 32 threads, coalesced, labelled and binary groups, and the block."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from tests.warp.family import LANES, Array, Family, Threads, Truth, warps

_HEADERS = """#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
"""
_SIZES = (1, 2, 4, 8, 16, 32)
_COUNT = 40
_OPERATORS: dict[str, np.ufunc] = {
    "plus": np.add,
    "less": np.minimum,
    "greater": np.maximum,
    "bit_and": np.bitwise_and,
    "bit_or": np.bitwise_or,
    "bit_xor": np.bitwise_xor,
}

# What a group's threads compute, given the values (and choices) of its members in rank order.
PerGroup = Callable[[Array, Array], Array]


def _rank(v: Array, a: Array) -> Array:
    return np.arange(len(v))


def _size(v: Array, a: Array) -> Array:
    return np.full(len(v), len(v))


def _word(flags: Array) -> Array:
    return np.full(len(flags), int(sum(1 << i for i in np.flatnonzero(flags))))


def _same(v: Array, a: Array) -> Array:
    return np.array([_word(np.fmod(v, 3) == np.fmod(each, 3))[0] for each in v])


def _agree(v: Array, a: Array) -> Array:
    return np.where((v > -245).all() or not (v > -245).any(), _word(v == v), 0)


def _fold(fold: np.ufunc, v: Array, a: Array) -> Array:
    return np.full(len(v), fold.reduce(v))


def _up_to(fold: np.ufunc, v: Array, a: Array) -> Array:
    result: Array = fold.accumulate(v)
    return result


def _before(fold: np.ufunc, v: Array, a: Array) -> Array:
    return np.concatenate([[0], fold.accumulate(v)[:-1]])


def _shfl(v: Array, a: Array) -> Array:
    return v[a % len(v)]


def _shfl_up(v: Array, a: Array) -> Array:
    ranks, distance = np.arange(len(v)), a % LANES
    return v[np.where(distance > ranks, ranks, ranks - distance)]


def _shfl_down(v: Array, a: Array) -> Array:
    ranks, distance = np.arange(len(v)), a % LANES
    return v[np.where(ranks + distance >= len(v), ranks, ranks + distance)]


def _shfl_xor(v: Array, a: Array) -> Array:
    ranks = np.arange(len(v))
    other = ranks ^ (a % len(v))
    return v[other]


# {g} stands for the group. Distances of one's own lane are below the group's size, as CUDA asks.
_COMMON: dict[str, PerGroup] = {
    "{g}.thread_rank()": _rank,
    "{g}.size()": _size,
    "{g}.num_threads()": _size,
    "cg::thread_rank({g})": _rank,
    "cg::group_size({g})": _size,
    "{g}.shfl(v, a % (int){g}.size())": _shfl,
    "{g}.shfl_up(v, a & 31)": _shfl_up,
    "{g}.shfl_down(v, a & 31)": _shfl_down,
    "{g}.any(v > 200)": lambda v, a: np.full(len(v), (v > 200).any()),
    "{g}.all(v > -200)": lambda v, a: np.full(len(v), (v > -200).all()),
    "{g}.ballot(v & 1)": lambda v, a: _word(v & 1),
    "{g}.match_any(v % 3)": _same,
    "{g}.match_all(v > -245, agree)": _agree,
    "({g}.match_all(v > -245, agree), agree)": lambda v, a: _agree(v, a) != 0,
    "cg::inclusive_scan({g}, v)": partial(_up_to, np.add),
    "cg::exclusive_scan({g}, v)": partial(_before, np.add),
    **{f"cg::reduce({{g}}, v, cg::{name}<int>())": partial(_fold, fold) for name, fold in _OPERATORS.items()},
    **{
        f"cg::inclusive_scan({{g}}, v, cg::{name}<int>())": partial(_up_to, fold)
        for name, fold in _OPERATORS.items()
    },
    **{
        f"cg::exclusive_scan({{g}}, v, cg::{name}<int>())": partial(_before, fold)
        for name, fold in _OPERATORS.items()
    },
    "(int)cg::reduce({g}, (float)v, cg::plus<float>())": partial(_fold, np.add),
    "(int)cg::reduce({g}, (float)v, cg::less<float>())": partial(_fold, np.minimum),
    "(int)cg::inclusive_scan({g}, (float)v)": partial(_up_to, np.add),
    "(int)cg::exclusive_scan({g}, (float)v, cg::plus<float>())": partial(_before, np.add),
    "(int)(cg::reduce({g}, (long long)v << 33, cg::plus<long long>()) >> 33)": partial(_fold, np.add),
    "cg::reduce({g}, (unsigned int)v & 255u, cg::greater<unsigned int>())": lambda v, a: np.full(
        len(v), (v & 255).max()
    ),
}


def _over(groups: Callable[[Threads], Array], compute: PerGroup, threads: Threads) -> Array:
    """`groups` numbers each thread's group within its block; members have their ranks in lane order."""
    result = np.zeros(threads.v.shape, np.int64)
    numbers = groups(threads)
    for block in range(len(result)):
        for number in np.unique(numbers[block]):
            place = np.flatnonzero(numbers[block] == number)
            result[block, place] = compute(threads.v[block, place], threads.a[block, place])
    return result


def _rows(group: str, rows: dict[str, PerGroup], groups: Callable[[Threads], Array]) -> dict[str, Truth]:
    return {text.format(g=group): partial(_over, groups, compute) for text, compute in rows.items()}


def _tiles(block: int, blocks: int) -> Iterator[Family]:
    """Every size of tile, in blocks of `block` threads."""
    shape = (blocks, block)
    random = np.random.default_rng(block)
    threads = Threads(
        random.integers(-250, 250, shape), random.integers(0, LANES, shape), np.ones(shape), np.ones(shape)
    )
    for size in (s for s in _SIZES if block % s == 0):

        def numbers(given: Threads, size: int = size) -> Array:
            return given.rank // size

        rows = _rows("tile", {**_COMMON, "{g}.shfl_xor(v, a % (int){g}.size())": _shfl_xor}, numbers)
        rows["tile.meta_group_rank()"] = numbers
        rows["tile.meta_group_size()"] = lambda t, size=size: t.v * 0 + block // size
        before = f"""    int agree = 7;
    cg::thread_block all = cg::this_thread_block();
    cg::thread_block_tile<{size}> tile = cg::tiled_partition<{size}>(all);
    tile.sync();"""
        yield Family(f"tiles of {size} in {block}", threads, rows, before, _HEADERS)


def _halves(threads: Threads) -> Array:
    return threads.member.astype(int)


def _inner(threads: Threads) -> Array:
    """Tiles of 4 in tiles of 16."""
    return threads.lane // 4


def _chosen() -> Threads:
    a = np.random.default_rng(8).integers(0, LANES, (_COUNT, LANES))
    return warps(_COUNT, 21, a)


_COALESCED = {
    **_rows("some", _COMMON, _halves),
    "some.meta_group_rank()": lambda t: t.v * 0,
    "some.meta_group_size()": lambda t: t.v * 0 + 1,
}
_LABELLED = {
    **_rows("mine", _COMMON, lambda t: t.v % 4),
    "mine.meta_group_size()": lambda t: np.broadcast_to(
        np.array([len(np.unique(row % 4)) for row in t.v])[:, None], t.v.shape
    ),
}
_BINARY = _rows("side", _COMMON, lambda t: t.v % 2)
_NESTED = {
    **_rows("four", _COMMON, _inner),
    "four.meta_group_rank()": lambda t: t.lane // 4 % 4,
    "four.meta_group_size()": lambda t: t.v * 0 + 4,
}
_BLOCK: dict[str, Truth] = {
    "all.size()": lambda t: t.v * 0 + t.v.shape[1],
    "all.num_threads()": lambda t: t.v * 0 + t.v.shape[1],
    "all.thread_rank()": lambda t: t.rank,
    "all.group_index().x": lambda t: np.arange(len(t.v))[:, None] + t.v * 0,
    "all.thread_index().x": lambda t: t.rank,
    "all.group_dim().x": lambda t: t.v * 0 + t.v.shape[1],
    "all.dim_threads().y": lambda t: t.v * 0 + 1,
    "(unsigned int)cg::this_grid().size()": lambda t: t.v * 0 + t.v.size,
    "(unsigned int)cg::this_grid().thread_rank()": lambda t: np.arange(t.v.size).reshape(t.v.shape),
    "cg::this_thread().size()": lambda t: t.v * 0 + 1,
    "(all.sync(), seen[(threadIdx.x + 1) % blockDim.x])": lambda t: np.roll(t.v, -1, 1),
}

FAMILIES = (
    *_tiles(32, 12),
    *_tiles(96, 4),
    *_tiles(48, 4),
    Family(
        "coalesced threads",
        _chosen(),
        _COALESCED,
        "    int agree = 7;\n    cg::coalesced_group some = cg::coalesced_threads();",
        _HEADERS,
        only_members=True,
    ),
    Family(
        "labelled groups",
        _chosen(),
        _LABELLED,
        "    int agree = 7;\n    auto warp = cg::tiled_partition<32>(cg::this_thread_block());\n"
        "    auto mine = cg::labeled_partition(warp, v & 3);",
        _HEADERS,
    ),
    Family(
        "binary groups",
        _chosen(),
        _BINARY,
        "    int agree = 7;\n    auto warp = cg::tiled_partition<32>(cg::this_thread_block());\n"
        "    auto side = cg::binary_partition(warp, v & 1);",
        _HEADERS,
    ),
    Family(
        "tiles of tiles",
        _chosen(),
        _NESTED,
        "    int agree = 7;\n    auto sixteen = cg::tiled_partition<16>(cg::this_thread_block());\n"
        "    auto four = cg::tiled_partition<4>(sixteen);",
        _HEADERS,
    ),
    Family(
        "the block as a group",
        Threads(*(np.random.default_rng(9).integers(1, 99, (3, 45)) for _ in range(4))),
        _BLOCK,
        "    __shared__ int seen[1024];\n    cg::thread_block all = cg::this_thread_block();\n"
        "    seen[threadIdx.x] = v;",
        _HEADERS,
    ),
)
