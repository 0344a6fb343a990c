"""Warp collectives, votes, barriers and atomics of CUDA on the CPU machine, against numpy."""

import numpy as np
import pytest
from cuda_runner import Array, run

LANES = np.arange(32)


def lanes_out(body: str, block: int = 32, dtype: type = np.int32) -> Array:
    """`out[thread] = body` with `lane` and `v = 100 + lane`."""
    kinds = {np.int32: "int", np.uint32: "unsigned", np.float32: "float", np.int64: "long long"}
    text = (
        "#include <cuda_fp16.h>\n"
        f"__global__ void k({kinds[dtype]}* out) {{ int lane = threadIdx.x % 32; int v = 100 + lane; (void)v;\n"
        f"  {body}\n}}\n"
    )
    out = np.zeros(block, dtype)
    run(text, out, block=block)
    return out


@pytest.mark.parametrize("width", [32, 8])
def test_shuffles(width: int) -> None:
    """Every form, with per-lane deltas, against the definition."""
    text = """
    __global__ void k(int* out, int width) {
      int lane = threadIdx.x, v = 100 + lane;
      out[lane] = __shfl_sync(0xffffffff, v, lane * 5 + 3, width);
      out[32 + lane] = __shfl_up_sync(0xffffffff, v, lane % 4, width);
      out[64 + lane] = __shfl_down_sync(0xffffffff, v, lane % 4, width);
      out[96 + lane] = __shfl_xor_sync(0xffffffff, v, 5, width);
      out[128 + lane] = __shfl_xor_sync(0xffffffff, v, 16, width);
    }"""
    out = np.zeros((5, 32), np.int32)
    run(text, out, np.int32(width))
    first, last = LANES // width * width, LANES // width * width + width - 1
    want = [first + (LANES * 5 + 3) % width]
    want.append(np.where(first > LANES - LANES % 4, LANES, LANES - LANES % 4))
    want.append(np.where(last < LANES + LANES % 4, LANES, LANES + LANES % 4))
    want += [np.where((LANES ^ bits) > last, LANES, LANES ^ bits) for bits in (5, 16)]
    assert np.array_equal(out, 100 + np.array(want))


def test_shuffles_of_other_types() -> None:
    body = """
      double d = __shfl_down_sync(~0u, 0.5 * lane, 1);
      long long l = __shfl_sync(~0u, (1ll << 40) + lane, 3);
      half2 h = __shfl_xor_sync(~0u, __floats2half2_rn(lane, 2 * lane), 1);
      __half s = __shfl_up_sync(~0u, __float2half(lane), 1);
      out[threadIdx.x] = d + (l - (1ll << 40)) + __high2float(h) + __half2float(s);"""
    want = (
        np.where(LANES == 31, 31, LANES + 1) * 0.5 + 3 + 2 * (LANES ^ 1) + np.where(LANES == 0, 0, LANES - 1)
    )
    assert lanes_out(body, dtype=np.float32).tolist() == want.tolist()


def test_divergent_masks_work_apart() -> None:
    body = """
      if (lane & 1) out[threadIdx.x] = __shfl_sync(0xaaaaaaaa, v, 5) + __popc(__ballot_sync(0xaaaaaaaa, lane > 8));
      else out[threadIdx.x] = __shfl_xor_sync(0x55555555, v, 2);"""
    want = np.where(LANES % 2 == 1, 105 + 12, 100 + (LANES ^ 2))
    assert lanes_out(body).tolist() == want.tolist()


def test_partial_last_warp() -> None:
    """40 threads: the second warp has 8 lanes, and a full mask means those."""
    got = lanes_out("out[threadIdx.x] = __ballot_sync(0xffffffff, lane % 2);", 40, np.uint32)
    assert got.tolist() == [0xAAAAAAAA] * 32 + [0xAA] * 8


def test_exited_lanes_do_not_count() -> None:
    got = lanes_out(
        "if (lane >= 4) return; out[threadIdx.x] = __activemask() + (__any(lane == 9) ? 100 : 0);"
    )
    assert got[:4].tolist() == [15] * 4


