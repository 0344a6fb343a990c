"""CUDA's conversions, integer intrinsics, rounding intrinsics and mathematics on the CPU machine."""

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from cuda_runner import Array, each, run

NAN, INF = float("nan"), float("inf")
RANDOM = np.random.default_rng(11)

# (expression of a and b, a, b, result), with a and b double
CASTS = [
    ("__float2int_rn(a)", 2.5, 0, 2), ("__float2int_rn(a)", 3.5, 0, 4), ("__float2int_rz(a)", -2.7, 0, -2),
    ("__float2int_rd(a)", -2.1, 0, -3), ("__float2int_ru(a)", 2.1, 0, 3), ("__float2int_rz(a)", 3e10, 0, 2**31 - 1),
    ("__float2int_rz(a)", -INF, 0, -(2**31)), ("__float2int_rn(a)", NAN, 0, 0), ("__float2uint_rz(a)", -1.0, 0, 0),
    ("__float2uint_rz(a)", 5e9, 0, 2**32 - 1), ("__float2ll_rz(a)", 1e30, 0, 2.0**63), ("__float2ull_rz(a)", -5.0, 0, 0),
    ("__double2int_rn(a)", 1.5, 0, 2), ("__double2int_rz(a)", NAN, 0, -(2**31)), ("__float2ll_rn(a)", NAN, 0, -(2.0**63)),
    ("__int2float_rn(int(a))", 16777217, 0, 16777216), ("__int2float_ru(int(a))", 16777217, 0, 16777218),
    ("__int2float_rd(int(a))", -16777217, 0, -16777218), ("__uint2float_rz((unsigned)a)", 4294967295, 0, 4294967040),
    ("__double2float_rd(a)", 0.1, 0, float(np.nextafter(np.float32(0.1), np.float32(0)))),
    ("__double2float_rz(a)", 1e300, 0, float(np.finfo(np.float32).max)), ("__double2float_ru(a)", 1e300, 0, INF),
    ("__ll2double_ru((1ll << 53) + 1)", 0, 0, 2.0**53 + 2), ("__ll2float_rn((1ll << 60) + 1)", 0, 0, 2.0**60),
    ("__ull2float_rz(~0ull)", 0, 0, 18446742974197923840.0), ("__hiloint2double(__double2hiint(a), __double2loint(a))", 0.3, 0, 0.3),
    ("__float_as_int(float(a))", 1, 0, 0x3F800000), ("__uint_as_float(0x40400000u)", 0, 0, 3),
    ("__saturatef(a)", NAN, 0, 0), ("__saturatef(a)", 1.5, 0, 1), ("__saturatef(a)", 0.25, 0, 0.25),
    ("min(int(a), unsigned(b))", -1, 5, 5), ("max(int(a), unsigned(b))", -1, 5, 2**32 - 1), ("min(a, float(b))", NAN, 2, 2),
    ("max(-1ll, 3ull)", 0, 0, 2.0**64), ("fmaxf(a, b)", NAN, 1, 1), ("fdividef(a, b)", 6, 3, 2), ("__fdividef(1.0f, 3e38f)", 0, 0, 0),
    ("rintf(a)", 2.5, 0, 2), ("roundf(a)", 2.5, 0, 3), ("truncf(a)", -2.5, 0, -2), ("llrintf(a)", 3.5, 0, 4),
    ("fmodf(a, b)", -7, 3, -1), ("copysignf(a, b)", 2, -0.0, -2), ("abs(int(a))", -7, 0, 7), ("fdimf(a, b)", 3, 5, 0),
    ("signbit(float(a))", -0.0, 0, 1), ("isinf(float(a))", INF, 0, 1), ("ldexpf(a, 3)", 3, 0, 24), ("nextafterf(1.0f, 2.0f)", 0, 0, 1 + 2.0**-23),
]  # fmt: skip

