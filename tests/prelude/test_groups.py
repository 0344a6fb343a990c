"""Cooperative groups: tiles, coalesced and labelled groups, their collectives, and the grid's numbers."""

import numpy as np
import pytest
from prelude_machine import Array, run

_KERNEL = """
kernel void probe(device const int* value [[buffer(0)]], device int* result [[buffer(1)]],
                  uint i [[thread_index_in_threadgroup]], uint n [[threads_per_threadgroup]],
                  uint3 position [[thread_position_in_threadgroup]],
                  uint3 group [[threadgroup_position_in_grid]], uint3 block [[threads_per_threadgroup]],
                  uint3 grid [[threadgroups_per_grid]], uint lane [[thread_index_in_simdgroup]]) {{
    cu::thread_block all = cu::this_thread_block(position, group, block, lane);
{body}
}}
"""


def _rows(expressions: list[str], threads: int, before: str = "") -> Array:
    """Each expression's value in every thread of one block; `value` holds 3 i + 1."""
    lines = [f"    result[{row} * n + i] = int({text});" for row, text in enumerate(expressions)]
    text = _KERNEL.format(body=before + "\n".join(lines))
    text = text.replace("uint n [[threads_per_threadgroup]],\n", "\n").replace("* n +", f"* {threads} +")
    values = np.arange(threads, dtype=np.int32) * 3 + 1
    result = np.full((len(expressions), threads), -99, np.int32)
    run(text, "probe", [values, result], 1, threads)
    return result


