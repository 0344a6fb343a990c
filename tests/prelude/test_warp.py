"""Shuffles, votes, matches and reductions, lane by lane against CUDA's definitions."""

import numpy as np
import pytest
from prelude_machine import Array, run

_LANES = 32
_BLOCK = """
kernel void probe(device const int* amount [[buffer(0)]], device const {type}* value [[buffer(1)]],
                  device {type}* result [[buffer(2)]], uint i [[thread_position_in_grid]],
                  uint lane [[thread_index_in_simdgroup]]) {{
{body}
}}
"""
_WIDTHS = (1, 2, 4, 8, 16, 32)
_KINDS = ("shfl", "shfl_up", "shfl_down", "shfl_xor")


def source_lane(kind: str, lane: int, amount: int, width: int) -> int:
    """The lane a CUDA shuffle reads (PTX shfl): outside of the segment the lane itself."""
    first = lane & ~(width - 1)
    if kind == "shfl":
        return first | (amount & (width - 1))
    if kind == "shfl_up":
        amount &= 31
        return lane - amount if lane - amount >= first else lane
    if kind == "shfl_down":
        amount &= 31
        return lane + amount if lane + amount < first + width else lane
    other = lane ^ (amount & 31)
    return other if other < first + width else lane


def _amounts(kind: str, seed: int) -> Array:
    random = np.random.default_rng(seed)
    if kind == "shfl":
        return random.integers(-40, 80, _LANES).astype(np.int32)
    if kind == "shfl_xor":
        return np.resize(np.array([1, 2, 16, 31, 5], np.int32), _LANES)
    return random.integers(0, 34, _LANES).astype(np.int32)


@pytest.mark.parametrize("kind", _KINDS)
def test_every_width_and_an_amount_per_lane(kind: str) -> None:
    values = np.arange(_LANES, dtype=np.float32) * 3 + 1
    lines = [
        f"    result[{row * _LANES} + i] = cu::{kind}_sync(value[i], amount[i], {width}, lane);"
        for row, width in enumerate(_WIDTHS)
    ]
    amount = _amounts(kind, 5)
    result = np.zeros((len(_WIDTHS), _LANES), np.float32)
    run(_BLOCK.format(type="float", body="\n".join(lines)), "probe", [amount, values, result], 1, _LANES)
    for row, width in enumerate(_WIDTHS):
        expected = [values[source_lane(kind, lane, int(amount[lane]), width)] for lane in range(_LANES)]
        np.testing.assert_array_equal(result[row], expected, err_msg=f"width {width}")


# MSL type, how a lane's number becomes one, and back
_TYPES = {
    "bool": ("value[i] % 3 == 0", "int({})"),
    "char": ("char(value[i])", "int({})"),
    "ushort": ("ushort(value[i])", "int({})"),
    "half": ("half(value[i])", "int({})"),
    "bfloat": ("bfloat(float(value[i]))", "int(float({}))"),
    "half2": ("half2(half(value[i]), half(1))", "int({}.x + {}.y)"),
    "bfloat2": ("bfloat2(bfloat(float(value[i])), bfloat(1.0f))", "int(float({}.x) + float({}.y))"),
    "long": ("long(value[i]) << 33", "int({} >> 33)"),
    "ulong": ("ulong(value[i]) << 33", "int({} >> 33)"),
    "float4": ("float4(value[i], 1, 2, 3)", "int({}.x + {}.w)"),
    "uint2": ("uint2(value[i], 7)", "int({}.x + {}.y)"),
}


@pytest.mark.parametrize("kind", ("shfl_up", "shfl_down", "shfl_xor"))
def test_one_distance_for_all_lanes(kind: str) -> None:
    values = np.arange(_LANES, dtype=np.float32) * 3 + 1
    distances = (0, 1, 5, 16, 31)
    lines = [
        f"    result[{row * _LANES} + i] = cu::lane_{kind.removeprefix('shfl_')}(value[i], {distance});"
        for row, distance in enumerate(distances)
    ]
    result = np.zeros((len(distances), _LANES), np.float32)
    amount = np.zeros(_LANES, np.int32)
    run(_BLOCK.format(type="float", body="\n".join(lines)), "probe", [amount, values, result], 1, _LANES)
    for row, distance in enumerate(distances):
        expected = [values[source_lane(kind, lane, distance, 32)] for lane in range(_LANES)]
        np.testing.assert_array_equal(result[row], expected, err_msg=f"distance {distance}")