VOTES = {
    "__all_sync(~0u, v >= 100)": 1,
    "__all_sync(~0u, lane != 9)": 0,
    "__any_sync(~0u, lane == 9)": 1,
    "__any_sync(~0u, 0)": 0,
    "__ballot_sync(~0u, lane < 3)": 7,
    "__match_any_sync(~0u, lane / 30)": None,
    "(m = __match_all_sync(~0u, 7, &p), m == 0xffffffffu && p == 1)": 1,
    "(m = __match_all_sync(~0u, lane, &p), m == 0 && p == 0)": 1,
    "__reduce_add_sync(~0u, unsigned(v))": 100 * 32 + 496,
    "__reduce_add_sync(~0u, -v) == -3696": 1,
    "__reduce_min_sync(~0u, lane - 5) == -5": 1,
    "__reduce_max_sync(~0u, unsigned(lane - 5)) == 0xffffffffu": 1,
    "__reduce_and_sync(~0u, unsigned(lane | 64))": 64,
    "__reduce_or_sync(~0u, unsigned(lane))": 31,
    "__reduce_xor_sync(~0u, unsigned(lane == 3 ? 6 : 0))": 6,
    "__activemask() == 0xffffffffu": 1,
}


def test_votes_and_reductions() -> None:
    lines = "\n".join(f"out[{32 * i} + threadIdx.x] = {call};" for i, call in enumerate(VOTES))
    text = f"__global__ void k(unsigned* out) {{ int lane = threadIdx.x, v = 100 + lane, p; unsigned m;\n{lines}\n}}"
    out = np.zeros((len(VOTES), 32), np.uint32)
    run(text, out)
    for row, (call, want) in zip(out, VOTES.items(), strict=True):
        expected = np.where(LANES < 30, 2**30 - 1, 3 << 30) if want is None else np.full(32, want)
        assert row.tolist() == expected.tolist(), call


def test_barriers_and_shared_memory() -> None:
    """Static, dynamic and counted: 96 threads, one early return."""
    text = """
    __device__ int last(const int* s) { return s[blockDim.x - 2]; }
    __global__ void k(int* out) {
      __shared__ int s[96]; extern __shared__ int d[]; __shared__ int total;
      if (threadIdx.x == 95) return;
      s[threadIdx.x] = threadIdx.x * 10; d[threadIdx.x] = blockIdx.x;
      if (threadIdx.x == 0) total = 0;
      __syncthreads();
      atomicAdd(&total, 1);
      int count = __syncthreads_count(threadIdx.x % 3 == 0);
      int all = __syncthreads_and(threadIdx.x < 200), any = __syncthreads_or(threadIdx.x == 50), none = __syncthreads_or(0);
      out[blockIdx.x * 96 + threadIdx.x] = s[94 - threadIdx.x] + last(s) + count + 1000 * (all + any + none) + total + d[3];
    }"""
    out = np.zeros((2, 96), np.int32)
    run(text, out, block=96, grid=2, shared=96 * 4)
    for block in range(2):
        want = (94 - np.arange(95)) * 10 + 940 + 32 + 2000 + 95 + block
        assert out[block, :95].tolist() == want.tolist()
    assert out[:, 95].tolist() == [0, 0]


def test_shared_memory_of_templates_is_apart() -> None:
    text = """
    template <int N> __device__ int fill() { __shared__ int s[N]; if (threadIdx.x == 0) s[N - 1] = N; __syncthreads(); return s[N - 1]; }
    __global__ void k(int* out) { int a = fill<4>(), b = fill<8>(); out[threadIdx.x] = 10 * a + b + fill<4>(); }"""
    out = np.zeros(32, np.int32)
    run(text, out)
    assert out.tolist() == [52] * 32