@pytest.mark.parametrize("threads", (32, 96))
def test_tiles(threads: int) -> None:
    index = np.arange(threads)
    value = index * 3 + 1
    for_widths = _rows(
        [
            expression
            for width in (2, 8, 32)
            for expression in (
                f"t{width}.thread_rank()",
                f"t{width}.size()",
                f"t{width}.meta_group_rank()",
                f"t{width}.meta_group_size()",
                f"cu::cg_reduce(t{width}, value[i], cu::plus<int>())",
                f"cu::cg_reduce(t{width}, value[i], cu::greater<int>())",
                f"cu::cg_inclusive_scan(t{width}, value[i])",
                f"cu::cg_exclusive_scan(t{width}, value[i], cu::plus<int>())",
                f"t{width}.shfl(value[i], 1)",
                f"t{width}.shfl_down(value[i], 1)",
                f"t{width}.ballot(value[i] % 2 == 0)",
                f"t{width}.any(value[i] == 4)",
                f"t{width}.all(value[i] < 100)",
                f"t{width}.match_any(value[i] % 4)",
            )
        ],
        threads,
        "".join(
            f"    auto t{w} = cu::tiled_partition<{w}>(all, lane);\n    t{w}.sync();\n" for w in (2, 8, 32)
        ),
    ).reshape(3, 14, threads)
    for found, width in zip(for_widths, (2, 8, 32), strict=True):
        tiles = value.reshape(-1, width)
        repeat = np.repeat
        expected = [
            index % width,
            np.full(threads, width),
            index // width,
            np.full(threads, threads // width),
            repeat(tiles.sum(1), width),
            repeat(tiles.max(1), width),
            np.cumsum(tiles, 1).ravel(),
            (np.cumsum(tiles, 1) - tiles).ravel(),
            repeat(tiles[:, 1], width),
            np.concatenate([tiles[:, 1:], tiles[:, -1:]], 1).ravel(),
            repeat([sum(1 << k for k, v in enumerate(t) if v % 2 == 0) for t in tiles], width),
            repeat((tiles == 4).any(1), width),
            repeat((tiles < 100).all(1), width),
            [sum(1 << k for k, v in enumerate(t) if v % 4 == x % 4) for t in tiles for x in t],
        ]
        for row, (one, other) in enumerate(zip(found, expected, strict=True)):
            np.testing.assert_array_equal(
                one.view(np.uint32), np.asarray(other).astype(np.uint32), err_msg=f"{width}: {row}"
            )


def test_a_tile_of_a_tile() -> None:
    found = _rows(
        [
            "inner.meta_group_rank()",
            "inner.meta_group_size()",
            "cu::cg_reduce(inner, value[i], cu::plus<int>())",
        ],
        32,
        "    auto outer = cu::tiled_partition<16>(all, lane);\n"
        "    auto inner = cu::tiled_partition<4>(outer, lane);\n",
    )
    index = np.arange(32)
    np.testing.assert_array_equal(found[0], index % 16 // 4)
    np.testing.assert_array_equal(found[1], np.full(32, 4))
    np.testing.assert_array_equal(found[2], np.repeat((index * 3 + 1).reshape(-1, 4).sum(1), 4))


def test_coalesced_threads_in_a_branch() -> None:
    """Every third lane forms a group; ranks, shuffles and collectives count its members only."""
    body = """
    if (i % 3 == 0) {
        cu::coalesced_group some = cu::coalesced_threads(lane);
        result[i] = int(some.size());
        result[32 + i] = int(some.thread_rank());
        result[64 + i] = some.shfl(value[i], 2);
        result[96 + i] = some.shfl_up(value[i], 1);
        result[128 + i] = some.shfl_down(value[i], 3);
        result[160 + i] = cu::cg_reduce(some, value[i], cu::plus<int>());
        result[192 + i] = cu::cg_inclusive_scan(some, value[i]);
        result[224 + i] = cu::cg_exclusive_scan(some, value[i]);
        result[256 + i] = int(some.ballot(value[i] % 2 == 0));
        result[288 + i] = int(some.match_any(value[i] % 4));
    }
"""
    text = _KERNEL.format(body=body).replace("uint n [[threads_per_threadgroup]],\n", "\n")
    values = np.arange(32, dtype=np.int32) * 3 + 1
    result = np.full((10, 32), -99, np.int32)
    run(text, "probe", [values, result], 1, 32)
    members = np.arange(0, 32, 3)
    v = values[members]
    n = len(v)
    ranks = np.arange(n)
    expected = [
        np.full(n, n),
        ranks,
        np.full(n, v[2]),
        v[np.maximum(ranks - 1, 0)],
        [v[r + 3] if r + 3 < n else v[r] for r in ranks],
        np.full(n, v.sum()),
        np.cumsum(v),
        np.cumsum(v) - v,
        np.full(n, sum(1 << k for k in ranks.tolist() if v[k] % 2 == 0)),
        [sum(1 << k for k in ranks.tolist() if v[k] % 4 == x % 4) for x in v],
    ]
    for row, other in enumerate(expected):
        np.testing.assert_array_equal(result[row][members], other, err_msg=str(row))
        assert set(np.delete(result[row], members)) == {-99}


def test_partitions_by_label() -> None:
    found = _rows(
        [
            "label.size()",
            "label.thread_rank()",
            "label.meta_group_rank()",
            "label.meta_group_size()",
            "cu::cg_reduce(label, value[i], cu::less<int>())",
            "half_.size()",
            "half_.meta_group_rank()",
            "dynamic.thread_rank()",
            "dynamic.size()",
        ],
        32,
        "    cu::coalesced_group label = cu::labeled_partition(all, int(i * i % 5), lane);\n"
        "    cu::coalesced_group half_ = cu::binary_partition(all, i < 11, lane);\n"
        "    cu::coalesced_group dynamic = cu::tiled_partition(all, 8, lane);\n",
    )
    labels = [i * i % 5 for i in range(32)]
    order = list(dict.fromkeys(labels))
    np.testing.assert_array_equal(found[0], [labels.count(x) for x in labels])
    np.testing.assert_array_equal(found[1], [labels[:i].count(x) for i, x in enumerate(labels)])
    np.testing.assert_array_equal(found[2], [order.index(x) for x in labels])
    assert set(found[3]) == {len(order)}
    np.testing.assert_array_equal(found[4], [3 * labels.index(x) + 1 for x in labels])
    np.testing.assert_array_equal(found[5], [11] * 11 + [21] * 21)
    np.testing.assert_array_equal(found[6], [1] * 11 + [0] * 21)
    np.testing.assert_array_equal(found[7], np.arange(32) % 8)
    assert set(found[8]) == {8}


def test_block_and_grid() -> None:
    text = """
kernel void probe(device int* result [[buffer(0)]], uint3 position [[thread_position_in_threadgroup]],
                  uint3 group [[threadgroup_position_in_grid]], uint3 block [[threads_per_threadgroup]],
                  uint3 grid [[threadgroups_per_grid]], uint lane [[thread_index_in_simdgroup]]) {
    cu::thread_block all = cu::this_thread_block(position, group, block, lane);
    cu::thread_group any = all;
    any.sync();
    uint at = uint(cu::grid_thread_rank(position, group, block, grid));
    result[at * 4] = int(all.thread_rank() + 1000 * all.size());
    result[at * 4 + 1] = int(cu::grid_block_rank(group, grid) + 1000 * cu::grid_num_blocks(grid));
    result[at * 4 + 2] = int(cu::grid_size(block, grid));
    result[at * 4 + 3] = int(all.group_index().x + any.thread_rank() + any.size());
}
"""
    result = np.zeros((3 * 48, 4), np.int32)
    run(text, "probe", [result], 3, 48)
    at = np.arange(3 * 48)
    np.testing.assert_array_equal(result[:, 0], at % 48 + 48000)
    np.testing.assert_array_equal(result[:, 1], at // 48 + 3000)
    assert set(result[:, 2]) == {144}
    np.testing.assert_array_equal(result[:, 3], at // 48 + at % 48 + 48)
