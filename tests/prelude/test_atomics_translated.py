"""Atomics, translated: many threads of several blocks on the same few elements, in buffers and shared memory.

Every kernel runs as written and translated; what must hold does not depend on the order of the threads.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from tests.translated import Array, run_both

SLOTS, BLOCKS, THREADS = 3, 4, 96
N = BLOCKS * THREADS


class Type(NamedTuple):
    """`lanes` numbers of `dtype` are one element of the CUDA type."""

    cuda: str
    dtype: str
    operations: tuple[str, ...]
    lanes: int = 1


_FOLDED = ("Add", "Sub", "Min", "Max", "And", "Or", "Xor")
TYPES = (
    Type("int", "int32", (*_FOLDED, "Exch")),
    Type("unsigned int", "uint32", (*_FOLDED, "Exch", "Inc", "Dec")),
    Type("float", "float32", ("Add", "Exch")),
    Type("__half", "float16", ("Add",)),
    Type("__half2", "float16", ("Add",), 2),
    Type("__nv_bfloat16", "bfloat16", ("Add",)),
    Type("__nv_bfloat162", "bfloat16", ("Add",), 2),
)
# Operation → what one thread makes of the old number; order does not matter for any of them.
STEPS: dict[str, Callable[[Any, Any], Any]] = {
    "Add": lambda old, v: old + v,
    "Sub": lambda old, v: old - v,
    "Min": min,
    "Max": max,
    "And": lambda old, v: old & v,
    "Or": lambda old, v: old | v,
    "Xor": lambda old, v: old ^ v,
    "Inc": lambda old, v: 0 if old >= v else old + 1,
    "Dec": lambda old, v: v if old == 0 or old > v else old - 1,
}

_HEAD = "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
# {calls} read `memory` and `i`; {keep} is what becomes of each call's result.
_BUFFER = """{head}
__global__ void k({type} *memory, const {type} *value, {type} *seen) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  const int slot = i % {slots};
{calls}
}}
"""
# Each block works on a copy of its own, which it adds up at the end: block b's is at memory + b * size.
_SHARED = """{head}
__global__ void k({type} *memory, const {type} *value, {type} *seen) {{
  __shared__ {type} copy[{size}];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  const int slot = i % {slots};
  if (threadIdx.x < {size}) copy[threadIdx.x] = memory[blockIdx.x * {size} + threadIdx.x];
  __syncthreads();
{calls}
  __syncthreads();
  if (threadIdx.x < {size}) memory[blockIdx.x * {size} + threadIdx.x] = copy[threadIdx.x];
}}
"""


def _kernel(type_: Type, place: str, used: bool) -> str:
    where = "copy" if place == "shared" else "memory"
    calls = []
    for row, name in enumerate(type_.operations):
        call = f"atomic{name}(&{where}[{row * SLOTS} + slot], value[{row} * n + i])"
        calls.append(f"  seen[{row} * n + i] = {call};" if used else f"  {call};")
    if not used:
        calls.append("  seen[i] = value[i];")
    text = _SHARED if place == "shared" else _BUFFER
    return text.format(
        head=_HEAD,
        type=type_.cuda,
        slots=SLOTS,
        size=SLOTS * len(type_.operations),
        calls="\n".join(calls),
    )


def _numbers(type_: Type, shape: tuple[int, ...], seed: int) -> Array:
    """Whole numbers, small enough in the short types that every sum is exact."""
    random = np.random.default_rng(seed)
    top = {"int32": 2**31, "uint32": 2**32, "float32": 1000, "float16": 8, "bfloat16": 2}[type_.dtype]
    return random.integers(-top if type_.dtype == "int32" else 0, top, shape)


def _stored(type_: Type, numbers: Array) -> Array:
    if type_.dtype == "bfloat16":
        return (numbers.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return numbers.astype(type_.dtype)


def _read(type_: Type, stored: Array) -> Array:
    if type_.dtype == "bfloat16":
        return (stored.astype(np.uint32) << 16).view(np.float32).astype(np.int64)
    return stored.astype(np.int64)


def _wrapped(type_: Type, number: int) -> int:
    if not type_.dtype.endswith("int32"):
        return int(number)
    word = int(number) & 0xFFFFFFFF
    return word - 2**32 if type_.dtype == "int32" and word >= 2**31 else word


def _folded(type_: Type, name: str, old: int, values: Array) -> int:
    for value in values:
        old = _wrapped(type_, STEPS[name](old, int(value)))
    return old


@pytest.mark.parametrize("used", (True, False), ids=("used", "unused"))
@pytest.mark.parametrize("place", ("buffer", "shared"))
@pytest.mark.parametrize("type_", TYPES, ids=lambda each: each.cuda)
def test_contention(type_: Type, place: str, used: bool) -> None:
    rows, copies = len(type_.operations), BLOCKS if place == "shared" else 1
    value = _numbers(type_, (rows, N, type_.lanes), 5)
    memory = np.repeat(_numbers(type_, (1, rows, SLOTS, type_.lanes), 6), copies, 0)
    for row, name in enumerate(type_.operations):
        if name in ("Inc", "Dec"):
            value[row], memory[:, row] = 10, 4
    given = {"memory": memory, "value": value, "seen": np.zeros_like(value)}
    both = run_both(
        _kernel(type_, place, used),
        {name: _stored(type_, numbers) for name, numbers in given.items()},
        THREADS,
        BLOCKS,
        dtypes=dict.fromkeys(given, type_.dtype),
    )
    for side in both:
        found = {name: _read(type_, stored) for name, stored in side.items()}
        for copy in range(copies):
            threads = np.arange(N) if copies == 1 else np.arange(copy * THREADS, (copy + 1) * THREADS)
            _check(type_, used, found, memory[copy], value, threads, found["memory"][copy])


def _check(
    type_: Type,
    used: bool,
    found: dict[str, Array],
    before: Array,
    value: Array,
    threads: Array,
    after: Array,
) -> None:
    for row, name in enumerate(type_.operations):
        for slot in range(SLOTS):
            mine = threads[threads % SLOTS == slot]
            for lane in range(type_.lanes):
                old, new = int(before[row, slot, lane]), int(after[row, slot, lane])
                values, seen = value[row, mine, lane], found["seen"][row, mine, lane]
                if name != "Exch":
                    assert new == _folded(type_, name, old, values), (name, slot)
                elif used:  # nothing is lost: what was there and what came is what was seen and what is there
                    assert sorted([old, *values]) == sorted([new, *seen]), slot
                else:
                    assert new in values, slot
                if used and name == "Add":
                    _check_order(type_, old, values, seen)


def _check_order(type_: Type, old: int, values: Array, seen: Array) -> None:
    """Some order of the additions explains what each thread saw: everybody starts where another one ended."""
    ends = [_wrapped(type_, int(s) + int(v)) for s, v in zip(seen, values, strict=True)]
    total = _folded(type_, "Add", old, values)
    assert sorted([old, *ends]) == sorted([total, *map(int, seen)])


_WIDE = """
__global__ void k(const unsigned long long *x, unsigned long long *out, unsigned long long *total) {
  __shared__ unsigned long long part[2];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 2) part[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  atomicAdd(&out[2], x[i]);
  atomicAnd(&out[3], x[i] | 1ULL << i % 61);
  atomicOr_block(out + 4, x[i] & 1ULL << i % 64);
  atomicXor_system(&out[5], x[i]);
  atomicAdd((unsigned long long *)(long long *)out + 6, (unsigned long long)-3LL);
  atomicAdd(&part[i & 1], x[i]);
  atomicXor(part + 1, x[i] >> 1);
  atomicAdd(total, x[i]);
  __syncthreads();
  if (threadIdx.x < 2) out[8 + blockIdx.x * 2 + threadIdx.x] = part[threadIdx.x];
}
"""


@pytest.mark.parametrize("start", (0, 7, 2**32 - 1, 2**64 - 1))
def test_64_bits_without_a_result(start: int) -> None:
    """Sums with carries from any start, in buffers read and written, only added to, and shared memory."""
    x = np.random.default_rng(9).integers(0, 2**64, N, np.uint64)
    given = {"x": x, "out": np.full(8 + 2 * BLOCKS, start, np.uint64), "total": np.full(1, start, np.uint64)}
    both = run_both(_WIDE, given, THREADS, BLOCKS)
    one, i = np.uint64(1), np.arange(N, dtype=np.uint64)
    before = np.uint64(start)
    with np.errstate(over="ignore"):
        expected = {
            2: before + x.sum(dtype=np.uint64),
            3: before & np.bitwise_and.reduce(x | one << i % np.uint64(61)),
            4: before | np.bitwise_or.reduce(x & one << i % np.uint64(64)),
            5: before ^ np.bitwise_xor.reduce(x),
            6: np.uint64((start - 3 * N) % 2**64),
            8: before + x[:THREADS:2].sum(dtype=np.uint64),
        }
    for side in both:
        assert {place: side["out"][place] for place in expected} == expected
        assert side["total"][0] == expected[2]
    np.testing.assert_array_equal(both.translated["out"], both.original["out"])


_TOP = """
__global__ void k(const unsigned long long *x, unsigned long long *best) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMax(&best[i % 3], x[i]);
}
"""


def test_64_bit_maximum_of_a_buffer() -> None:
    """The buffer starts at zero in Metal; what was there before counts too."""
    x = np.random.default_rng(9).integers(0, 2**63, N, np.uint64)
    best = np.array([0, 2**64 - 1, 5], np.uint64)
    both = run_both(_TOP, {"x": x, "best": best}, THREADS, BLOCKS)
    expected = [max(int(b), int(x[slot::3].max())) for slot, b in enumerate(best)]
    for side in both:
        assert side["best"].tolist() == expected


@pytest.mark.parametrize(
    "call", ("atomicMin(best, x[0])", "x[1] = atomicMax(best, x[0])", "atomicMax(&s, *x)")
)
def test_other_64_bit_extremes_are_refused(call: str) -> None:
    text = (
        "__global__ void k(unsigned long long *x, unsigned long long *best) {\n"
        f"  __shared__ unsigned long long s;\n  s = 0;\n  {call};\n  x[2] = s;\n}}\n"
    )
    with pytest.raises(AssertionError, match="no 64-bit atomic"):
        run_both(text, {"x": np.zeros(8, np.uint64), "best": np.zeros(8, np.uint64)}, 1)


_NAN_LOOPS = """
__device__ float atomicMaxFloat(float *address, float value) {
  int *word = (int *)address;
  int old = *word, assumed;
  do {
    assumed = old;
    old = atomicCAS(word, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}
__device__ float atomicMinFloat(float *address, float value) {
  unsigned int *word = reinterpret_cast<unsigned int *>(address);
  unsigned int old = *word, assumed;
  while (true) {
    assumed = old;
    if (__uint_as_float(assumed) <= value) break;
    old = atomicCAS(word, assumed, __float_as_uint(value));
    if (old == assumed) break;
  }
  return __uint_as_float(old);
}
__global__ void k(float *memory, const float *value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ float copy[2];
  if (threadIdx.x < 2) copy[threadIdx.x] = __int_as_float(0x7fc00000);
  __syncthreads();
  atomicMaxFloat(&memory[0], value[i]);
  atomicMinFloat(&memory[1], value[i]);
  atomicMaxFloat(&memory[2], __int_as_float(0x7fc00001));
  atomicAdd(&memory[3], value[i]);
  atomicMaxFloat(&copy[0], value[i]);
  atomicMinFloat(copy + 1, value[i]);
  __syncthreads();
  if (threadIdx.x < 2) memory[4 + 2 * blockIdx.x + threadIdx.x] = copy[threadIdx.x];
}
"""


def test_loops_end_on_nan() -> None:
    """A NaN in memory equals itself bit by bit, so compare-and-swap replaces it."""
    value = np.random.default_rng(7).normal(0, 9, N).astype(np.float32)
    memory = np.full(4 + 2 * BLOCKS, np.nan, np.float32)
    both = run_both(_NAN_LOOPS, {"memory": memory, "value": value}, THREADS, BLOCKS)
    blocks = value.reshape(BLOCKS, THREADS)
    for side in both:
        found = side["memory"]
        assert found[0] == value.max()
        assert found[1] == value.min()
        assert np.isnan(found[2:4]).all()
        np.testing.assert_array_equal(found[4::2], blocks.max(1))
        np.testing.assert_array_equal(found[5::2], blocks.min(1))


_CAS = """
__global__ void k(int *lock, unsigned int *words, unsigned short *halves, float *total, int *seen) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  seen[i] = atomicCAS(lock, 0, i + 1);
  unsigned int old = words[i % 3], assumed;
  do {
    assumed = old;
    old = atomicCAS(&words[i % 3], assumed, assumed * 3u + 1u);
  } while (assumed != old);
  unsigned short now = halves[i % 4], before;
  do {
    before = now;
    now = atomicCAS(&halves[i % 4], before, (unsigned short)(before + 7));
  } while (before != now);
  int *bits = (int *)total;
  int was = *bits, guess;
  do {
    guess = was;
    was = atomicCAS(bits, guess, __float_as_int(__int_as_float(guess) + 2.0f));
  } while (guess != was);
}
"""


def test_compare_and_swap() -> None:
    """One thread wins an empty slot; loops apply every thread's change once."""
    words, halves = np.array([1, 2, 3], np.uint32), np.array([0, 65530, 5, 9], np.uint16)
    arguments = {"lock": np.zeros(1, np.int32), "words": words, "halves": halves}
    both = run_both(
        _CAS,
        {**arguments, "total": np.full(1, 0.5, np.float32), "seen": np.zeros(N, np.int32)},
        THREADS,
        BLOCKS,
    )
    expected = [int(word) for word in words]
    for _ in range(N // 3):
        expected = [(word * 3 + 1) & 0xFFFFFFFF for word in expected]
    for side in both:
        winner = int(side["lock"][0])
        assert side["seen"][winner - 1] == 0
        assert set(np.delete(side["seen"], winner - 1)) == {winner}
        assert side["words"].tolist() == expected
        assert side["halves"].tolist() == [(int(h) + 7 * (N // 4)) & 0xFFFF for h in halves]
        assert side["total"][0] == 0.5 + 2 * N
