"""Rescaling only when the maximum moves: a loop that multiplies by 1 does nothing."""

import numpy as np
import pytest
from kernels import numbers, outputs
from rewriting import T, changed, needs_compiler

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.rewrites.rescaling import RESCALING

SCALED = """const float f = fast::exp(m - larger);
l *= f;
#pragma unroll
for (int i = 0; i < 4; ++i)
    acc[i] *= f;
"""
HEAD = "float m = 0.0f, larger = 1.0f, l = 0.0f, acc[4];\n"


def test_the_loop_is_left_out_where_the_factor_is_one() -> None:
    after = changed(RESCALING, HEAD + SCALED)
    assert after == HEAD + SCALED.replace("#pragma", "if (f != 1.0f) {\n#pragma").replace(
        "for (int i = 0; i < 4; ++i)\n    acc[i] *= f;",
        "    for (int i = 0; i < 4; ++i)\n        acc[i] *= f;\n}",
    )
    assert changed(RESCALING, after) == after


def test_a_loop_inside_of_another_keeps_its_indentation() -> None:
    body = (
        "for (int j = 0; j < n; ++j) {\n    const float f = exp2((m - x[j]) * 1.5f);\n"
        "    for (int i = 0; i < 4; ++i) {\n        acc[i] *= f;\n    }\n}\n"
    )
    assert changed(RESCALING, body) == (
        "for (int j = 0; j < n; ++j) {\n    const float f = exp2((m - x[j]) * 1.5f);\n"
        "    if (f != 1.0f) {\n        for (int i = 0; i < 4; ++i) {\n            acc[i] *= f;\n        }\n    }\n}\n"
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("m - larger", "m + larger"),
        ("fast::exp", "scale"),
        ("const float f", "const half f"),
        ("acc[i] *= f", "acc[i] += f"),
        ("acc[i] *= f", "acc[i] *= 2.0f * f"),
        ("    acc[i] *= f;", "{ acc[i] *= f; l += 1.0f; }"),
        ("const float f = ", "float f; f = "),
        ("const float f = fast::exp(m - larger);\nl *=", "float f = fast::exp(m - larger);\nf *="),
        ("#pragma unroll\n", "if (f < 1.0f)\n"),
    ],
)
def test_loops_that_do_more_or_are_seldom_without_effect(old: str, new: str) -> None:
    body = HEAD + SCALED.replace(old, new, 1)
    assert changed(RESCALING, body) == body


RUNNING = f"""float m = -3.0e38f, l = 0.0f, acc[2] = {{0.0f, 0.0f}};
for (int j = 0; j < n; ++j) {{
    const float larger = fmax(m, x[j]);
    const float f = precise::exp(m - larger);
    l *= f;
    for (int i = 0; i < 2; ++i)
        acc[i] *= f;
    const float p = precise::exp(x[j] - larger);
    l += p;
    acc[0] += p * x[j];
    acc[1] += p;
    m = larger;
}}
y[{T}] = acc[0] / l + acc[1] + l;
"""


@needs_compiler
@pytest.mark.parametrize("count", [1, 5, 33])
def test_the_same_results(count: int) -> None:
    kernels = [Candidate("", RUNNING), RESCALING.apply(Candidate("", RUNNING))]
    assert kernels[0] != kernels[1]
    before, after = (outputs(each, numbers(count), 64) for each in kernels)
    np.testing.assert_array_equal(after, before)
