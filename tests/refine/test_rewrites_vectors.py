"""Loops that threads share out, in vectors: which, and that the same comes out."""

import numpy as np
import pytest
from kernels import numbers, outputs
from rewriting import BARRIER, SIZE, T, changed, needs_compiler

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.rewrites.vector_loads import VECTOR_LOADS, WIDTH

MAP = f"""const float shift = x[0];
device float* out = y + 1 - 1;
for (int i = {T}; i < n; i += {SIZE})
    out[i] = exp(x[i] * 0.1f) + shift * x[i];
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("out[i] =", "out[n - 1 - i] ="),
        ("out[i] =", "if (i > 3) out[i] ="),
        ("shift * x[i]", "simd_sum(x[i])"),
        ("shift * x[i]", "out[i + 1]"),
        ("shift * x[i]", "y[i]"),  # the same buffer
        ("shift = x[0]", f"shift = x[{T}]"),
        ("shift = x[0]", f"other = float({T}), shift = other"),
        ("shift = x[0];", f"shift_ = 0; float shift = 0; if ({T} > 3) shift = 1;"),
        ("shift = x[0]", "shift = simd_sum(x[0])"),
        ("= y + 1 - 1", f"= y + {T}"),
        ("const float shift", f"if ({T} > 40) return; const float shift"),
        (
            "const float shift",
            f"for (int j = {T}; j < n; j += {SIZE}) if (j > 3) y[j] = 0.0f; const float shift",
        ),
        ("for (int i", f"if ({T} < 32) for (int i"),
        ("for (int i", f"for (int r = {T}; r < 9; ++r) for (int i"),
        ("for (int i", f"for (int r = 0; r < 9; ++r) {{ if ({T} < r) break; }} for (int i"),
        ("y + 1 - 1;", "y + 1 - 1; out += shift;"),
        ("= y + 1 - 1", "= shift > 0.0f ? y : z"),  # which buffer?
        ("y + 1 - 1;", "y + 1 - 1; if (n > 3) out = z;"),
        ("shift * x[i]", f"float({T})"),
        (f"i = {T}", f"i = 2 * {T}"),
        (f"i += {SIZE}", "i += 64"),
        ("device float* out = y + 1 - 1;", "threadgroup float out[512];"),
        ("    out[i] = exp(x[i] * 0.1f) + shift * x[i];", "{ out[i] = x[i]; y[0] = 1.0f; }"),
        ("    out[i] = exp(x[i] * 0.1f) + shift * x[i];", f"{{ out[i] = x[i]; {BARRIER} }}"),
        ("    out[i] = exp(x[i] * 0.1f) + shift * x[i];", "{ if (x[i] > 9) break; out[i] = x[i]; }"),
    ],
)
def test_loops_that_are_not_vectorised(old: str, new: str) -> None:
    assert old in MAP
    body = MAP.replace(old, new)
    assert changed(VECTOR_LOADS, body) == body


@needs_compiler
@pytest.mark.parametrize("width", WIDTH.values)
@pytest.mark.parametrize(("offset", "count"), [(0, 200), (0, 203), (4, 200), (1, 200), (0, 3), (0, 1)])
def test_vectors_compute_the_same(width: int, offset: int, count: int) -> None:
    """Also where the length is no multiple of the width, and where the output is not aligned."""
    before = Candidate("", MAP.replace("+ 1 - 1", f"+ {offset}"))
    after = WIDTH.set_in(VECTOR_LOADS.apply(before), width)
    assert "load_vector" in after.body and "store_vector" in after.body
    x = numbers(count)
    results = [outputs(each, x, offset + count)[offset:] for each in (before, after)]
    np.testing.assert_array_equal(results[1], results[0])


@needs_compiler
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("out[i] =", "out[i] = 2.0f; out[i] +="),
        ("x[i] * 0.1f", "x[i] * i * 0.01f"),
        ("shift * x[i]", "x[n - 1 - i] * x[i / 2]"),
        (f"i += {SIZE}", "i += THREADS"),
        (f"int i = {T}", "int i = me"),
        ("const float shift", "if (n < 3) return; const float shift"),
        ("for (int i", "if (shift < 1e9f) for (int i"),
        ("for (int i", "for (int r = 0; r < 3; ++r) for (int i"),
        ("for (int i", "for (int r = 0; r < n; r += 50) for (int i"),
    ],
)
def test_elements_and_places(old: str, new: str) -> None:
    assert old in MAP
    body = MAP.replace("    out[i]", "{ out[i]").replace("* x[i];", "* x[i]; }").replace(old, new)
    before = Candidate("#define THREADS 64\n", f"const int me = {T};\n{body}")
    after = VECTOR_LOADS.apply(before, ("THREADS",))
    assert "load_vector" in after.body
    results = [outputs(each, numbers(203), 203) for each in (before, after)]
    np.testing.assert_array_equal(results[1], results[0])


def test_a_place_in_a_variable_that_nothing_changes() -> None:
    body = f"int me = {T};\n" + MAP.replace(f"int i = {T}", "int i = me")
    assert "load_vector" in changed(VECTOR_LOADS, body)
    for change in ("++me;", "me = 3;", "int* p = &me;", "modf(shift, me);"):
        moved = body.replace("for (", f"{change}\nfor (", 1)
        assert changed(VECTOR_LOADS, moved) == moved, change


def test_a_block_whose_size_is_a_number() -> None:
    body = MAP.replace(f"i += {SIZE}", "i += WIDE * 2")
    for block, is_replaced in ((("64",), True), (("32",), False), (("64", "2"), False)):
        after = VECTOR_LOADS.apply(Candidate("#define WIDE 32\n", body), block)
        assert ("load_vector" in after.body) == is_replaced


@needs_compiler
def test_vectors_over_the_whole_grid() -> None:
    place = f"threadgroup_position_in_grid.x * {SIZE} + {T}"
    body = f"for (int i = {place}; i < n; i += {SIZE} * threadgroups_per_grid.x)\n    y[i] = -x[i];\n"
    after = VECTOR_LOADS.apply(Candidate("", body))
    assert "load_vector" in after.body
    np.testing.assert_array_equal(outputs(after, numbers(1000), 1000, groups=3), -numbers(1000))
    of_a_group = body.replace("-x[i]", "-x[i] * threadgroup_position_in_grid.x")
    assert changed(VECTOR_LOADS, of_a_group) == of_a_group


def test_a_thread_that_counts_on_its_own_elements() -> None:
    """Between two loops without a barrier: in memory of the group, and in a buffer that both loops use."""
    head = f"for (int i = {T}; i < n; i += {SIZE})"
    for body in (
        f"threadgroup float own[64]; own[{T}] = x[0]; {head} y[i] = own[i % 64];",
        f"{head} y[i] = x[i];\n{head} y[i] *= 2.0f;",
        f"{head} y[i] = x[i];\ny[{T}] = 1.0f;",
        f"device float* z = y; {head} y[i] = x[i];\nz[{T}] += 1.0f;",
    ):
        assert changed(VECTOR_LOADS, body) == body


SUMS = f"""inline float sum_of_all(float v, uint t, threadgroup float* part) {{
    v = simd_sum(v);
    if (t % 32 == 0)
        part[t / 32] = v;
    {BARRIER}
    return part[0] + part[1];
}}
"""
GATHER = f"""threadgroup float part[2];
float sum = 0.0f, most = -INFINITY;
const int row = 2;
for (int i = {T}; i < n - 8; i += {SIZE}) {{
    const float v = x[4 * row + i];
    sum += v * v;
    most = fmax(most, v);
}}
sum = sum_of_all(sum, {T}, part);
{BARRIER}
most = simd_max(most);
if ({T} % 32 == 0)
    part[{T} / 32] = most;
{BARRIER}
most = fmax(part[0], part[1]);
y[{T}] = sum + 1000.0f * most;
"""


@needs_compiler
@pytest.mark.parametrize("count", [8, 9, 13, 150, 208])
@pytest.mark.parametrize("offset", ["4 * row", "3 * row"])
def test_what_is_gathered(count: int, offset: str) -> None:
    before = Candidate(SUMS, GATHER.replace("4 * row", offset))
    after = VECTOR_LOADS.apply(before)
    assert "load_vector" in after.body
    x = numbers(count)
    x[count // 2 :: 40] = np.inf if count == 150 else 1
    results = [outputs(each, x, 64) for each in (before, after)]
    np.testing.assert_allclose(results[1], results[0], rtol=1e-5)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sum += v * v", "sum -= v * v"),
        ("sum += v * v", "sum = v - sum"),
        ("sum += v * v", "sum = sum * 0.5f + v"),
        ("sum += v * v", "sum += v * most"),
        ("sum += v * v", "sum += v * x[sum > 0]"),
        ("sum += v * v", f"sum += v * {T}"),
        ("sum = sum_of_all", f"y[{T}] = sum; sum = sum_of_all"),
        ("sum = sum_of_all(", f"sum = sum_of_all(0.0f, {T}, part); sum_of_all("),
        ("const float v = x[4 * row + i];", f"const float v = x[4 * row + i]; {BARRIER}"),
        ("most = fmax(part[0], part[1]);", "most += 1.0f;"),
        ("most = simd_max(most);", ""),
        (f"if ({T} % 32 == 0)\n    part", f"part[0] = 0; if ({T} % 32 == 0)\n    y"),
    ],
)
def test_what_is_gathered_otherwise_stays(old: str, new: str) -> None:
    assert old in GATHER
    body = GATHER.replace(old, new)
    assert VECTOR_LOADS.apply(Candidate(SUMS, body)) == Candidate(SUMS, body)


@needs_compiler
def test_a_result_of_all_threads_is_the_same_in_all_but_a_scan_s_is_not() -> None:
    body = f"""threadgroup float part[2];
const float total = sum_of_all(x[{T}], {T}, part);
for (int i = {T}; i < n; i += {SIZE}) y[i] = x[i] / total;
"""
    after = VECTOR_LOADS.apply(Candidate(SUMS, body))
    assert "load_vector" in after.body
    np.testing.assert_array_equal(
        outputs(after, numbers(99), 99), outputs(Candidate(SUMS, body), numbers(99), 99)
    )
    scan = SUMS.replace("v = simd_sum(v);", "v = simd_prefix_inclusive_sum(v);")
    assert VECTOR_LOADS.apply(Candidate(scan, body)).body == body
