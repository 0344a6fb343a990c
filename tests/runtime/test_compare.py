"""What counts as equal, and how differences are reported."""

import numpy as np
import pytest

from cu2mlx.runtime.compare import (
    EXACT,
    OPERATIONS,
    PIECE,
    Tolerance,
    agree,
    compare,
    compare_outputs,
    render,
    tolerance,
    tolerances,
)
from cu2mlx.runtime.dtypes import encode
from cu2mlx.runtime.spec import ToleranceOverride, parse_spec


def floats(*values: float) -> np.ndarray:
    return np.array(values, np.float32)


def test_bit_for_bit() -> None:
    same = compare("y", "float32", floats(1, np.nan, np.inf, -0.0), floats(1, np.nan, np.inf, -0.0))
    assert same.same and same.mismatches == 0
    assert compare("y", "float32", floats(0.0), floats(-0.0)).mismatches == 1
    off = compare("y", "float32", floats(1, 2, 3), floats(1, np.nextafter(np.float32(2), np.float32(3)), 3))
    assert not off.same and off.first_bad == (1,)
    assert off.max_ulp == 1 and off.max_abs == 2.0**-22 and off.max_rel == 2.0**-23


def test_integers_are_exact_whatever_the_operation() -> None:
    assert tolerance("reduction", "int32") == EXACT
    wrong = compare("y", "int32", np.array([[1, 2], [3, 4]]), np.array([[1, 2], [5, 4]]))
    assert wrong.first_bad == (1, 0) and (wrong.expected, wrong.got) == (3, 5) and wrong.max_abs == 2


def test_sums_in_a_wider_type_are_rounded_once() -> None:
    wide = ToleranceOverride("sums are float", accumulate="float32")
    row = tolerance("recurrence", "float16", wide)
    assert row.rtol == OPERATIONS["recurrence"].relative * 2.0**-23 + 2.0**-10
    assert row.scale == OPERATIONS["recurrence"].scale * 2.0**-23
    plain = tolerance("recurrence", "float32")
    for override in (wide, ToleranceOverride("narrower than the output", accumulate="bfloat16")):
        same = tolerance("recurrence", "float32", override)
        assert (same.rtol, same.scale) == (plain.rtol, plain.scale)


def test_infinities_and_nan_within_a_tolerance() -> None:
    loose = Tolerance(1e-3, 1e-3, 0, "test")
    assert compare("y", "float32", floats(np.inf, np.nan, 1), floats(np.inf, np.nan, 1.0005), loose).same
    for got in (floats(-np.inf), floats(np.nan), floats(3e38)):
        assert compare("y", "float32", floats(np.inf), got, loose).mismatches == 1
    assert compare("y", "float32", floats(1), floats(np.nan), loose).mismatches == 1
    assert compare("y", "float32", floats(np.nan), floats(1), loose).mismatches == 1


def test_scale_counts_the_largest_value() -> None:
    row = Tolerance(0, 0, 1e-3, "cancellation")
    assert compare("y", "float32", floats(1000, 0), floats(1000, 0.9), row).same
    assert not compare("y", "float32", floats(1000, 0), floats(1000, 1.1), row).same


def test_ulp_of_each_type() -> None:
    expected = encode(np.array([1.0, 100.0]), "bfloat16")
    off = compare(
        "y", "bfloat16", expected, expected + np.array([0, 3], np.uint16), tolerance("arithmetic", "bfloat16")
    )
    assert off.max_ulp == 3 and off.same
    half = encode(np.array([2.0]), "float16")
    assert compare("y", "float16", half, half + np.float16(2**-9)).max_ulp == 1
    denormal = compare("y", "float32", floats(0), floats(2.0**-149))
    assert denormal.max_ulp == 1


