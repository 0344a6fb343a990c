"""half and bfloat intrinsics, bit for bit: exact rational results rounded once."""

from fractions import Fraction
from math import isinf, isnan

import numpy as np
import pytest
from prelude_machine import Array, evaluate
from test_convert import _to_format

_COUNT = 2048
_FORMS = {"half": "half", "bfloat": "bfloat16"}
_NAN = 0x7FFF


def _bits(form: str, seed: int) -> Array:
    random = np.random.default_rng(seed)
    any_bits = random.integers(0, 2**16, _COUNT).astype(np.uint16)
    values = random.normal(size=_COUNT // 2).astype(np.float32)
    if form == "half":
        any_bits[::2] = values.astype(np.float16).view(np.uint16)
    else:
        any_bits[::2] = (values.view(np.uint32) >> 16).astype(np.uint16)
    return any_bits


def _float(form: str, bits: Array) -> Array:
    if form == "half":
        return bits.view(np.float16).astype(np.float32)
    return (bits.astype(np.uint32) << 16).view(np.float32)


def _encode(form: str, value: float | Fraction, negative_zero: bool) -> int:
    """The bits of a result; `negative_zero` is the sign of an exact zero."""
    infinity = 0x7C00 if form == "half" else 0x7F80
    if isinstance(value, float) and isnan(value):
        return _NAN
    if isinstance(value, float) and isinf(value):
        return infinity | (0x8000 if value < 0 else 0)
    exact = Fraction(value)
    return _to_format(exact, exact < 0 if exact else negative_zero, "rn", _FORMS[form])


def _is_nan(form: str, bits: int) -> bool:
    return (bits & 0x7FFF) > (0x7C00 if form == "half" else 0x7F80)


def _combine(operation: str, a: float, b: float, c: float = 0.0) -> tuple[float | Fraction, bool]:
    """a + b, a - b, a * b or a * b + c without rounding, and the sign a zero result has."""
    if operation == "sub":
        return _combine("add", a, -b)
    left, right = (a, b) if operation == "add" else (a * b, c)
    if not all(map(np.isfinite, (a, b, c))):
        with np.errstate(invalid="ignore"):
            product = np.float64(a) * np.float64(b)
            loose = {"add": np.float64(a) + np.float64(b), "mul": product, "fma": product + np.float64(c)}
        return float(loose[operation]), False
    if operation == "mul":
        return Fraction(a) * Fraction(b), bool(np.signbit(a) != np.signbit(b))
    exact = Fraction(a) + Fraction(b) if operation == "add" else Fraction(a) * Fraction(b) + Fraction(c)
    both = np.signbit(a) and np.signbit(b)
    if operation == "fma":
        both = (np.signbit(a) != np.signbit(b)) and np.signbit(c)
    del left, right
    return exact, bool(both)


def _call(name: str, form: str, letters: str) -> str:
    arguments = ", ".join(f"as_type<{form}>({letter})" for letter in letters)
    return f"as_type<ushort>(cu::{name}({arguments}))"


@pytest.mark.parametrize("form", _FORMS)
def test_arithmetic(form: str) -> None:
    inputs = {letter: _bits(form, seed) for seed, letter in enumerate("abc")}
    if form == "bfloat":  # where the product of two bfloats is a normal float, hfma rounds once
        for letter in "ab":
            exponent = (inputs[letter] >> 7) & 0xFF
            inputs[letter] = np.where((exponent > 64) & (exponent < 190), inputs[letter], np.uint16(0x3F81))
    calls = {name: _call(f"h{name}_rn", form, "ab") for name in ("add", "sub", "mul")}
    calls |= {f"{name}_sat": _call(f"h{name}_sat", form, "ab") for name in ("add", "sub", "mul")}
    calls |= {
        "fma": _call("hfma", form, "abc"),
        "fma_sat": _call("hfma_sat", form, "abc"),
        "fma_relu": _call("hfma_relu", form, "abc"),
    }
    found = evaluate(calls, inputs, np.uint16)
    values = {letter: _float(form, bits).tolist() for letter, bits in inputs.items()}
    one = 0x3C00 if form == "half" else 0x3F80
    for operation in ("add", "sub", "mul", "fma"):
        for index, (a, b, c) in enumerate(zip(values["a"], values["b"], values["c"], strict=True)):
            exact, negative_zero = _combine(operation, a, b, c if operation == "fma" else 0.0)
            expected = _encode(form, exact, negative_zero)
            plain = int(found[operation][index])
            where = (operation, a, b, c, hex(plain), hex(expected))
            if expected == _NAN:
                assert _is_nan(form, plain), where
            else:
                assert plain == expected, where
            saturated = int(found[f"{operation}_sat"][index])
            positive = expected != _NAN and not expected & 0x8000
            assert saturated == (min(expected, one) if positive else 0), where
            if operation == "fma":
                relu = int(found["fma_relu"][index])
                assert relu == (_NAN if expected == _NAN else expected if positive else 0), where


@pytest.mark.parametrize("form", _FORMS)
def test_comparisons_and_extremes(form: str) -> None:
    inputs = {letter: _bits(form, seed) for seed, letter in enumerate("ab")}
    inputs["b"][:64] = inputs["a"][:64]
    pair = f"{form}2(as_type<{form}>(a), as_type<{form}>(b)), {form}2(as_type<{form}>(b), as_type<{form}>(b))"
    found = evaluate(
        {
            "max_nan": _call("hmax_nan", form, "ab"),
            "min_nan": _call("hmin_nan", form, "ab"),
            "max": _call("hmax", form, "ab"),
            "min": _call("hmin", form, "ab"),
            "abs": _call("habs", form, "a"),
            "ne": f"ushort(cu::hne(as_type<{form}>(a), as_type<{form}>(b)))",
            "equ": f"ushort(cu::hequ(as_type<{form}>(a), as_type<{form}>(b)))",
            "isinf": f"ushort(cu::hisinf(as_type<{form}>(a)) + 1)",
            "bequ2": f"ushort(cu::hbequ2({pair}))",
            "bne2": f"ushort(cu::hbne2({pair}))",
            "mask": f"ushort(cu::hne2_mask({pair}))",
            "mask_high": f"ushort(cu::hequ2_mask({pair}) >> 16)",
            "ne2": f"ushort(float(cu::hne2({pair}).x))",
            "equ2": f"ushort(float(cu::hequ2({pair}).y))",
        },
        inputs,
        np.uint16,
    )
    a, b = _float(form, inputs["a"]), _float(form, inputs["b"])
    unordered = np.isnan(a) | np.isnan(b)
    different = (a != b) & ~unordered
    np.testing.assert_array_equal(found["ne"], different)
    np.testing.assert_array_equal(found["equ"], ~different)
    np.testing.assert_array_equal(found["isinf"], np.where(np.isinf(a), np.sign(a), 0).astype(int) + 1)
    np.testing.assert_array_equal(found["bequ2"], ~different)
    np.testing.assert_array_equal(found["bne2"], np.zeros(_COUNT))
    np.testing.assert_array_equal(found["mask"], np.where(different, 0xFFFF, 0))
    np.testing.assert_array_equal(found["mask_high"], np.full(_COUNT, 0xFFFF))
    np.testing.assert_array_equal(found["ne2"], different)
    np.testing.assert_array_equal(found["equ2"], np.ones(_COUNT))
    np.testing.assert_array_equal(found["abs"], inputs["a"] & 0x7FFF)
    for name, pick in (("max", np.fmax), ("min", np.fmin)):
        expected = pick(a, b)
        np.testing.assert_array_equal(_float(form, found[name]), expected)
        np.testing.assert_array_equal(found[f"{name}_nan"][unordered], np.full(unordered.sum(), _NAN))
        ordered = ~unordered
        np.testing.assert_array_equal(_float(form, found[f"{name}_nan"][ordered]), expected[ordered])


@pytest.mark.parametrize("form", _FORMS)
def test_pairs_do_both_lanes(form: str) -> None:
    inputs = {letter: _bits(form, seed) for seed, letter in enumerate("abc")}
    first, second, third = (
        f"{form}2(as_type<{form}>({x}), as_type<{form}>({y}))" for x, y in ("ab", "bc", "ca")
    )
    single = {
        "fma": (f"cu::hfma2({first}, {second}, {third})", "hfma", 3),
        "fma_sat": (f"cu::hfma2_sat({first}, {second}, {third})", "hfma_sat", 3),
        "fma_relu": (f"cu::hfma2_relu({first}, {second}, {third})", "hfma_relu", 3),
        "add_rn": (f"cu::hadd2_rn({first}, {second})", "hadd_rn", 2),
        "sub_sat": (f"cu::hsub2_sat({first}, {second})", "hsub_sat", 2),
        "mul_rn": (f"cu::hmul2_rn({first}, {second})", "hmul_rn", 2),
        "max_nan": (f"cu::hmax2_nan({first}, {second})", "hmax_nan", 2),
        "min": (f"cu::hmin2({first}, {second})", "hmin", 2),
        "abs": (f"cu::habs2({first})", "habs", 1),
    }
    calls = {}
    for name, (pair, scalar, arity) in single.items():
        for lane, letters in (("x", "abc"), ("y", "bca")):
            calls[f"{name}_{lane}"] = f"as_type<ushort>({form}({pair}.{lane}))"
            calls[f"{name}_{lane}_alone"] = _call(scalar, form, letters[:arity])
    calls["complex_x"] = f"as_type<ushort>({form}(cu::hcmadd({first}, {second}, {third}).x))"
    a, b, c = (f"as_type<{form}>({letter})" for letter in "abc")
    calls["complex_x_alone"] = f"as_type<ushort>(cu::hfma(cu::hneg({b}), {c}, cu::hfma({a}, {b}, {c})))"
    found = evaluate(calls, inputs, np.uint16)
    for name in calls:
        if not name.endswith("_alone"):
            one, other = found[name], found[f"{name}_alone"]
            same = (one == other) | (np.isnan(_float(form, one)) & np.isnan(_float(form, other)))
            assert same.all(), name