# unsigned a, b, c
INTEGERS = [
    ("__clz(int(a))", [0], 32), ("__clz(int(a))", [1], 31), ("__ffs(int(a))", [0], 0), ("__ffs(int(a))", [8], 4),
    ("__popc(a)", [0xF0F0], 8), ("__brev(a)", [1], 1 << 31), ("__clzll((long long)a)", [1], 63), ("__popcll(~0ull)", [0], 64),
    ("__ffsll(1ll << 40)", [0], 41), ("(unsigned)__brevll(1ull << 63)", [0], 1), ("__fns(a, b, int(c))", [0b10110, 0, 2], 2),
    ("__fns(a, b, int(c))", [0b10110, 4, 2**32 - 2], 2), ("__fns(a, b, int(c))", [0b10110, 0, 4], 2**32 - 1),
    ("__mulhi(int(a), int(b))", [2**32 - 1, 7], 2**32 - 1), ("__umulhi(a, b)", [2**32 - 1, 7], 6),
    ("unsigned(__umul64hi(~0ull, 5ull))", [0], 4), ("unsigned(__mul64hi(-1ll, 5ll))", [0], 2**32 - 1),
    ("__umul24(a, b)", [0x1000003, 5], 15), ("__mul24(int(a), int(b))", [0xFFFFFF, 5], 2**32 - 5),
    ("__sad(int(a), int(b), c)", [3, 10, 1], 8), ("__usad(a, b, c)", [10, 3, 1], 8), ("__uhadd(a, b)", [2**32 - 1, 1], 2**31),
    ("__urhadd(a, b)", [2, 3], 3), ("__rhadd(int(a), int(b))", [2, 3], 3), ("__byte_perm(a, b, c)", [0x33221100, 0x77665544, 0x7531], 0x77553311),
    ("__byte_perm(a, b, c)", [0x33221100, 0x77665544, 0xF0], 0x00007700), ("__funnelshift_l(a, b, c)", [0x80000000, 1, 1], 3),
    ("__funnelshift_r(a, b, c)", [2, 1, 1], 0x80000001), ("__funnelshift_l(a, b, c)", [5, 7, 32], 7),
    ("__funnelshift_lc(a, b, c)", [5, 7, 32], 5), ("__funnelshift_rc(a, b, c)", [5, 7, 40], 7),
    ("__dp4a(int(a), int(b), int(c))", [0xFF010203, 0x02030405, 10], 10 - 2 + 3 + 8 + 15), ("__dp4a(a, b, c)", [0xFF010203, 0x02030405, 0], 510 + 26),
    ("__dp2a_lo(int(a), int(b), int(c))", [0xFFFF0002, 0x04030201, 5], 5 + 2 - 2), ("__dp2a_hi(int(a), int(b), int(c))", [0xFFFF0002, 0x04030201, 5], 5 + 6 - 4),
    ("__vadd2(a, b)", [0xFFFF0001, 0x00010002], 0x00000003), ("__vadd4(a, b)", [0xFF010203, 0x01010101], 0x00020304),
    ("__vsub4(a, b)", [0x00010203, 0x01010101], 0xFF000102), ("__vaddss2(a, b)", [0x7FFF8000, 0x0001FFFF], 0x7FFF8000),
    ("__vaddus4(a, b)", [0xFF010203, 0x01010101], 0xFF020304), ("__vsubus4(a, b)", [0x00010203, 0x01010102], 0x00000101),
    ("__vabsdiffs4(a, b)", [0x80010203, 0x7F020100], 0xFF010103), ("__vabsdiffu4(a, b)", [0xFF010203, 0x00020100], 0xFF010103),
    ("__vabs4(a)", [0xFF80017F], 0x0180017F), ("__vabsss4(a)", [0xFF80017F], 0x017F017F), ("__vneg2(a)", [0x0001FFFF], 0xFFFF0001),
    ("__vmaxs4(a, b)", [0xFF010203, 0x00000500], 0x00010503), ("__vmaxu4(a, b)", [0xFF010203, 0x00000500], 0xFF010503),
    ("__vmins2(a, b)", [0xFFFF0005, 0x00010003], 0xFFFF0003), ("__vcmpgts4(a, b)", [0xFF010203, 0x00000500], 0x00FF00FF),
    ("__vsetgtu4(a, b)", [0xFF010203, 0x00000500], 0x01010001), ("__vcmpeq2(a, b)", [0x12345678, 0x12340000], 0xFFFF0000),
    ("__vsadu4(a, b)", [0xFF010203, 0x00020100], 255 + 1 + 1 + 3), ("__vavgu4(a, b)", [0x01020304, 0x02020202], 0x02020303),
    ("__vavgs2(a, b)", [0xFFFF0003, 0xFFFE0002], 0xFFFE0003), ("__vhaddu2(a, b)", [0x00050003, 0x00020002], 0x00030002),
]  # fmt: skip