def test_a_float64_reference_against_stored_values() -> None:
    third = np.array([1 / 3])
    assert compare("y", "float16", third, encode(third, "float16"), tolerance("arithmetic", "float16")).same
    assert compare(
        "y", "bfloat16", third, encode(third, "bfloat16"), tolerance("arithmetic", "bfloat16")
    ).same
    assert not compare(
        "y", "float16", third, encode(third + 0.01, "float16"), tolerance("arithmetic", "float16")
    ).same


def test_a_share_of_mismatches_may_be_allowed() -> None:
    row = Tolerance(0, 0, 0, "ties", mismatches=0.25)
    assert compare("y", "int32", np.arange(4), np.array([0, 1, 2, 9]), row).same
    assert not compare("y", "int32", np.arange(4), np.array([0, 1, 8, 9]), row).same


def test_shapes_must_agree() -> None:
    with pytest.raises(ValueError, match="shape"):
        compare("y", "float32", floats(1), floats(1, 2))


def test_overrides() -> None:
    override = ToleranceOverride(why="because", rtol=0.5)
    row = tolerance("arithmetic", "float32", override)
    assert row.rtol == 0.5 and row.why == "because" and row.scale == tolerance("arithmetic", "float32").scale
    reduction = tolerance("arithmetic", "float32", ToleranceOverride(why="sums", operation="reduction"))
    assert reduction.rtol == tolerance("reduction", "float32").rtol
    with pytest.raises(ValueError, match="unknown operation"):
        tolerance("magic", "float32")


def test_every_operation_has_a_reason_and_grows() -> None:
    relative = [row.relative for row in OPERATIONS.values()]
    assert relative == sorted(relative) and all(row.why for row in OPERATIONS.values())


def test_rendering() -> None:
    spec = parse_spec(
        'kernel = "k"\ngrid = 1\nblock = 1\n[args.y]\ndtype = "float32"\nshape = [2]\noutput = true\n'
        '[args.i]\ndtype = "int32"\nshape = [1]\noutput = true\n[[cases]]\nname = "c"\n'
    )
    dtypes = {"y": "float32", "i": "int32"}
    expected = {"y": floats(1, 2), "i": np.array([5], np.int32)}
    comparison = compare_outputs(
        expected, {"y": floats(1, 2.5), "i": expected["i"]}, dtypes, tolerances(spec, dtypes)
    )
    assert not comparison.same
    text = render(comparison)
    assert "y (float32): DIFFERS, 1 of 2 elements off, max abs 0.5, rel 0.25" in text
    assert "first at [1]: 2.5 instead of 2" in text
    assert "i (int32): same, 0 of 1" in text
    exact = compare_outputs(expected, expected, dtypes, tolerances(spec, dtypes, exact=True))
    assert exact.same and all(each.tolerance is EXACT for each in exact.outputs)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int32"])
@pytest.mark.parametrize("spoiled", [None, 0.0, np.nan, np.inf])
@pytest.mark.parametrize("where", [0, PIECE + 7])
def test_agreement_is_what_the_comparison_says(dtype: str, spoiled: float | None, where: int) -> None:
    wanted = np.linspace(1, 100, PIECE + 8)
    got, dtypes = {"y": encode(wanted, dtype)}, {"y": dtype}
    if spoiled is not None and not (dtype == "int32" and spoiled):
        numbers = wanted.copy()
        numbers[where] = spoiled
        got = {"y": encode(numbers, dtype)}
    for expected in ({"y": wanted}, {"y": encode(wanted, dtype)}, got):
        for row in (EXACT, Tolerance(0.01, 1, 0, ""), Tolerance(0.01, 1, 0, "", mismatches=0.5)):
            same = compare_outputs(expected, got, dtypes, {"y": row}).same
            assert agree(expected, got, dtypes, {"y": row}) == same


def test_infinities_agree_with_themselves_alone() -> None:
    row = {"y": Tolerance(0.01, 0, 0, "")}
    assert agree({"y": floats(np.inf, 1)}, {"y": floats(np.inf, 1)}, {"y": "float32"}, row)
    assert not agree({"y": floats(np.inf, 1)}, {"y": floats(5, 1)}, {"y": "float32"}, row)