# call on slot x, start, value after 64 threads (t = 0 … 63)
ATOMICS: list[tuple[str, str, float, float]] = [
    ("int", "atomicAdd(&x, t)", 1, 2017), ("unsigned", "atomicAdd(&x, 1u)", 0, 64), ("int", "atomicSub(&x, 2)", 0, -128),
    ("unsigned long long", "atomicAdd(&x, 1ull << 33)", 5, 64 * 2.0**33 + 5), ("float", "atomicAdd(&x, 0.5f)", 1, 33),
    ("double", "atomicAdd(&x, 0.25)", 0, 16), ("int", "atomicMin(&x, 10 - t)", 5, -53), ("int", "atomicMax(&x, t)", 5, 63),
    ("unsigned", "atomicMax(&x, unsigned(-t))", 5, 2**32 - 1), ("long long", "atomicMin(&x, -1ll * t)", 5, -63),
    ("unsigned", "atomicInc(&x, 9u)", 0, 4), ("unsigned", "atomicDec(&x, 9u)", 0, 6), ("int", "atomicAnd(&x, ~(1 << t % 8))", 511, 256),
    ("int", "atomicOr(&x, 1 << t % 8)", 256, 511), ("int", "atomicXor(&x, 1 << t % 8)", 7, 7), ("int", "if (t == 63) atomicExch(&x, 9)", 1, 9),
    ("int", "atomicCAS(&x, 1, 2)", 1, 2), ("unsigned long long", "atomicCAS(&x, 3ull, 4ull)", 1, 1), ("unsigned short", "atomicCAS(&x, (unsigned short)1, (unsigned short)7)", 1, 7),
    ("int", "atomicAdd_block(&x, 1)", 0, 64), ("int", "atomicMax_system(&x, t)", 0, 63), ("__half", "atomicAdd(&x, __half(0.5f))", 0, 32),
    ("__nv_bfloat16", "atomicAdd(&x, __nv_bfloat16(1.0f))", 0, 64), ("float", "atomicExch(&x, 2.0f)", 0, 2),
]  # fmt: skip


def test_atomics() -> None:
    slots = "\n".join(f"__device__ {kind} x{i} = {start:g};" for i, (kind, _, start, _) in enumerate(ATOMICS))
    calls = "\n".join(f"  {call.replace('&x', f'&x{i}')};" for i, (_, call, _, _) in enumerate(ATOMICS))
    stores = "\n".join(f"  out[{i}] = double(x{i});" for i in range(len(ATOMICS)))
    text = f"""#include <cuda_fp16.h>
    #include <cuda_bf16.h>
    {slots}
    __global__ void k(double* out, int* olds) {{ int t = threadIdx.x;
      {calls}
      __shared__ int next; if (t == 0) next = 0; __syncthreads(); olds[atomicAdd(&next, 1)] = 1; __syncthreads();
      if (t == 0) {{ {stores} }} }}"""
    out, olds = np.zeros(len(ATOMICS)), np.zeros(64, np.int32)
    run(text, out, olds, block=64)
    for got, (kind, call, _, want) in zip(out, ATOMICS, strict=True):
        assert got == want, (kind, call, got)
    assert olds.tolist() == [1] * 64


def test_spin_lock_of_diverged_lanes() -> None:
    text = """
    __device__ int lock;
    __global__ void k(int* out) {
      bool done = false;
      while (!done) {
        if (atomicCAS(&lock, 0, 1) == 0) { int v = *out; __threadfence(); *out = v + 1; __threadfence(); atomicExch(&lock, 0); done = true; }
      }
    }"""
    out = np.zeros(1, np.int32)
    run(text, out, block=64, grid=2)
    assert out[0] == 128


def test_printf_and_assert() -> None:
    text = """#include <cassert>
    #include <cstdio>
    __global__ void k(int n) { assert(n == 3); if (threadIdx.x == 1) printf("n=%d %s %.1f\\n", n, "x", 2.5f); }"""
    assert run(text, np.int32(3)) == "n=3 x 2.5\n"
    with pytest.raises(AssertionError, match="assertion failed, line 3: n == 3"):
        run(text, np.int32(4))


def test_grid_and_block_indices() -> None:
    text = """__global__ void k(unsigned* out) {
      unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
      unsigned b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
      dim3 d = blockDim; uint3 i = threadIdx; out[b * d.x * d.y * d.z + t] = b * 1000 + i.x + 10 * i.y + 100 * i.z + (warpSize - 32);
    }"""
    out = np.zeros((12, 2, 3, 4), np.uint32)
    run(text, out, block=(4, 3, 2), grid=(3, 2, 2))
    z, y, x = np.meshgrid(range(2), range(3), range(4), indexing="ij")
    assert np.array_equal(out, 1000 * np.arange(12).reshape(12, 1, 1, 1) + x + 10 * y + 100 * z)