def test_casts_and_scalar_functions() -> None:
    got = each(("double", "double"), [(e, [a, b]) for e, a, b, _ in CASTS], np.float64, np.float64)
    for value, (expression, a, _, want) in zip(got, CASTS, strict=True):
        assert value == want, (expression, a, value)


def test_integer_intrinsics() -> None:
    rows = [(e, operands) for e, operands, _ in INTEGERS]
    got = each(("unsigned", "unsigned"), rows, np.uint32, np.uint32)
    for value, (expression, operands, want) in zip(got, INTEGERS, strict=True):
        assert int(value) == want, (expression, operands, hex(value))


def exact_result(operation: str, x: Fraction, y: Fraction) -> Fraction:
    return {"add": x + y, "sub": x - y, "mul": x * y, "div": x / y if y else Fraction(0)}[operation]


def test_directed_arithmetic() -> None:
    """Each result is the representable neighbour of the exact value in the stated direction."""
    a = (RANDOM.standard_normal(10) * 10.0 ** RANDOM.integers(-6, 6, 10)).astype(np.float32)
    b = RANDOM.standard_normal(10).astype(np.float32)
    calls = [(op, mode) for op in ("add", "sub", "mul", "div") for mode in ("rn", "rz", "rd", "ru")]
    lines = "".join(
        f"out[{10 * i} + i] = __f{op}_{mode}(a[i], b[i]);\n" for i, (op, mode) in enumerate(calls)
    )
    lines = lines.replace("+ i]", "+ threadIdx.x]").replace("[i]", "[threadIdx.x]")
    out = np.zeros((len(calls), 10), np.float32)
    run(f"__global__ void k(const float* a, const float* b, float* out) {{\n{lines}}}", a, b, out, block=10)
    for (operation, mode), row in zip(calls, out, strict=True):
        for x, y, result in zip(a, b, row, strict=True):
            exact, value = (
                exact_result(operation, Fraction(float(x)), Fraction(float(y))),
                Fraction(float(result)),
            )
            low, high = (Fraction(float(np.nextafter(result, np.float32(s)))) for s in (-np.inf, np.inf))
            if mode == "rn":
                assert abs(value - exact) <= min(abs(low - exact), abs(high - exact))
            elif mode == "rd" or (mode == "rz" and exact > 0):
                assert value <= exact < high
            else:
                assert low < exact <= value


def test_fma_is_fused() -> None:
    x = np.float32(1 + 2.0**-12)
    rows = [
        ("fmaf(a, a, -b)", [x, 1 + 2.0**-11]),
        ("__fmaf_rn(a, a, -b)", [x, 1 + 2.0**-11]),
        ("a * a - b", [x, 1 + 2.0**-11]),
    ]
    assert each(("float", "float"), rows, np.float32, np.float32).tolist() == [2.0**-24, 2.0**-24, 0.0]


