"""exp to exp2: where log2 e goes, when it may go there, and that the same comes out."""

import numpy as np
import pytest
from kernels import numbers, outputs
from rewriting import changed, needs_compiler

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.rewrites.exponentials import EXPONENTIALS


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("y = precise::exp(a - b);", "y = precise::exp2((a - b) * M_LOG2E_F);"),
        ("y = fast::exp(x * -0.5f * x);", "y = fast::exp2(x * (-0.5f * M_LOG2E_F) * x);"),
        ("y = fast::exp(a - b) + fast::exp(a * b);", None),
        ("y = exp(exp(x));", "y = exp2(exp2(x * M_LOG2E_F) * M_LOG2E_F);"),
        ("y = metal::precise::exp(f(a, (b)));", "y = metal::precise::exp2(f(a, (b)) * M_LOG2E_F);"),
        ("y = mine::exp(a) + s.exp(b) + exp2(c) + exp(a, b); // exp(c)", None),
    ],
)
def test_exponentials(body: str, expected: str | None) -> None:
    assert changed(EXPONENTIALS, body) == (body if expected is None else expected)


def test_the_text_s_own_exp_stays() -> None:
    own = "inline float exp(float x) { return 1.0f + x; }\n"
    assert EXPONENTIALS.apply(Candidate(own, "y[0] = exp(x[0]);\n")).body == "y[0] = exp(x[0]);\n"


DECAYS = """inline float decayed(const thread float* a, float dt, int n) {
    float sum = 0.0f;
    for (int i = 0; i < n; ++i)
        sum += exp(dt * a[i]);
    return sum;
}
"""
FOLDED = """float a[2], b[2];
for (int i = 0; i < 2; ++i) {
    a[i] = x[i] - 1.0f;
    b[i] = 0.0f;
}
y[0] = decayed(a, x[2], 2) + exp(-x[3] * a[1]) + b[0];
"""


def test_the_factor_goes_into_what_is_set_once() -> None:
    after = EXPONENTIALS.apply(Candidate(DECAYS, FOLDED))
    assert after.header == DECAYS.replace("exp(", "exp2(")
    assert after.body == FOLDED.replace("exp(", "exp2(").replace("x[i] - 1.0f", "(x[i] - 1.0f) * M_LOG2E_F")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("+ b[0]", "+ a[0]"),  # used otherwise as well
        ("+ b[0]", "+ decayed(b, x[2], 2)"),  # b would have to change too, which it may not: b[0] below
        ("+ b[0]", "+ decayed(a + 1, x[2], 1)"),
        ("+ b[0]", "+ exp(a[0] * a[1])"),
        ("a[i] = x", "a[i] += x"),
        ("y[0] = decayed(a", "y[1] = a[0]; y[0] = decayed(a"),
        ("y[0] = decayed", "{ float a[2]; a[0] = 1.0f; y[1] = a[0]; } y[0] = decayed"),
        ("float a[2], b[2]", "half a[2]; float b[2]"),
        ("float a[2], b[2]", "float a[2] = {1, 2}, b[2]"),
        ("+ b[0]", "; float a[2], c = a[0]; y[3] = c"),
    ],
)
def test_what_is_no_factor_alone_stays_as_it_is(old: str, new: str) -> None:
    assert old in FOLDED
    body = FOLDED.replace(old, new) + ("y[2] = b[0];\n" if "decayed(b" in new else "")
    after = EXPONENTIALS.apply(Candidate(DECAYS, body))
    assert "x[i] - 1.0f;" in after.body
    assert "dt * a[i] * M_LOG2E_F" in after.header or "dt_log2e * a[i]" in after.header


LOOP = """float t = x[0];
#pragma unroll
for (int i = 0; i < 4; ++i)
    y[i] = t + exp(t * x[i]);
"""


def test_a_factor_that_a_loop_keeps_is_scaled_before_it() -> None:
    after = changed(EXPONENTIALS, LOOP)
    assert (
        "const float t_log2e = t * M_LOG2E_F;\n#pragma unroll\nfor" in after
        and "exp2(t_log2e * x[i])" in after
    )
    moving = LOOP.replace("y[i] =", "t += 1.0f, y[i] =")
    assert "exp2(t * x[i] * M_LOG2E_F)" in changed(EXPONENTIALS, moving)


@needs_compiler
@pytest.mark.parametrize(
    "body", [FOLDED, LOOP, LOOP.replace("t *", "-(t) *"), LOOP.replace("t *", "2.0f * -t *")]
)
def test_the_same_comes_out(body: str) -> None:
    before = Candidate(DECAYS, body)
    after = EXPONENTIALS.apply(before)
    assert "exp(" not in after.body
    for x in (numbers(8), np.float32([0, -0.0, np.inf, -np.inf, 88, -104, 1e-30, 1])):
        results = [outputs(each, x, 4, threads=1) for each in (before, after)]
        np.testing.assert_allclose(results[1], results[0], rtol=2e-5)
