"""Scans by shuffles up become collectives."""

import numpy as np
import pytest
from kernels import numbers, outputs
from rewriting import T, changed, needs_compiler

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.rewrites.prefix_sums import PREFIX_SUMS

SCAN = f"""const int lane = {T} & 31;
float v = x[{T}];
#pragma unroll
for (int d = 1; d < 32; d <<= 1) {{
    const float before = simd_shuffle_up(v, d);
    if (lane >= d)
        v += before;
}}
y[{T}] = v;
"""


@needs_compiler
@pytest.mark.parametrize(
    ("old", "new", "collective"),
    [
        ("v += before", "v += before", "sum"),
        ("v += before", "v = before + v", "sum"),
        ("v += before", "v *= before", "product"),
        (" & 31", " % 32", "sum"),
        ("d <<= 1", "d *= 2", "sum"),
    ],
)
def test_scans(old: str, new: str, collective: str) -> None:
    assert old in SCAN
    body = SCAN.replace(old, new)
    after = changed(PREFIX_SUMS, body)
    assert f"v = simd_prefix_inclusive_{collective}(v);" in after and "for (" not in after
    x = numbers(64) * 0.3
    results = [outputs(Candidate("", each), x, 64) for each in (body, after)]
    np.testing.assert_allclose(results[1], results[0], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("d < 32", "d < 16"),
        ("lane >= d", "lane > d"),
        ("lane >= d", "n >= d"),
        ("shuffle_up", "shuffle_down"),
        ("v += before", "v -= before"),
        ("v += before", "v = fmax(v, before)"),
        ("v += before;", "v += before; else v += 1;"),
        ("float v", "long v"),
        ("& 31", "& 15"),
        ("lane = ", "lane = 0; lane = "),
    ],
)
def test_what_is_no_such_scan(old: str, new: str) -> None:
    assert old in SCAN
    body = SCAN.replace(old, new, 1)
    assert changed(PREFIX_SUMS, body) == body
