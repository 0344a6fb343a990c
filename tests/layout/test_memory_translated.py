"""Vectors in memory, loads through casts and bit casts: translation and original leave the same bytes."""

import numpy as np
import pytest

from tests.translated import Array, run_both

_RANDOM = np.random.default_rng(2)
FLOATS = _RANDOM.normal(0, 1, 512).astype(np.float32)
BYTES = _RANDOM.integers(0, 256, 1024).astype(np.uint8)


def _vectors(count: int, lanes: int = 3) -> Array:
    return FLOATS[: count * lanes].reshape(count, lanes).copy()


def _empty(*shape: int, dtype: type = np.float32) -> Array:
    return np.zeros(shape, dtype)


# name → (CUDA text of kernel k, its arguments); one block of 32 threads
KERNELS: dict[str, tuple[str, dict[str, Array]]] = {
    "a user's names for float3": (
        """
typedef float3 vec; using row = float3;
__device__ vec add(const vec& a, const vec b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ void store(vec* p, int i, vec v) { p[i] = v; }
__global__ void k(const vec* x, row* out) {
  __shared__ vec s[33];
  vec local[2];
  const int i = threadIdx.x;
  if (i == 0) s[32] = make_float3(1.f, 2.f, 3.f);
  s[i] = x[i];
  __syncthreads();
  local[0] = s[(i * 7) % 33];
  local[1] = add(local[0], s[32]);
  const float* f = (const float*)&x[i];
  vec sum = add(local[1], x[i]);
  sum.x += f[2] + sizeof(vec) + sizeof(local);
  out[i] = sum;
  store(out, i + 32, local[1]);
}""",
        {"x": _vectors(32), "out": _empty(64, 3)},
    ),
    "templates of float3": (
        """
template <typename T> __device__ T load(const T* p, int i) { return p[i]; }
template <typename T> __device__ void put(T* p, int i, T v) { p[i] = v; }
template <typename T, int N> struct Tile { T v[N]; __device__ T& at(int i) { return v[i]; } };
__global__ void k(const float3* x, float3* out) {
  __shared__ Tile<float3, 32> tile;
  const int i = threadIdx.x;
  tile.v[i] = load(x, i);
  __syncthreads();
  const float3 a = tile.v[31 - i];
  Tile<float3, 2> own;
  own.v[0] = a;
  own.at(1) = make_float3(a.z, a.y, a.x + sizeof(Tile<float3, 3>));
  put<float3>(out, i, own.v[0]);
  put(out, i + 32, own.at(1));
}""",
        {"x": _vectors(32), "out": _empty(64, 3)},
    ),
    "longlong4": (
        """
__global__ void k(const longlong4* x, longlong4* out, int* n) {
  __shared__ longlong4 s[32];
  const int i = threadIdx.x;
  longlong4 a = x[i];
  a.x += a.w;
  s[i] = a;
  __syncthreads();
  a = s[31 - i];
  a.y = s[i].z;
  out[i] = a;
  n[0] = sizeof(longlong4);
  n[1] = alignof(longlong4);
}""",
        {
            "x": np.arange(128, dtype=np.int64).reshape(32, 4),
            "out": _empty(32, 4, dtype=np.int64),
            "n": _empty(2, dtype=np.int32),
        },
    ),
    "loads and stores through casts": (
        """
#include <cuda_fp16.h>
__global__ void k(const float* x, const unsigned char* b, float* out, __half* h) {
  const int i = threadIdx.x;
  const float4 a = *(const float4*)(x + 4 * i), d = ((float4*)x)[i + 1];
  const float2 c = reinterpret_cast<const float2*>(x)[i];
  const int4 e = *reinterpret_cast<const int4*>(&x[8 * i]);
  const uint4 q = *((const uint4*)b + i);
  const uchar4 u = ((const uchar4*)b)[i];
  const char3 w = ((const char3*)b)[i];
  const unsigned int word = *(const unsigned int*)(b + 4 * i);
  const unsigned short narrow = *(const unsigned short*)(b + 2 * i);
  const long long wide = *(const long long*)(b + 8 * i);
  const float r = a.x + a.w + c.y + d.z + (float)(e.y >> 16) + (float)(q.w & 255) + u.y + w.z + (float)(word >> 24) +
                  narrow + (float)(wide >> 56);
  out[i] = r;
  *(float2*)(out + 32 + 2 * i) = make_float2(r, -r);
  reinterpret_cast<float4*>(out + 96)[i] = a;
  const __half2 pair = __floats2half2_rn(a.x, a.y);
  *(__half2*)(h + 2 * i) = pair;
  ((unsigned short*)h)[64 + i] = __half_as_ushort(__low2half(pair));
  *(int*)(h + 96 + 2 * i) = *(int*)&pair;
  *reinterpret_cast<uint2*>(h + 160 + 4 * i) = make_uint2(*(unsigned*)&pair, 0x3c003c00u);
}""",
        {"x": FLOATS.copy(), "b": BYTES, "out": _empty(224), "h": _empty(288, dtype=np.float16)},
    ),
    "bit casts": (
        """
#include <cuda_fp16.h>
union Bits { float f; int i; unsigned char b[4]; };
__global__ void k(const float* x, int* out) {
  const int i = threadIdx.x;
  float v = x[i];
  Bits u;
  u.f = v;
  int copied;
  memcpy(&copied, &v, sizeof(copied));
  short halves[2];
  memcpy(halves, &v, 4);
  __half h = __ushort_as_half((unsigned short)halves[1]);
  float2 p = make_float2(v, -v);
  const unsigned long long both = *(unsigned long long*)&p;
  int* o = out + 9 * i;
  o[0] = *(int*)&v;
  o[1] = *reinterpret_cast<int*>(&v);
  o[2] = copied;
  o[3] = __float_as_int(v);
  o[4] = u.i + u.b[3];
  o[5] = reinterpret_cast<unsigned&>(v);
  o[6] = *(unsigned short*)&h;
  o[7] = (int)(both >> 32) ^ (int)both;
  o[8] = *(float*)&copied == v;
}""",
        {"x": FLOATS[:32].copy(), "out": _empty(288, dtype=np.int32)},
    ),
    "halves that count": (
        """
#include <cuda_fp16.h>
__global__ void k(const __half* x, __half* out) {
  const int i = threadIdx.x;
  __half h = x[i], before = h++;
  __half after = --h;
  h -= before;
  out[i] = before + after * h--;
}""",
        {"x": FLOATS[:32].astype(np.float16), "out": _empty(32, dtype=np.float16)},
    ),
    "shared memory as other types": (
        """
__global__ void k(const float* x, float* out) {
  __shared__ __align__(16) unsigned char raw[1024];
  float* f = (float*)raw;
  float4* v = reinterpret_cast<float4*>(raw + 256);
  int3* t = (int3*)(raw + 768);
  const int i = threadIdx.x;
  f[i] = x[i];
  f[i + 32] = x[i + 32];
  if (i < 16) v[i] = make_float4(i, 1, 2, 3);
  if (i < 16) t[i] = make_int3(i, 2 * i, 3 * i);
  __syncthreads();
  const float4 a = ((float4*)f)[i % 16];
  out[i] = a.x + a.w + v[(i + 1) % 16].x + t[i / 2].z + raw[768 + 12 * (i / 2)];
  *(float3*)&out[32 + 3 * i] = make_float3(a.x, a.y, a.z);
}""",
        {"x": FLOATS[:64].copy(), "out": _empty(128)},
    ),
    "where pointers lead": (
        """
__global__ void k(const int* x, int* out) {
  __shared__ float s[4];
  float local[3];
  local[0] = s[threadIdx.x % 4] = x[0];
  if (threadIdx.x == 0) {
    out[0] = __isGlobal(x + 5); out[1] = __isShared(&s[2]); out[2] = __isLocal(local);
    out[3] = __isGlobal(s); out[4] = __isShared(x); out[5] = __isLocal(&out[2]);
    out[6] = __isShared(local); out[7] = __isGlobal(&local[1]);
  }
}""",
        {"x": np.ones(8, np.int32), "out": _empty(8, dtype=np.int32)},
    ),
}


