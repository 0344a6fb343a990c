"""inout_ptr: reads and writes through base XOR delta, the same in MSL and in CUDA C++, and as a plain array does."""

import numpy as np
import pytest
from prelude_machine import Array, run

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.protocol import KernelText, Launch, Status
from cu2mlx.transpiler import prelude

# One thread's program on p, in the C++ that both languages and a plain pointer share.
_PROGRAM = """
    p[1] = T(5);
    p[2] += p[1];
    p[2] -= T(1);
    p[3] *= T(3);
    p[4] /= T(2);
    *p = p[3];
    p[5] = p[6];
    T kept = p[7]++;
    p[8] = kept;
    kept = ++p[9];
    p[10] = kept;
    p[11]--;
    --p[12];
    auto q = p + 13;
    *q = T(7);
    q++;
    *q++ = T(8);
    ++q;
    q += 1;
    *q = T(9);
    q -= 2;
    q[0] = T(int(q - p));
    q--;
    q = q - 1;
    if (q == p + 13 && q != p && p < q) q[7] = T(4);
    T sum = T(0);
    for (int k = 0; k < 24; ++k) sum += T(p[k]);
    p[23] = sum * T(2);
    p[22] = T(T(p[21]) + T(p[20]) * T(2));
"""
_INTEGER = """
    p[14] %= T(3);
    p[15] &= T(6);
    p[16] |= T(9);
    p[17] ^= T(5);
    p[18] <<= 2;
    p[19] >>= 1;
"""
# MSL type, CUDA type, dtype, unsigned type of its bits, program
_TYPES = {
    "float": ("float", "float", np.float32, "uint", _PROGRAM),
    "int": ("int", "int", np.int32, "uint", _PROGRAM + _INTEGER),
    "uint": ("uint", "unsigned int", np.uint32, "uint", _PROGRAM + _INTEGER),
    "char": ("char", "signed char", np.int8, "uchar", _PROGRAM + _INTEGER),
    "ushort": ("ushort", "unsigned short", np.uint16, "ushort", _PROGRAM + _INTEGER),
    "long": ("long", "long long", np.int64, "uint2", _PROGRAM + _INTEGER),
    "half": ("half", "__half", np.float16, "ushort", _PROGRAM),
}


def _start(dtype: type) -> Array:
    return (np.arange(24) % 9 + 2).astype(dtype)


def _plain(msl: str, program: str, dtype: type) -> Array:
    text = (
        f"kernel void probe(device {msl}* p [[buffer(0)]]) {{\n    using T = {msl};\n"
        + program.replace("auto q", f"device {msl}* q")
        + "}\n"
    )
    memory = _start(dtype)
    run(text, "probe", [memory], 1, 1)
    return memory


def _value(base: Array, delta: Array) -> Array:
    unsigned = np.dtype(f"u{base.itemsize}")
    return (base.view(unsigned) ^ delta.view(unsigned)).view(base.dtype)


@pytest.mark.parametrize("name", _TYPES)
def test_behaves_as_a_pointer(name: str) -> None:
    msl, cuda, dtype, bits, program = _TYPES[name]
    exact = (msl, dtype) if name != "half" else ("float", np.float32)  # small integers and halves of them
    expected = _plain(exact[0], program, exact[1]).astype(dtype)

    base, delta = _start(dtype), np.zeros(24, dtype)
    text = (
        f"kernel void probe(device const {msl}* base [[buffer(0)]], device {bits}* delta [[buffer(1)]]) {{\n"
        f"    using T = {msl};\n    cu::inout_ptr<T> p(base, delta);\n{program}}}\n"
    )
    run(text, "probe", [base, delta], 1, 1)
    np.testing.assert_array_equal(base, _start(dtype))
    np.testing.assert_array_equal(_value(base, delta), expected)

    base, delta = _start(dtype), np.zeros(24, dtype)
    text = (
        "#include <cuda_fp16.h>\n"
        + prelude.cuda_text("inout_ptr")
        + f"__global__ void probe(const {cuda}* base, unsigned char* delta) {{\n"
        f"    using T = {cuda};\n    auto p = cu::inout(base, delta);\n{program}}}\n"
    )
    loaded = CpuExecutor(threads=1).load(KernelText("cuda", text, "probe"))
    outcome = loaded.run([base, delta.view(np.uint8)], Launch((1, 1, 1), (1, 1, 1)))
    assert outcome.status is Status.OK, outcome.message
    np.testing.assert_array_equal(_value(base, delta), expected)


