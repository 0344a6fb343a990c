"""Rewrites of reductions: trees in threadgroup memory, the passes of a softmax."""

import numpy as np
import pytest
from kernels import numbers, outputs
from rewriting import BARRIER, SIZE, T, changed, needs_compiler

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.rewrites.online_softmax import ONLINE_SOFTMAX
from cu2mlx.refine.propose.rewrites.tree_reduction import TREE_REDUCTION

TREE = f"""threadgroup float partial[128];
float sum = 0.0f;
for (int i = {T}; i < n; i += {SIZE}) sum += x[i];
partial[{T}] = sum;
{BARRIER}
for (uint s = {SIZE} / 2; s > 0; s >>= 1) {{
    if ({T} < s) {{
        partial[{T}] += partial[{T} + s];
    }}
    {BARRIER}
}}
y[{T}] = partial[0];
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("y[", "y[1] = partial[1]; y["),
        (f"{SIZE} / 2", f"{SIZE} / 4"),
        (f"{SIZE} / 2", "32"),
        ("float sum", "half sum"),
        ("+= partial", "-= partial"),
        ("+ s];", "+ s + 1];"),
        (f"partial[{T}] = sum;\n{BARRIER}", f"partial[{T}] = sum;"),
        (f"    }}\n    {BARRIER}", "    }"),
        ("float sum", "for (int r = 0; r < 2; ++r) {\nfloat sum"),
    ],
)
def test_trees_that_are_not_replaced(old: str, new: str) -> None:
    assert old in TREE
    body = TREE.replace(old, new) + ("}\n" if "for (int r" in new else "")
    assert changed(TREE_REDUCTION, body) == body


def test_a_tree_in_a_flat_block_only() -> None:
    assert TREE_REDUCTION.apply(Candidate("", TREE), ("64", "4")) == Candidate("", TREE)
    assert TREE_REDUCTION.apply(Candidate("", TREE), ("64",)) != Candidate("", TREE)


@needs_compiler
@pytest.mark.parametrize("threads", [16, 64, 128])
def test_a_tree_replaced_computes_the_same(threads: int) -> None:
    x, before = numbers(300), Candidate("", TREE)
    after = TREE_REDUCTION.apply(before)
    assert after.body.count("threadgroup_barrier") == 2 and "simd_sum" in after.body
    results = [outputs(each, x, threads, threads=threads) for each in (before, after)]
    np.testing.assert_allclose(results[1], results[0], rtol=1e-5)
    np.testing.assert_allclose(results[1], np.full(threads, x.sum(dtype=np.float64)), rtol=1e-4)


@needs_compiler
def test_a_tree_of_maxima() -> None:
    body = TREE.replace("+= partial[", "= fmax(OWN, partial[").replace("+ s];", "+ s]);")
    body = body.replace("OWN", f"partial[{T}]").replace("sum += x[i]", "sum = fmax(sum, x[i])")
    after = TREE_REDUCTION.apply(Candidate("", body))
    assert "simd_max" in after.body
    assert outputs(after, -np.abs(numbers(300)) - 1, 64).max() == 0.0  # sum starts at zero
    assert outputs(after, numbers(300), 64).max() == numbers(300).max()


SOFTMAX = f"""float m = -INFINITY;
for (int c = {T}; c < n; c += {SIZE})
    m = fmax(m, x[c] * 0.5f);
m = simd_max(m);

float s = 0.0f;
for (int c = {T}; c < n; c += {SIZE})
    s += exp(x[c] * 0.5f - m);
s = simd_sum(s);
for (int c = {T}; c < n; c += {SIZE})
    y[c] = exp(x[c] * 0.5f - m) / s;
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("s += exp(x[c] * 0.5f - m)", "s += exp(x[c] * 0.4f - m)"),
        ("s += exp(x[c] * 0.5f - m)", "s += exp(x[c] * 0.5f)"),
        ("s += exp", "s = exp"),
        ("float s = 0.0f", "float s = 1.0f"),
        ("m = simd_max(m);\n", "m = simd_max(m); n = 3;\n"),
        ("m = simd_max(m);", ""),
        ("float m", "half m"),
        ("m = fmax(m, x[c] * 0.5f)", "m = fmax(m, x[c] * m)"),
    ],
)
def test_passes_that_are_not_joined(old: str, new: str) -> None:
    assert old in SOFTMAX
    body = SOFTMAX.replace(old, new, 1)
    assert changed(ONLINE_SOFTMAX, body) == body


@needs_compiler
def test_one_pass_computes_the_same() -> None:
    before = Candidate("", SOFTMAX)
    after = ONLINE_SOFTMAX.apply(before)
    assert after.body.count("for (") == 2
    masked = numbers(100)
    masked[:40] = -np.inf  # all that some threads see
    for x in (numbers(100), numbers(7), masked, numbers(100) * 50):
        results = [outputs(each, x, len(x), threads=32) for each in (before, after)]
        np.testing.assert_allclose(results[1], results[0], rtol=1e-5, atol=1e-30)
        assert results[1].sum() == pytest.approx(1, rel=1e-5)


@needs_compiler
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
@pytest.mark.parametrize("places", [slice(0, 1), slice(2, 40), slice(None)])
def test_one_pass_is_infinite_or_no_number_where_two_are(value: float, places: slice) -> None:
    """Thirty-two threads, of which some may have one such score, all of theirs, or none at all."""
    x = numbers(50)
    x[places] = value
    results = [
        outputs(each, x, 50, threads=32)
        for each in (Candidate("", SOFTMAX), ONLINE_SOFTMAX.apply(Candidate("", SOFTMAX)))
    ]
    np.testing.assert_allclose(results[1], results[0], rtol=1e-5, atol=1e-30)


@needs_compiler
def test_one_pass_of_threads_without_scores() -> None:
    """They keep a sum of zero, whatever the maximum is."""
    alone = SOFTMAX.replace("m = simd_max(m);", "m = fmax(m, m);").split("s = simd_sum")[0] + f"y[{T}] = s;\n"
    before = Candidate("", alone)
    after = ONLINE_SOFTMAX.apply(before)
    assert after != before
    results = [outputs(each, numbers(7), 32, threads=32) for each in (before, after)]
    np.testing.assert_allclose(results[1], results[0], rtol=1e-5)


def test_names_that_the_text_has_are_not_taken() -> None:
    body = SOFTMAX.replace("x[c]", "score[c]")
    assert "const float score_ = score[c] * 0.5f;" in changed(ONLINE_SOFTMAX, body)
