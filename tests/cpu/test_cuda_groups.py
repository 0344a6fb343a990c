"""Cooperative groups, CUB, wmma, fp8 and cuRAND on the CPU machine."""

import numpy as np
from cuda_runner import each, run

LANES = np.arange(32)

TILES = """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
template <int N> __device__ int tile_sum(cg::thread_block_tile<N> t, int v) {
  for (int i = t.size() / 2; i > 0; i /= 2) v += t.shfl_down(v, i);
  return t.shfl(v, 0);
}
__device__ int any_sum(cg::thread_group g, int v, int* scratch) {
  for (int i = g.size() / 2; i > 0; i /= 2) {
    scratch[threadIdx.x] = v; g.sync();
    if (g.thread_rank() < i) v += scratch[threadIdx.x + i];
    g.sync();
  }
  return v;
}
__global__ void k(int* out) {
  __shared__ int scratch[64];
  cg::thread_block b = cg::this_thread_block();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(b);
  auto t = cg::tiled_partition<8>(b);
  auto sub = cg::tiled_partition<4>(t);
  int i = b.thread_rank(), *o = out + i;
  o[0] = tile_sum<8>(t, i);
  o[64] = t.thread_rank() + 100 * t.meta_group_rank() + 10000 * t.meta_group_size();
  o[128] = sub.meta_group_rank() * 10 + sub.meta_group_size();
  o[192] = t.shfl_up(i, 2) * 1000 + t.shfl_xor(i, 4);
  o[256] = t.ballot(i % 2) + 1000 * t.any(i == 9) + 2000 * t.all(i < 60);
  o[320] = cg::reduce(warp, i, cg::plus<int>()) + cg::reduce(t, i, cg::greater<int>());
  o[384] = cg::inclusive_scan(t, i) * 1000 + cg::exclusive_scan(t, 1);
  o[448] = any_sum(cg::tiled_partition(b, 16), 1, scratch);
  b.sync();
  if (i % 3 == 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    o[512] = active.size() * 100 + active.thread_rank();
    o[576] = active.shfl(i, 1) + 1000 * active.ballot(active.thread_rank() == 1) + cg::reduce(active, 1, cg::plus<int>());
    auto half = cg::labeled_partition(active, i % 2);
    o[640] = half.size() * 100 + half.meta_group_rank() * 10 + half.meta_group_size();
  }
  cg::sync(b);
  o[704] = cg::this_grid().thread_rank() + b.group_index().x + b.group_dim().x + t.match_any(i / 2) + cg::this_grid().size();
}
"""