@pytest.mark.parametrize("name", KERNELS)
def test_same_bytes(name: str) -> None:
    text, arguments = KERNELS[name]
    both = run_both(text, arguments, 32)
    assert any(array.any() for array in both.original.values())
    for argument in arguments:
        assert both.translated[argument].tobytes() == both.original[argument].tobytes(), argument


def test_where_pointers_lead() -> None:
    both = run_both(*KERNELS["where pointers lead"], 32)
    for side in both:
        assert side["out"].tolist() == [1, 1, 1, 0, 0, 0, 0, 0]


_PARTS = """
struct Cell { float3 p; float v[2]; };
__global__ void k(Cell* cells) {
  Cell* c = &cells[(threadIdx.x * 5) % 32];
  const float before = c->p.x;
  c->PART = before;
}
"""


@pytest.mark.parametrize("part", ("p.y", "v[1]"))
def test_parts_of_elements_that_are_read(part: str) -> None:
    """Lanes of a vector of 12 bytes, elements of a record's array, of elements that no thread has for its own."""
    given = {"cells": FLOATS[: 32 * 5].view(np.uint8).copy()}
    both = run_both(_PARTS.replace("PART", part), given, 32)
    assert both.original["cells"].tobytes() != given["cells"].tobytes()
    assert both.translated["cells"].tobytes() == both.original["cells"].tobytes()
