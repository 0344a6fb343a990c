"""Rewrites that change what a thread loads: tiles in registers, several steps between two barriers."""

import numpy as np
import pytest
from kernels import numbers, outputs
from rewriting import BARRIER, SIZE, T, changed, needs_compiler, words

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.rewrites.register_tiling import REGISTER_TILING, ROWS
from cu2mlx.refine.propose.rewrites.staging import STAGING, STEPS

TILE = f"""threadgroup float tile[8][8];
const int tx = {T}, ty = {T[:-1]}y;
float acc = 0.0f;
for (int t = 0; t < n; t += 8) {{
    tile[ty][tx] = x[t + tx];
    {BARRIER}
    acc += tile[tx][ty];
    {BARRIER}
}}
y[ty * 8 + tx] = acc;
"""
TILED = f"""threadgroup float tile[8][8];
int tx[ROWS_PER_THREAD], ty[ROWS_PER_THREAD];
float acc[ROWS_PER_THREAD];
for (int r = 0; r < ROWS_PER_THREAD; ++r) {{
    tx[r] = {T};
    ty[r] = ({T[:-1]}y + r * {SIZE[:-1]}y);
    acc[r] = 0.0f;
}}
for (int t = 0; t < n; t += 8) {{
    for (int r = 0; r < ROWS_PER_THREAD; ++r) {{
        tile[ty[r]][tx[r]] = x[t + tx[r]];
    }}
    {BARRIER}
    for (int r = 0; r < ROWS_PER_THREAD; ++r) {{
        acc[r] += tile[tx[r]][ty[r]];
    }}
    {BARRIER}
}}
for (int r = 0; r < ROWS_PER_THREAD; ++r) {{
    y[ty[r] * 8 + tx[r]] = acc[r];
}}
"""


def test_register_tiling() -> None:
    after = REGISTER_TILING.apply(Candidate("", TILE), ("8", "TILE"))
    assert words(after.body) == words(
        TILED.replace("r]", "tile_row]").replace(" r ", " tile_row ").replace("++r", "++tile_row")
    )
    assert after.block == ("8", "(TILE) / 2")
    others = list(REGISTER_TILING.variants(after))
    assert [each.block[1] for each in others] == ["(TILE) / 2", "(TILE) / 4", "(TILE) / 8"]
    assert [ROWS.value_in(each) for each in others] == [2, 4, 8]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("float acc = 0.0f;", "float acc = 0.0f; if (tx > n) return;"),
        ("t < n", "t < ty"),
        ("acc += ", "acc += simd_sum(1.0f) + "),
        ("float acc", "auto acc"),
        ("float acc = 0.0f", "float acc = 0.0f, more[2]"),
        ("acc += tile", "float ty = 0; acc += tile"),
        ("y[ty", f"y[{SIZE[:-1]}y + ty"),
        (f"ty = {T[:-1]}y", "ty = helper(thread_position_in_threadgroup)"),
        (BARRIER, ""),
        ("for (int t = 0; t < n; t += 8) {", "if (n > 0) { int t = 0;"),
        ("acc += tile", "if (ty > 3) break; acc += tile"),
        (
            "threadgroup float tile[8][8];",
            f"threadgroup float* p = (threadgroup float*)y + {T[:-1]}y;\nint tile;",
        ),
    ],
)
def test_kernels_whose_rows_are_not_put_together(old: str, new: str) -> None:
    assert old in TILE
    candidate = Candidate("", TILE.replace(old, new))
    assert REGISTER_TILING.apply(candidate, ("8", "8")) == candidate
    assert REGISTER_TILING.apply(Candidate("", TILE), ("64",)) == Candidate("", TILE)


STEPPED = f"""threadgroup float row[64], twice[1][2];
float h = 0.0f;
for (int t = 0; t < n / 64; ++t) {{
    const int place = t * 64;
    if ({T} < 64)
        row[{T}] = x[place + {T}];
    twice[0][0] = x[place] * 2.0f;
    {BARRIER}
    for (int j = 0; j < 64; ++j)
        h = h * 0.5f + row[j];
    y[t * {SIZE} + {T}] = h + twice[0][0] + place;
    {BARRIER}
}}
""".replace("twice[0][0] = x", f"if ({T} == 0) twice[0][0] = x")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("x[place +", "h + x[place +"),
        ("x[place +", "y[place +"),
        ("h * 0.5f", "h * x[j]"),
        ("h = h * 0.5f + row[j]", "row[j] = h"),
        ("h = h * 0.5f + row[j]", "h += helper(row)"),
        ("h = h * 0.5f + row[j]", "h += helper(row[j])"),
        ("const int place", "int place"),
        ("float h = 0.0f;", "float h = 0.0f; row[1] = 0.0f;"),
        ("float row[64]", "int other; float row[64]"),
        ("++t", "t += 2"),
        ("h = h * 0.5f", f"{BARRIER} h = h * 0.5f"),
        ("y[t *", "if (h > 9.0f) break; y[t *"),
        (f"    {BARRIER}\n}}", "}"),
    ],
)
def test_loops_that_are_not_staged_for_several_steps(old: str, new: str) -> None:
    assert old in STEPPED
    body = STEPPED.replace(old, new, 1)
    assert changed(STAGING, body) == body


@needs_compiler
@pytest.mark.parametrize(("steps", "count"), [(4, 64 * 11), (8, 64 * 8), (16, 64), (8, 0)])
def test_staging_several_steps_computes_the_same(steps: int, count: int) -> None:
    before = Candidate("", STEPPED)
    after = STEPS.set_in(STAGING.apply(before), steps)
    assert "threadgroup float row[STEPS_STAGED][64], twice[STEPS_STAGED][1][2];" in after.body
    results = [outputs(each, numbers(max(count, 1)), max(count, 1)) for each in (before, after)]
    np.testing.assert_array_equal(results[1], results[0])