def test_groups() -> None:
    out = np.zeros((12, 64), np.int32)
    run(TILES, out, block=64)
    i = np.arange(64)
    tile, rank = i // 8, i % 8
    assert out[0].tolist() == (tile * 64 + 28).tolist()
    assert out[1].tolist() == (rank + 100 * tile + 80000).tolist()
    assert out[2].tolist() == (i % 8 // 4 * 10 + 2).tolist()
    assert out[3].tolist() == (np.where(rank < 2, i, i - 2) * 1000 + (i ^ 4)).tolist()
    assert out[4].tolist() == (0xAA + 1000 * (tile == 1) + 2000 * (tile < 7)).tolist()
    assert out[5].tolist() == (np.where(i < 32, 496, 1520) + tile * 8 + 7).tolist()
    inclusive = np.concatenate([np.cumsum(i[8 * t : 8 * t + 8]) for t in range(8)])
    assert out[6].tolist() == (inclusive * 1000 + rank).tolist()
    assert [out[7][j] for j in (0, 16, 32, 48)] == [16] * 4
    for warp in range(2):
        members = [j for j in range(32 * warp, 32 * warp + 32) if j % 3 == 0]
        odd, even = [j for j in members if j % 2], [j for j in members if j % 2 == 0]
        for position, j in enumerate(members):
            assert out[8, j] == len(members) * 100 + position
            assert out[9, j] == members[1] + 2000 + len(members)
            mine, first = (odd, members[0] % 2 == 1) if j % 2 else (even, members[0] % 2 == 0)
            assert out[10, j] == len(mine) * 100 + (0 if first else 1) * 10 + 2
    assert out[11].tolist() == (i + 64 + (3 << (rank // 2 * 2)) + 64).tolist()


CUB = """
#include <cub/cub.cuh>
__global__ void k(const float* in, float* out, int* sorted, int* values, double* scans, int n) {
  using Reduce = cub::BlockReduce<float, 64>; using Scan = cub::BlockScan<int, 64>;
  using Load = cub::BlockLoad<float, 64, 2, cub::BLOCK_LOAD_WARP_TRANSPOSE>; using Store = cub::BlockStore<float, 64, 2>;
  using Sort = cub::BlockRadixSort<float, 64, 2, int>;
  __shared__ union { typename Reduce::TempStorage reduce; typename Scan::TempStorage scan; typename Load::TempStorage load;
                     typename Sort::TempStorage sort; typename Store::TempStorage store; } temp;
  __shared__ typename cub::WarpReduce<int>::TempStorage warps[2];
  __shared__ typename cub::WarpScan<int>::TempStorage warp_scans[2];
  int t = threadIdx.x; float items[2];
  Load(temp.load).Load(in, items, n, -1.0f);
  __syncthreads();
  float sum = Reduce(temp.reduce).Sum(items); __syncthreads();
  float largest = Reduce(temp.reduce).Reduce(items[0] + items[1], cub::Max(), 40);
  if (t == 0) { out[128] = sum; out[129] = largest; }
  __syncthreads();
  int exclusive, inclusive, total; Scan(temp.scan).ExclusiveSum(t, exclusive, total); __syncthreads();
  int two[2] = {t, 1}; Scan(temp.scan).InclusiveSum(two, two); __syncthreads();
  scans[t] = exclusive + 1e4 * total; scans[64 + t] = two[0] + 1e4 * two[1];
  struct Before { int running; __device__ int operator()(int block) { int old = running; running += block; return old; } } before{1000};
  int one[1] = {1}; Scan(temp.scan).InclusiveScan(one, one, cub::Sum(), before); __syncthreads();
  scans[128 + t] = one[0];
  int w = cub::WarpReduce<int>(warps[t / 32]).Sum(t); cub::WarpScan<int>(warp_scans[t / 32]).InclusiveSum(t, inclusive);
  scans[192 + t] = inclusive; if (t % 32 == 0) scans[256 + t / 32] = w;
  Store(temp.store).Store(out, items, n);
  __syncthreads();
  int index[2] = {2 * t, 2 * t + 1};
  Sort(temp.sort).SortDescending(items, index);
  for (int i = 0; i < 2; ++i) values[2 * t + i] = index[i];
}
"""


def test_cub() -> None:
    values = np.random.default_rng(5).standard_normal(128).astype(np.float32)
    out, order, scans = np.zeros(130, np.float32), np.zeros(128, np.int32), np.zeros(258)
    run(CUB, values, out, np.zeros(1, np.int32), order, scans, np.int32(120), block=64)
    held = np.where(np.arange(128) < 120, values, np.float32(-1))
    assert np.array_equal(out[:120], values[:120])
    assert out[120:128].tolist() == [0] * 8
    assert np.isclose(out[128], held.sum(), rtol=1e-5)
    assert out[129] == (held[0::2] + held[1::2])[:40].max()
    t = np.arange(64)
    assert scans[:64].tolist() == (t * (t - 1) // 2 + 1e4 * 2016).tolist()
    pairs = np.cumsum(np.stack([t, np.ones(64)], 1).ravel()).reshape(64, 2)
    assert scans[64:128].tolist() == (pairs[:, 0] + 1e4 * pairs[:, 1]).tolist()
    assert scans[128:192].tolist() == (1001 + t).tolist()
    assert scans[192:256].tolist() == np.concatenate([np.cumsum(t[:32]), np.cumsum(t[32:])]).tolist()
    assert scans[256:].tolist() == [496, 1520]
    assert order.tolist() == np.argsort(-held, kind="stable").tolist()


def test_wmma() -> None:
    text = """
    #include <mma.h>
    using namespace nvcuda;
    __global__ void k(const half* a, const half* b, float* c) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
      wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
      wmma::fill_fragment(fc, 1.0f);
      for (int k = 0; k < 32; k += 16) {
        wmma::load_matrix_sync(fa, a + k, 32); wmma::load_matrix_sync(fb, b + k, 32);
        wmma::mma_sync(fc, fa, fb, fc);
      }
      for (int i = 0; i < fc.num_elements; ++i) fc.x[i] *= 2.0f;
      wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
    }"""
    random = np.random.default_rng(2)
    a, b = (
        random.integers(-4, 5, (16, 32)).astype(np.float16),
        random.integers(-4, 5, (16, 32)).astype(np.float16),
    )
    out = np.zeros((16, 16), np.float32)
    run(text, a, b, out)
    assert np.array_equal(out, 2 * (a.astype(np.float32) @ b.T.astype(np.float32) + 1))


FP8 = [
    ("float(__nv_fp8_e4m3(a))", 448.0, 448.0), ("float(__nv_fp8_e4m3(a))", 1000.0, 448.0), ("float(__nv_fp8_e4m3(a))", 1.0625, 1.0),
    ("float(__nv_fp8_e4m3(a))", 1.1875, 1.25), ("float(__nv_fp8_e4m3(a))", 2.0**-9, 2.0**-9), ("float(__nv_fp8_e4m3(a))", 2.0**-10, 0.0),
    ("float(__nv_fp8_e5m2(a))", 1e6, 57344.0), ("float(__nv_fp8_e5m2(a))", -1.125, -1.0), ("float(__nv_fp8_e5m2(a))", 2.0**-16, 2.0**-16),
    ("float(__nv_cvt_float_to_fp8(a, __NV_NOSAT, __NV_E5M2))", 1e6, 0x7C), ("float(__nv_cvt_float_to_fp8(a, __NV_NOSAT, __NV_E4M3))", 1e6, 0x7F),
    ("float(__nv_cvt_float_to_fp8(a, __NV_SATFINITE, __NV_E4M3))", -1.0, 0xB8), ("float2(__nv_fp8x2_e4m3(float2{a, 2.0f})).y", 1.0, 2.0),
    ("__half2float(__half(__nv_cvt_fp8_to_halfraw(0x38, __NV_E4M3)))", 0.0, 1.0),
]  # fmt: skip


def test_fp8() -> None:
    got = each(
        ("float", "float"), [(e, [a]) for e, a, _ in FP8], np.float32, np.float32, "#include <cuda_fp8.h>"
    )
    for value, (expression, a, want) in zip(got, FP8, strict=True):
        assert value == want, (expression, a, value)


def test_philox() -> None:
    """The known answer of Philox 4x32-10 (Salmon et al., 2011) for counter 0 and key 0, and skipping ahead."""
    text = """
    #include <curand_kernel.h>
    __global__ void k(unsigned* out, float* u) {
      curandStatePhilox4_32_10_t s, t; curand_init(0ull, 0ull, 0ull, &s); curand_init(0ull, 0ull, 6ull, &t);
      for (int i = 0; i < 8; ++i) out[i] = curand(&s);
      out[8] = curand(&t); u[0] = curand_uniform(&s); float2 n = curand_normal2(&s); u[1] = n.x;
    }"""
    out, uniform = np.zeros(9, np.uint32), np.zeros(2, np.float32)
    run(text, out, uniform, block=1)
    assert [hex(v) for v in out[:4]] == ["0x6627e8d5", "0xe169c58d", "0xbc57ac4c", "0x9b00dbd8"]
    assert out[8] == out[6]
    assert 0 < uniform[0] <= 1
    assert abs(uniform[1]) < 6


def test_torch_scalar_types_and_atomic_ref() -> None:
    text = """
    #include <ATen/ATen.h>
    #include <cuda/atomic>
    template <typename T> __global__ void k(const T* x, T* y, float* f, int* n) {
      using A = at::opmath_type<T>;
      A sum = A(0); for (int i = 0; i < 4; ++i) sum += x[i] * T(2) + 1.0f;
      if (threadIdx.x == 0) { y[0] = sum; y[1] = x[0] + x[1]; y[1] *= x[2]; f[0] = std::numeric_limits<T>::max(); }
      cuda::atomic_ref<int, cuda::thread_scope_device> count(*n); count.fetch_add(cuda::std::max(1, 2), cuda::std::memory_order_relaxed);
    }"""
    x, y, f, n = (
        np.arange(4, dtype=np.float16),
        np.zeros(2, np.float16),
        np.zeros(1, np.float32),
        np.zeros(1, np.int32),
    )
    run(text, x, y, f, n, entry="k<c10::Half>")
    assert (y.tolist(), f[0], n[0]) == ([16.0, 2.0], 65504.0, 64)