@pytest.mark.parametrize("form", ("shfl_xor_sync({}, 5, 32, lane)", "lane_xor({}, 5)"))
def test_every_type(form: str) -> None:
    lines = []
    for row, (kind, (make, read)) in enumerate(_TYPES.items()):
        got = f"got{row}"
        lines.append(f"    {kind} {got} = cu::{form.format(f'{kind}({make})')};")
        lines.append(f"    result[{row * _LANES} + i] = {read.replace('{}', got)};")
    values = np.arange(_LANES, dtype=np.int32) + 2
    result = np.zeros((len(_TYPES), _LANES), np.int32)
    amount = np.zeros(_LANES, np.int32)
    run(_BLOCK.format(type="int", body="\n".join(lines)), "probe", [amount, values, result], 1, _LANES)
    moved = values[np.arange(_LANES) ^ 5]
    added = {"bool": None, "half2": 1, "bfloat2": 1, "float4": 3, "uint2": 7}
    for row, kind in enumerate(_TYPES):
        expected = (moved % 3 == 0).astype(int) if kind == "bool" else moved + (added.get(kind) or 0)
        np.testing.assert_array_equal(result[row], expected, err_msg=kind)


def test_votes_with_masks_and_in_a_branch() -> None:
    body = """
    bool odd = value[i] % 2 != 0;
    uint mask = 0x00ffff0fu;
    result[i] = int(cu::ballot_sync(mask, odd));
    result[32 + i] = cu::any_sync(mask, value[i] == 99);
    result[64 + i] = cu::all_sync(mask, value[i] != 4 + 100);
    result[96 + i] = cu::all_sync(0xffffffffu, true);
    result[128 + i] = cu::uni_sync(0xffffffffu, odd);
    result[160 + i] = -1;
    result[192 + i] = -1;
    if (lane < 9) {
        result[160 + i] = int(cu::activemask());
        result[192 + i] = int(cu::ballot_sync(0x1ffu, odd)) | (cu::all_sync(0x1ffu, lane < 9) ? 1 << 20 : 0);
    }
"""
    values = np.arange(_LANES, dtype=np.int32)
    result = np.zeros((7, _LANES), np.int32)
    run(_BLOCK.format(type="int", body=body), "probe", [values, values, result], 1, _LANES)
    votes = sum(1 << lane for lane in range(_LANES) if lane % 2)
    assert set(result[0]) == {votes & 0x00FFFF0F}
    assert set(result[1]) == {0}
    assert set(result[2]) == {1}
    assert set(result[3]) == {1}
    assert set(result[4]) == {0}
    assert set(result[5][:9]) == {0x1FF}
    assert set(result[5][9:]) == {-1}
    assert set(result[6][:9]) == {votes & 0x1FF | 1 << 20}