def test_other_element_types_over_the_same_memory() -> None:
    """as<float4>, as<uint>, bool and packed words; `inout` takes the delta as MLX has it."""
    text = """
kernel void probe(device const float* base [[buffer(0)]], device uint* delta [[buffer(1)]],
                  device const bool* flag [[buffer(2)]], device uchar* flag_delta [[buffer(3)]]) {
    auto p = cu::inout(base, delta);
    cu::inout_ptr<float4> wide = p.as<float4>();
    float4 first = wide[0];
    wide[1] = first + float4(wide[1]);
    p.as<uint>()[8] = 0x40490fdbu;
    p.as<half>()[18] = half(1.5f);
    p.as<float2>()[5] = float2(-1.0f, -2.0f);
    cu::inout_ptr<bool> b = cu::inout(flag, flag_delta);
    b[1] = !b[0];
    b[2] = b[1] || b[0];
}
"""
    base, delta = np.arange(12, dtype=np.float32), np.zeros(12, np.uint32)
    flag, flag_delta = np.array([True, True, False, False]), np.zeros(4, np.uint8)
    run(text, "probe", [base, delta, flag, flag_delta], 1, 1)
    expected = base.copy()
    expected[4:8] += base[:4]
    expected[8] = np.float32(np.pi)
    expected[10:] = [-1, -2]
    expected.view(np.float16)[18] = 1.5
    np.testing.assert_array_equal(_value(base, delta), expected)
    np.testing.assert_array_equal(flag ^ flag_delta.astype(bool), [True, False, True, False])


_CUDA_ATOMICS = """
__global__ void probe(const float* base, unsigned* delta, const int* words, unsigned* word_delta,
                      const __half* halves, unsigned* half_delta) {
    auto p = cu::inout(base, delta);
    auto w = cu::inout(words, word_delta);
    auto h = cu::inout(halves, half_delta);
    int i = threadIdx.x;
    atomicAdd(&p[0], 2.0f);
    atomicMax(p + 1, float(i));
    atomicMin(p + 2, float(i));
    atomicCAS(&p[3], __int_as_float(0x7fffffff), 4.0f);
    atomicAdd(&w[0], i);
    atomicSub(&w[1], 1);
    atomicOr(&w[2], 1 << (i & 31));
    atomicAnd(&w[3], ~(1 << (i & 31)));
    atomicXor(&w[4], i);
    int seen = w[5], old;
    do {
        old = seen;
        seen = atomicCAS(&w[5], old, old + 3);
    } while (seen != old);
    atomicExch(&w[6], 77);
    atomicAdd(&h[i % 3], __float2half(1.0f));
}
"""


def test_atomics_of_the_cuda_text() -> None:
    text = "#include <cuda_fp16.h>\n" + prelude.cuda_text("inout_ptr") + _CUDA_ATOMICS
    base = np.array([1, -5, 500, np.nan], np.float32)
    base.view(np.uint32)[3] = 0x7FFFFFFF
    words = np.array([3, 100, 0, -1, 0, 5, 6], np.int32)
    halves = np.array([0.5, 1, 2, 3], np.float16)
    deltas = [np.zeros(4, np.uint32), np.zeros(7, np.uint32), np.zeros(2, np.uint32)]
    loaded = CpuExecutor(threads=1).load(KernelText("cuda", text, "probe"))
    arguments = [base, deltas[0], words, deltas[1], halves, deltas[2]]
    outcome = loaded.run(arguments, Launch((2, 1, 1), (48, 1, 1)))
    assert outcome.status is Status.OK, outcome.message
    np.testing.assert_array_equal(_value(base, deltas[0]), [1 + 192, 47, 0, 4])
    np.testing.assert_array_equal(_value(words, deltas[1]), [3 + 2256, 4, -1, 0, 0, 5 + 288, 77])
    np.testing.assert_array_equal(_value(halves, deltas[2]), [32.5, 33, 34, 3])
