"""Metal code that nobody here wrote: the kernels of MLX's wheel, against numpy."""

import struct

import mlx_headers
import numpy as np
import pytest
from machine import ok, run_msl, value
from numpy.random import default_rng

from cu2mlx.runtime.protocol import Launch, Value

pytestmark = pytest.mark.skipif(mlx_headers.folder() is None, reason="MLX's headers are not installed")


@pytest.mark.parametrize("checked", [False, True])
def test_softmax(checked):
    text = mlx_headers.source("utils.h", "softmax.h")
    x = default_rng(1).standard_normal((3, 300)).astype(np.float32)
    out = np.zeros_like(x)
    launch = Launch((3, 1, 1), (96, 1, 1))
    ok(run_msl(text, "softmax_single_row<float>", [x, out, value(300, "int32")], launch, checked=checked))
    expected = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(out, expected / expected.sum(1, keepdims=True), rtol=1e-5)


def test_softmax_half():
    text = mlx_headers.source("utils.h", "softmax.h")
    x = default_rng(2).standard_normal((2, 1000)).astype(np.float16)
    out = np.zeros_like(x)
    launch = Launch((2, 1, 1), (1024, 1, 1))  # as MLX launches it: 32 simdgroups
    ok(run_msl(text, "softmax_looped<half, float>", [x, out, value(1000, "int32")], launch))
    expected = np.exp(x.astype(np.float64))
    np.testing.assert_allclose(out, expected / expected.sum(1, keepdims=True), rtol=1e-3)


def test_logsumexp():
    text = mlx_headers.source("utils.h", "logsumexp.h")
    x = default_rng(3).standard_normal((3, 300)).astype(np.float32)
    out = np.zeros(3, np.float32)
    ok(run_msl(text, "logsumexp<float>", [x, out, value(300, "int32")], Launch((3, 1, 1), (96, 1, 1))))
    np.testing.assert_allclose(out, np.log(np.exp(x.astype(np.float64)).sum(1)), rtol=1e-6)


def test_gemv():
    rows, columns = 37, 130
    rng = default_rng(4)
    matrix = rng.standard_normal((rows, columns)).astype(np.float32)
    vector = rng.standard_normal(columns).astype(np.float32)
    out = np.zeros(rows, np.float32)
    unused = np.zeros(1, np.int64)
    arguments = [
        matrix, vector, np.zeros(1, np.float32), out, value(columns, "int32"), value(rows, "int32"),
        value(columns, "int32"), value(1, "float32"), value(0, "float32"), value(1, "int32"), unused, unused,
        unused, unused, value(1, "int32"),
    ]  # fmt: skip
    launch = Launch((-(-rows // 16), 1, 1), (32, 1, 4))
    ok(
        run_msl(
            mlx_headers.source("gemv.h"), "gemv<float, 4, 1, 1, 32, 4, 4, false, false>", arguments, launch
        )
    )
    np.testing.assert_allclose(out, matrix.astype(np.float64) @ vector, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("causal", [False, True])
def test_sdpa_vector(causal):
    heads, queries, keys, depth = 2, 3, 77, 64
    rng = default_rng(5)
    q, k, v = (rng.standard_normal((heads, n, depth)).astype(np.float32) for n in (queries, keys, keys))
    out = np.zeros_like(q)
    strides = [value(keys * depth, "uint64"), value(depth, "uint64")]
    scale = 1 / np.sqrt(depth)
    arguments = [
        q,
        k,
        v,
        out,
        value(1, "int32"),
        value(keys, "int32"),
        *strides,
        *strides,
        value(scale, "float32"),
    ]
    constants = ((22, "true" if causal else "false"),)
    text = mlx_headers.source("utils.h", "sdpa_vector.h")
    launch = Launch((heads, queries, 1), (1024, 1, 1))
    ok(run_msl(text, "sdpa_vector<float, 64>", arguments, launch, constants=constants))
    scores = q.astype(np.float64) @ k.transpose(0, 2, 1) * scale
    if causal:
        scores = np.where(np.arange(keys) <= np.arange(queries)[:, None] + keys - queries, scores, -np.inf)
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    expected = weights / weights.sum(-1, keepdims=True) @ v
    np.testing.assert_allclose(out, expected, atol=1e-6)


@pytest.mark.parametrize(
    ("element", "dtype", "tolerance"), [("float", np.float32, 1e-4), ("half", np.float16, 2e-2)]
)
def test_steel_gemm(element, dtype, tolerance):
    m, n, k = 50, 40, 35  # none a multiple of its tile
    rng = default_rng(6)
    a = rng.standard_normal((m, k)).astype(dtype)
    b = rng.standard_normal((k, n)).astype(dtype)
    d = np.zeros((m, n), dtype)
    tiles_n, tiles_m = -(-n // 32), -(-m // 32)
    parameters = Value(struct.pack("<8i3q3i4x", m, n, k, k, n, n, tiles_n, tiles_m, 0, 0, 0, 0, k // 16, 1))
    text = mlx_headers.source("utils.h", "steel/gemm/gemm.h", "steel/gemm/kernels/steel_gemm_fused.h")
    ok(
        run_msl(
            text, f"gemm<{element}, 32, 32, 16, 2, 2, false, false>", [a, b, d, parameters],
            Launch((tiles_n, tiles_m, 1), (32, 2, 2)),
        )
    )  # fmt: skip
    expected = a.astype(np.float64) @ b.astype(np.float64)
    np.testing.assert_allclose(d, expected, rtol=tolerance, atol=tolerance)


def test_preamble_of_mlx():
    """Texts as mx.fast.metal_kernel gets them use MLX's own names without defining them."""
    text = """
    template <typename T>
    [[kernel]] void custom_kernel_k(const device T* x [[buffer(0)]], const constant int* x_shape [[buffer(1)]],
      const constant int64_t* x_strides [[buffer(2)]], const constant int& x_ndim [[buffer(3)]],
      device T* y [[buffer(4)]], device float* z [[buffer(5)]], uint3 i [[thread_position_in_grid]]) {
      bfloat16_t b = bfloat16_t(float(x[elem_to_loc(i.x, x_shape, x_strides, x_ndim)]));
      y[i.x] = T(float(b));
      complex64_t c(1, 2); c = c * c;
      z[i.x] = c.real + ceildiv(7, 2);
    }
    template [[host_name("custom_kernel_k_float16")]] [[kernel]]
    decltype(custom_kernel_k<float16_t>) custom_kernel_k<float16_t>;
    """
    x = np.arange(12, dtype=np.float16).reshape(3, 4)
    y, z = np.zeros((4, 3), np.float16), np.zeros(12, np.float32)
    shape, strides = np.array([4, 3], np.int32), np.array([1, 4], np.int64)
    arguments = [x, shape, strides, value(2, "int32"), y, z]
    ok(
        run_msl(
            "using namespace metal;" + text,
            "custom_kernel_k_float16",
            arguments,
            Launch((12, 1, 1), (1, 1, 1)),
        )
    )
    np.testing.assert_array_equal(y, x.T)
    assert set(z) == {1.0}