# function of x, mpmath's, inputs, units in the last place allowed (float, double)
MATH = [
    ("rsqrt", lambda x: 1 / mpmath.sqrt(x), [0.1, 2.0, 1e30], 1, 2), ("rcbrt", lambda x: 1 / mpmath.cbrt(x), [0.1, 2.0, 27.0], 1, 4),
    ("sinpi", lambda x: mpmath.sinpi(x), [0.1, 0.75, -3.3, 1e5 + 0.25], 1, 2), ("cospi", lambda x: mpmath.cospi(x), [0.1, 0.75, -3.3, 0.5], 1, 2),
    ("erfinv", mpmath.erfinv, [-0.999, -0.3, 1e-4, 0.6, 0.9999], 1, 20), ("erfcinv", lambda x: mpmath.erfinv(1 - x), [1e-10, 0.3, 0.9, 1.7], 1, 20),
    ("erfcx", lambda x: mpmath.exp(x * x) * mpmath.erfc(x), [-2.0, 0.5, 9.0, 24.0, 26.0, 100.0], 1, 20),
    ("normcdf", lambda x: mpmath.ncdf(x), [-5.0, -0.5, 0.0, 2.0], 1, 20), ("normcdfinv", lambda p: mpmath.sqrt(2) * mpmath.erfinv(2 * p - 1), [0.01, 0.4, 0.975], 1, 40),
    ("cyl_bessel_i0", lambda x: mpmath.besseli(0, x), [0.0, 1.0, -3.0, 29.0, 31.0, 80.0], 1, 60), ("cyl_bessel_i1", lambda x: mpmath.besseli(1, x), [1.0, -3.0, 31.0], 1, 60),
    ("exp10", lambda x: mpmath.mpf(10) ** x, [-2.5, 0.0, 3.25], 1, 2), ("exp", mpmath.exp, [-3.0, 0.1, 10.0], 1, 1), ("tanh", mpmath.tanh, [-2.0, 0.01, 3.0], 1, 2),
    ("lgamma", lambda x: mpmath.loggamma(x).real, [0.3, 4.5, 20.0], 2, 4), ("tgamma", mpmath.gamma, [0.3, 4.5], 2, 8), ("erf", mpmath.erf, [0.2, 1.5], 1, 2),
    ("expm1", mpmath.expm1, [1e-5, 1.0], 1, 2), ("log1p", mpmath.log1p, [1e-5, 1.0], 1, 2), ("cbrt", mpmath.cbrt, [3.0, 1e9], 1, 2), ("j0", lambda x: mpmath.besselj(0, x), [0.5, 3.0], 4, 8),
]  # fmt: skip


@pytest.mark.parametrize("kind", ["float", "double"])
def test_math_functions(kind: str) -> None:
    dtype = np.float32 if kind == "float" else np.float64
    suffix = "f" if kind == "float" else ""
    rows = [(f"{name}{suffix}(a)", [x]) for name, _, xs, _, _ in MATH for x in xs]
    got: Array = each((kind, kind), rows, dtype, dtype)
    index = 0
    mpmath.mp.dps = 50
    for name, function, xs, *allowed in MATH:
        for x in xs:
            want = function(mpmath.mpf(float(dtype(x))))
            spacing = float(np.spacing(dtype(abs(float(want)))))
            error = abs(mpmath.mpf(float(got[index])) - want) / spacing
            assert error <= allowed[kind == "double"] + 0.5, (name, x, got[index], error)
            index += 1


def test_vector_sizes_and_alignment() -> None:
    kinds = {
        "char3": 3,
        "uchar4": 4,
        "short3": 6,
        "short4": 8,
        "int2": 8,
        "float3": 12,
        "float4": 16,
        "double2": 16,
        "longlong3": 24,
    }
    aligned = {
        "char3": 1,
        "uchar4": 4,
        "short3": 2,
        "short4": 8,
        "int2": 8,
        "float3": 4,
        "float4": 16,
        "double2": 16,
        "longlong3": 8,
    }
    rows = [(f"sizeof({kind}) * 100 + alignof({kind})", [0]) for kind in kinds]
    got = each(("int", "int"), rows, np.int32, np.int32)
    assert got.tolist() == [kinds[k] * 100 + aligned[k] for k in kinds]


def test_plain_code_is_not_contracted_and_long_is_64_bits() -> None:
    rows = [("sizeof(long) * 10 + sizeof(size_t)", [0.0]), ("make_float4(a, 1, 2, 3).w + dim3(4).y", [0.0])]
    assert each(("float", "float"), rows, np.float32, np.float32).tolist() == [88.0, 4.0]