def test_matches() -> None:
    body = """
    float x = lane == 3 ? NAN : (lane == 4 ? -0.0f : float(value[i] % 4));
    int agree;
    result[i] = int(cu::match_any_sync(0xffffffffu, value[i] % 5));
    result[32 + i] = int(cu::match_any_sync(0xffffffffu, x));
    result[64 + i] = int(cu::match_any_sync(0xffffffffu, long(value[i] % 3) << 40));
    result[96 + i] = int(cu::match_all_sync(0xffffffffu, 7, &agree)) + agree;
    result[128 + i] = int(cu::match_all_sync(0xffffffffu, value[i], &agree)) + agree;
    result[160 + i] = int(cu::match_any_sync(lane < 8 ? 0xffu : 0xffffff00u, value[i] % 2));
"""
    values = np.arange(_LANES, dtype=np.int32)
    result = np.zeros((6, _LANES), np.int32)
    run(_BLOCK.format(type="int", body=body), "probe", [values, values, result], 1, _LANES)
    masks = result.view(np.uint32)

    def same(keys: list[object], members: list[int]) -> list[int]:
        return [sum(1 << m for m in members if keys[m] == key) for key in (keys[x] for x in members)]

    lanes = list(range(_LANES))
    np.testing.assert_array_equal(masks[0], same([v % 5 for v in lanes], lanes))
    keys: list[object] = [v % 4 for v in lanes]
    keys[3], keys[4] = "nan", "-0"
    np.testing.assert_array_equal(masks[1], same(keys, lanes))
    np.testing.assert_array_equal(masks[2], same([v % 3 for v in lanes], lanes))
    assert set(masks[3]) == {0}  # 0xffffffff + 1
    assert set(masks[4]) == {0}
    parity: list[object] = [v % 2 for v in lanes]
    np.testing.assert_array_equal(masks[5], same(parity, lanes[:8]) + same(parity, lanes[8:]))


@pytest.mark.parametrize("mask", (0xFFFFFFFF, 0x0000FFFF, 0x80000101))
def test_reductions(mask: int) -> None:
    names = ("add", "min", "max", "and", "or", "xor")
    lines = [f"    if ((0x{mask:x}u >> lane) & 1u) {{"]
    lines += [
        f"        result[{row * _LANES} + i] = cu::reduce_{name}_sync(0x{mask:x}u, value[i]);"
        for row, name in enumerate(names)
    ]
    lines.append("    }")
    values = np.random.default_rng(3).integers(-(2**20), 2**20, _LANES).astype(np.int32)
    result = np.zeros((len(names), _LANES), np.int32)
    run(_BLOCK.format(type="int", body="\n".join(lines)), "probe", [values, values, result], 1, _LANES)
    members = [lane for lane in range(_LANES) if (mask >> lane) & 1]
    chosen = values[members]
    expected = (
        chosen.sum(),
        chosen.min(),
        chosen.max(),
        np.bitwise_and.reduce(chosen),
        np.bitwise_or.reduce(chosen),
        np.bitwise_xor.reduce(chosen),
    )
    for row, name in enumerate(names):
        assert set(result[row][members]) == {expected[row]}, name


def test_reductions_of_two_masks_at_once() -> None:
    body = "    result[i] = cu::reduce_add_sync(lane < 5 ? 0x1fu : 0xffffffe0u, value[i]);"
    values = np.arange(_LANES, dtype=np.int32)
    result = np.zeros(_LANES, np.int32)
    run(_BLOCK.format(type="int", body=body), "probe", [values, values, result], 1, _LANES)
    np.testing.assert_array_equal(result, [10] * 5 + [31 * 16 - 10] * 27)


@pytest.mark.parametrize("threads", (7, 32, 45, 48, 1000))
def test_block_votes(threads: int) -> None:
    text = """
kernel void probe(device const int* value [[buffer(0)]], device int* result [[buffer(1)]],
                  uint i [[thread_index_in_threadgroup]], uint n [[threads_per_threadgroup]]) {
    threadgroup uint scratch[32];
    for (int round = 0; round < 3; ++round) {
        result[(3 * round) * n + i] = cu::syncthreads_count(value[i] > round, scratch, i, n);
        result[(3 * round + 1) * n + i] = cu::syncthreads_and(value[i] >= round, scratch, i, n);
        result[(3 * round + 2) * n + i] = cu::syncthreads_or(value[i] == round + 7, scratch, i, n);
    }
}
"""
    values = np.random.default_rng(threads).integers(0, 9, threads).astype(np.int32)
    result = np.full((9, threads), -1, np.int32)
    run(text, "probe", [values, result], 1, threads, checked=threads < 100)
    for step in range(3):
        assert set(result[3 * step]) == {int((values > step).sum())}
        assert set(result[3 * step + 1]) == {int((values >= step).all())}
        assert set(result[3 * step + 2]) == {int((values == step + 7).any())}
