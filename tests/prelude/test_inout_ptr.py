"""inout_ptr: reads and writes through base XOR delta, as a plain array does."""

import numpy as np
import pytest
from prelude_machine import Array, run

# One thread's program on p, which a plain pointer runs too.
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
# MSL type, dtype, unsigned type of its bits, program
_TYPES = {
    "float": ("float", np.float32, "uint", _PROGRAM),
    "int": ("int", np.int32, "uint", _PROGRAM + _INTEGER),
    "uint": ("uint", np.uint32, "uint", _PROGRAM + _INTEGER),
    "char": ("char", np.int8, "uchar", _PROGRAM + _INTEGER),
    "ushort": ("ushort", np.uint16, "ushort", _PROGRAM + _INTEGER),
    "long": ("long", np.int64, "uint2", _PROGRAM + _INTEGER),
    "half": ("half", np.float16, "ushort", _PROGRAM),
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
    msl, dtype, bits, program = _TYPES[name]
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
