"""The four shuffles: every width, every distance for the whole warp, and distances of each lane's own."""

import itertools
from functools import partial

import numpy as np

from tests.warp.family import LANES, Array, Family, Threads, warps

WIDTHS = (1, 2, 4, 8, 16, 32)
_ALL = "0xffffffffu"
HEADERS = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
# CUDA's type → how a lane's value is made from `v`, and what of the result goes into the word
_TYPES = {
    "int": ("v", "{}"),
    "unsigned int": ("(unsigned int)v", "{}"),
    "float": ("(float)v", "(int){}"),
    "long long": ("(long long)v * 4294967299LL", "(int)({} / 4294967299LL)"),
    "unsigned long long": ("(unsigned long long)(long long)v << 32", "(int)({} >> 32)"),
    "__half": ("__float2half((float)v)", "(int)__half2float({})"),
    "__half2": ("__floats2half2_rn((float)v, 1.0f)", "(int)__low2float({})"),
    "__nv_bfloat16": ("__float2bfloat16((float)v)", "(int)__bfloat162float({})"),
    "__nv_bfloat162": ("__floats2bfloat162_rn((float)v, 1.0f)", "(int)__low2float({})"),
}


def source(kind: str, threads: Threads) -> Array:
    """The lane that a shuffle reads (PTX ISA, shfl): distances count modulo 32, and a lane whose source lies
    outside its segment reads itself."""
    lane, first, last = threads.lane, threads.lane & ~(threads.w - 1), threads.lane | (threads.w - 1)
    if kind == "shfl":
        return first | (threads.a & (threads.w - 1))
    distance = threads.a & (LANES - 1)
    other = {"up": lane - distance, "down": lane + distance, "xor": lane ^ distance}[
        kind.removeprefix("shfl_")
    ]
    return np.where(other < first if kind == "shfl_up" else other > last, lane, other)


def shuffled(kind: str, threads: Threads) -> Array:
    return np.take_along_axis(threads.v, source(kind, threads), 1)


def _choices(kind: str) -> Threads:
    """All widths with all distances, then 16 warps a width whose lanes choose for themselves."""
    random = np.random.default_rng(3)
    low = -33 if kind == "shfl" else 0
    uniform = [(w, np.full(LANES, a)) for w, a in itertools.product(WIDTHS, range(low, 64))]
    own = [(w, random.integers(low, 64, LANES)) for w in WIDTHS for _ in range(16)]
    listed = uniform + own
    a = np.array([each for _, each in listed])
    w = np.array([[width] * LANES for width, _ in listed])
    return warps(len(listed), 1, a, w)


def _general(kind: str) -> Family:
    """Width and distance as data."""
    rows = {
        read.format(f"__{kind}_sync({_ALL}, {make}, a, w)"): partial(shuffled, kind)
        for make, read in _TYPES.values()
    }
    return Family(kind, _choices(kind), rows, helpers=HEADERS)


def _written_out(kind: str) -> Family:
    """Width and distance as constants, the width also left out."""

    def truth(distance: int, width: int, threads: Threads) -> Array:
        return shuffled(kind, threads._replace(a=threads.a + distance, w=threads.w * 0 + width))

    rows = {
        f"__{kind}_sync({_ALL}, v, {distance}{f', {width}' if width < LANES else ''})": partial(
            truth, distance, width
        )
        for width in WIDTHS
        for distance in (0, 1, 2, 3, 5, 8, 16, 31, 33)
    }
    return Family(f"{kind}, constants", warps(4, 2), rows)


def _loops() -> Family:
    """The distance as a loop's variable, as reductions have it."""
    return Family(
        "shuffles in loops",
        warps(8, 4),
        {
            "sum(v)": lambda t: np.broadcast_to(t.v.sum(1, keepdims=True), t.v.shape),
            "(int)sum_of_eight(v)": lambda t: t.v.reshape(-1, 4, 8).sum(2).repeat(8, 1),
            "prefix(v)": lambda t: t.v.cumsum(1),
        },
        helpers=_LOOPS,
    )


_LOOPS = """
__device__ int sum(int v) {
  for (int mask = 16; mask > 0; mask >>= 1) v += __shfl_xor_sync(0xffffffffu, v, mask, 32);
  return v;
}
__device__ float sum_of_eight(float v) {
#pragma unroll
  for (int offset = 4; offset > 0; offset /= 2) v += __shfl_down_sync(0xffffffffu, v, offset, 8);
  return __shfl_sync(0xffffffffu, v, 0, 8);
}
__device__ int prefix(int v) {
  const int lane = threadIdx.x % warpSize;
  for (int delta = 1; delta < warpSize; delta *= 2) {
    const int before = __shfl_up_sync(0xffffffffu, v, delta);
    if (lane >= delta) v += before;
  }
  return v;
}
"""

KINDS = ("shfl", "shfl_up", "shfl_down", "shfl_xor")
FAMILIES = (*map(_general, KINDS), *map(_written_out, KINDS), _loops())
