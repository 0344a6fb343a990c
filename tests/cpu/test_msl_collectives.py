"""Each simdgroup and quadgroup function against numpy: whole and partial simdgroups, and in diverged flow."""

import functools

import numpy as np
import pytest
from machine import METAL, ok, run_msl, value
from numpy.random import default_rng

from cu2mlx.runtime.protocol import Launch

THREADS = 72  # two simdgroups and a partial one

TYPES = {"float": np.float32, "int": np.int32, "half": np.float16, "uchar": np.uint8}


def accumulate(operation, identity, inclusive):
    def run(values):
        running = operation.accumulate(values, dtype=values.dtype)
        return running if inclusive else np.concatenate([np.array([identity], values.dtype), running[:-1]])

    return run


def everywhere(operation):
    return lambda values: np.full_like(values, operation(values))


def taken(index):
    """values[index(lane, lanes)], lanes with a source outside keeping their own."""

    def run(values):
        lanes = np.arange(len(values))
        source = index(lanes, len(values))
        return values[np.where((source >= 0) & (source < len(values)), source, lanes)]

    return run


def by_quad(operation):
    return lambda values: np.concatenate([np.full(4, operation(quad)) for quad in values.reshape(-1, 4)])


FUNCTIONS = {
    "simd_sum(v)": everywhere(np.sum),
    "simd_product(v)": everywhere(np.prod),
    "simd_min(v)": everywhere(np.min),
    "simd_max(v)": everywhere(np.max),
    "simd_prefix_inclusive_sum(v)": accumulate(np.add, 0, True),
    "simd_prefix_exclusive_sum(v)": accumulate(np.add, 0, False),
    "simd_prefix_inclusive_product(v)": accumulate(np.multiply, 1, True),
    "simd_prefix_exclusive_product(v)": accumulate(np.multiply, 1, False),
    "simd_broadcast(v, 5)": lambda values: np.full_like(values, values[5]),
    "simd_broadcast_first(v)": lambda values: np.full_like(values, values[0]),
    "simd_shuffle(v, 7 - lane % 8)": taken(lambda lane, _: 7 - lane % 8),
    "simd_shuffle_up(v, 3)": taken(lambda lane, _: lane - 3),
    "simd_shuffle_xor(v, 5)": taken(lambda lane, _: lane ^ 5),
    "quad_sum(v)": by_quad(np.sum),
    "quad_max(v)": by_quad(np.max),
    "quad_broadcast(v, 2)": by_quad(lambda quad: quad[2]),
    "quad_shuffle_xor(v, 3)": taken(lambda lane, _: lane ^ 3),
    "quad_shuffle_up(v, 1)": taken(lambda lane, _: np.where(lane % 4, lane - 1, lane)),
    "quad_shuffle_down(v, 1)": taken(lambda lane, _: np.where(lane % 4 < 3, lane + 1, lane)),
}
WHOLE_FUNCTIONS = {
    "simd_shuffle_down(v, 3)": taken(lambda lane, _: lane + 3),
    "simd_shuffle_rotate_up(v, 3)": taken(lambda lane, lanes: (lane - 3) % lanes),
    "simd_shuffle_rotate_down(v, 3)": taken(lambda lane, lanes: (lane + 3) % lanes),
    "simd_shuffle_and_fill_up(v, v, 3)": taken(lambda lane, lanes: (lane - 3) % lanes),
    "simd_shuffle_and_fill_down(v, v, 3, 8)": taken(lambda lane, _: lane // 8 * 8 + (lane + 3) % 8),
}
INTEGER_FUNCTIONS = {
    "simd_and(v)": everywhere(np.bitwise_and.reduce),
    "simd_or(v)": everywhere(np.bitwise_or.reduce),
    "simd_xor(v)": everywhere(np.bitwise_xor.reduce),
}


def data(element):
    if element in ("float", "half"):
        return (default_rng(7).integers(-8, 9, THREADS) / 8 + 1).astype(TYPES[element])
    return default_rng(7).integers(1, 100, THREADS).astype(TYPES[element])


def kernel(functions, element, condition):
    """One output row a function; `condition` says which threads take part."""
    rows = "\n".join(
        f"if ({condition}) out[{i} * {THREADS} + t] = {call};" for i, call in enumerate(functions)
    )
    return (
        f"{METAL}kernel void k(device {element}* in, device {element}* out, uint t [[thread_index_in_threadgroup]],"
        f" uint lane [[thread_index_in_simdgroup]]) {{ {element} v = in[t];\n{rows}\n}}"
    )


def check(functions, element, condition, takes_part, tolerance=0.0):
    values = data(element)
    out = np.zeros((len(functions), THREADS), values.dtype)
    ok(run_msl(kernel(functions, element, condition), "k", [values, out], Launch((1, 1, 1), (THREADS, 1, 1))))
    for row, (call, reference) in zip(out, functions.items(), strict=True):
        for first in range(0, THREADS, 32):
            lanes = np.arange(first, min(first + 32, THREADS))
            active = lanes[[takes_part(lane) for lane in lanes]]
            if len(active):
                with np.errstate(over="ignore", invalid="ignore"):
                    wide = (
                        values[active].astype(np.float64) if element in ("float", "half") else values[active]
                    )
                    expected = reference(wide).astype(values.dtype)
                np.testing.assert_allclose(
                    row[active].astype(float), expected.astype(float), rtol=tolerance, err_msg=call
                )


@pytest.mark.parametrize(
    ("element", "tolerance"), [("float", 1e-5), ("half", 2e-3), ("int", 0), ("uchar", 0)]
)
def test_whole_simdgroups(element, tolerance):
    functions = FUNCTIONS | WHOLE_FUNCTIONS | (INTEGER_FUNCTIONS if element in ("int", "uchar") else {})
    check(functions, element, "t < 64", lambda thread: thread < 64, tolerance)


def test_partial_simdgroup():
    functions = {call: function for call, function in FUNCTIONS.items() if "lane" not in call}
    check(functions | INTEGER_FUNCTIONS, "int", "true", lambda thread: True)


def test_diverged_lanes():
    functions = {
        call: FUNCTIONS[call]
        for call in ("simd_sum(v)", "simd_max(v)", "simd_prefix_inclusive_sum(v)", "simd_prefix_exclusive_sum(v)",
                     "simd_broadcast_first(v)")
    }  # fmt: skip
    check(functions | INTEGER_FUNCTIONS, "int", "t % 3 == 1", lambda thread: thread % 3 == 1)


def test_votes():
    text = (
        METAL
        + """kernel void k(device uint* out, constant uint& n, uint t [[thread_index_in_threadgroup]]) {
      bool p = t % 3 == 0;
      out[t] = uint(simd_vote::vote_t(simd_ballot(p)));
      out[n + t] = simd_any(p) + 2 * simd_all(p) + 4 * simd_all(t < 64) + 8 * quad_any(t % 8 == 2) + 16 * simd_is_first();
      if (t % 2) out[2 * n + t] = uint(simd_vote::vote_t(simd_active_threads_mask()));
    }"""
    )
    out = np.zeros((3, THREADS), np.uint32)
    ok(run_msl(text, "k", [out, value(THREADS, "uint32")], Launch((1, 1, 1), (THREADS, 1, 1))))
    t = np.arange(THREADS)
    for first, size in ((0, 32), (32, 32), (64, 8)):
        lanes = t[first : first + size]
        assert set(out[0, lanes]) == {sum(1 << (lane - first) for lane in lanes if lane % 3 == 0)}
        assert set(out[2, lanes][1::2]) == {sum(1 << (lane - first) for lane in lanes if lane % 2)}
    expected = 1 + 4 * (t < 64) + 8 * (t % 8 < 4) + 16 * (t % 32 == 0)
    np.testing.assert_array_equal(out[1], expected)


def test_diverged_lanes_meet_again():
    text = (
        METAL
        + """
    static int step(int v) { return simd_sum(v); }
    kernel void k(device int* out, uint t [[thread_index_in_threadgroup]]) {
      int v = 1;
      if (t == 3) v += 10;
      if (t < 8) v += step(v);           // 8 lanes: 18
      for (uint i = 0; i < t % 4; i++) v += 100 * simd_sum(1);
      out[t] = simd_sum(v) + (t < 8 ? step(0) : 0);
    }"""
    )
    out = np.zeros(32, np.int32)
    ok(run_msl(text, "k", [out], Launch((1, 1, 1), (32, 1, 1))))
    loops = sum(100 * sum(24 - 8 * i for i in range(t % 4)) for t in range(32))
    assert set(out) == {32 + 10 + 8 * 18 + loops}


@pytest.mark.parametrize("threads", [1, 31, 33, 100])
def test_sizes_that_are_no_multiple_of_32(threads):
    text = (
        METAL
        + """kernel void k(device uint* out, uint t [[thread_index_in_threadgroup]],
      uint n [[threads_per_threadgroup]], uint s [[simdgroups_per_threadgroup]], uint g [[simdgroup_index_in_threadgroup]]) {
      threadgroup uint sums[32];
      uint sum = simd_sum(1u);
      if (simd_is_first()) sums[g] = sum;
      threadgroup_barrier(mem_flags::mem_threadgroup);
      uint all = 0;
      for (uint i = 0; i < s; i++) all += sums[i];
      out[t] = all * 1000 + n;
    }"""
    )
    out = np.zeros(threads, np.uint32)
    ok(run_msl(text, "k", [out], Launch((1, 1, 1), (threads, 1, 1))))
    assert set(out) == {threads * 1001}


def test_partial_last_groups():
    text = (
        METAL
        + """kernel void k(device uint* out, uint2 i [[thread_position_in_grid]], uint2 n [[threads_per_grid]],
      uint2 size [[threads_per_threadgroup]], uint2 full [[dispatch_threads_per_threadgroup]]) {
      out[i.y * n.x + i.x] = size.x * 1000 + size.y * 100 + full.x * 10 + full.y;
    }"""
    )
    out = np.zeros((5, 10), np.uint32)
    launch = Launch((3, 3, 1), (4, 2, 1), threads=(10, 5, 1))
    ok(run_msl(text, "k", [out], launch))
    expected = functools.reduce(np.add, np.meshgrid(
        np.array([4] * 8 + [2] * 2) * 1000, np.array([2] * 4 + [1]) * 100,
    )) + 42  # fmt: skip
    np.testing.assert_array_equal(out, expected)


def test_matrix_product():
    text = (
        METAL
        + """#include <metal_simdgroup_matrix>
    kernel void k(device float* a, device half* b, device float* d) {
      simdgroup_float8x8 x, y(2.0f), z; simdgroup_half8x8 w;
      simdgroup_load(x, a, 9, ulong2(1, 1)); simdgroup_load(w, b, 8, 0, true);
      simdgroup_multiply_accumulate(z, x, w, y);
      simdgroup_store(z, d, 8);
    }"""
    )
    rng = default_rng(8)
    a, b = rng.standard_normal((9, 9)).astype(np.float32), rng.standard_normal((8, 8)).astype(np.float16)
    d = np.zeros((8, 8), np.float32)
    ok(run_msl(text, "k", [a, b, d], Launch((1, 1, 1), (32, 1, 1))))
    np.testing.assert_allclose(d, a[1:, 1:] @ b.T.astype(np.float32) + 2 * np.eye(8), rtol=1e-5, atol=1e-5)
