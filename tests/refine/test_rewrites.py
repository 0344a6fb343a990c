"""Rewrites: each changes what it should, leaves alone what it cannot prove, and keeps what a kernel computes."""

import numpy as np
import pytest
from kernels import numbers, outputs
from questions import task

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.cascade import evaluate
from cu2mlx.refine.evaluate.stages import Bench
from cu2mlx.refine.propose.rewrites import REWRITES, Rewrite
from cu2mlx.refine.propose.rewrites.collectives import COLLECTIVES
from cu2mlx.refine.propose.rewrites.exponentials import EXPONENTIALS
from cu2mlx.refine.propose.rewrites.fast_math import FAST_MATH
from cu2mlx.refine.propose.rewrites.online_softmax import ONLINE_SOFTMAX
from cu2mlx.refine.propose.rewrites.reciprocals import RECIPROCALS
from cu2mlx.refine.propose.rewrites.register_tiling import REGISTER_TILING, ROWS
from cu2mlx.refine.propose.rewrites.remainders import REMAINDERS
from cu2mlx.refine.propose.rewrites.staging import STAGING, STEPS
from cu2mlx.refine.propose.rewrites.tree_reduction import TREE_REDUCTION
from cu2mlx.refine.propose.rewrites.unrolling import FACTOR, UNROLLING
from cu2mlx.refine.propose.rewrites.vector_loads import VECTOR_LOADS, WIDTH
from cu2mlx.runtime.cpu.executor import CpuExecutor

needs_compiler = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)
T = "thread_position_in_threadgroup.x"
SIZE = "threads_per_threadgroup.x"
BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup);"


def changed(rewrite: Rewrite, body: str, header: str = "") -> str:
    """A body after a rewrite."""
    return rewrite.apply(Candidate(header, body)).body


def words(text: str) -> str:
    return "".join(text.split())


BUTTERFLY = "for (int m = 16; m > 0; m >>= 1)\n    {}simd_shuffle_xor(v, m){};\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (BUTTERFLY.format("v += ", ""), "v = simd_sum(v);\n"),
        ("#pragma unroll\n" + BUTTERFLY.format("v = fmax(v, ", ")"), "v = simd_max(v);\n"),
        (BUTTERFLY.format("v = fmin(v, ", ")").replace("xor(v, m", "xor(v, m & 31"), "v = simd_min(v);\n"),
        (BUTTERFLY.format("v += metal::", "").replace("(v, m)", "(v, ushort(m))"), "v = simd_sum(v);\n"),
        (
            "for (uint m = WARP / 2; m >= 1; m /= 2) { v += cu::shfl_xor_sync(v, m, 32, t); }",
            "v = simd_sum(v);",
        ),
        (BUTTERFLY.format("v *= ", ""), None),
        (BUTTERFLY.format("w += ", ""), None),
        (BUTTERFLY.format("v += ", "").replace("16", "8"), None),
        (BUTTERFLY.format("v += ", "").replace("16", "LANES / 2"), None),
        (BUTTERFLY.format("v += ", "").replace("xor", "down"), None),
        (BUTTERFLY.format("v += ", "").replace(", m)", ", m / 2)"), None),
        ("for (int m = 16; m > 0; m >>= 1) v += cu::shfl_xor_sync(v, m, 16, t);", None),
        ("for (int m = 16; m > 0; m >>= 1) { v += simd_shuffle_xor(v, m); ++count; }", None),
    ],
)
def test_collectives(body: str, expected: str | None) -> None:
    header = "#define WARP 32\n"
    assert changed(COLLECTIVES, body, header) == (body if expected is None else expected)


def test_collectives_in_a_helper() -> None:
    helper = "inline float warp_sum(float v) {\n    " + BUTTERFLY.format("v += ", "") + "    return v;\n}\n"
    candidate = COLLECTIVES.apply(Candidate(helper, "y[0] = warp_sum(x[0]);\n"))
    assert words(candidate.header) == words("inline float warp_sum(float v) { v = simd_sum(v); return v; }")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("y = fast::exp(a - b);", "y = fast::exp2((a - b) * M_LOG2E_F);"),
        ("y = exp(exp(x));", "y = exp2((exp2((x) * M_LOG2E_F)) * M_LOG2E_F);"),
        ("y = metal::precise::exp(f(a, (b)));", "y = metal::precise::exp2((f(a, (b))) * M_LOG2E_F);"),
        ("y = mine::exp(a) + s.exp(b) + exp2(c) + exp(a, b); // exp(c)", None),
    ],
)
def test_exponentials(body: str, expected: str | None) -> None:
    assert changed(EXPONENTIALS, body) == (body if expected is None else expected)


def test_the_text_s_own_exp_stays() -> None:
    own = "inline float exp(float x) { return 1.0f + x; }\n"
    assert EXPONENTIALS.apply(Candidate(own, "y[0] = exp(x[0]);\n")).body == "y[0] = exp(x[0]);\n"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("y = precise::rsqrt(x) + precise;", "y = fast::rsqrt(x) + precise;"),
        ("y = cu::log1p(precise::exp(x));", "y = fast::log(1.0f + fast::exp(x));"),
        ("float s = 1.0f / 3;", "float s = fast::divide(1.0f, 3);"),
        ("float a = 1.0f, b = a / 2.0f / a;", "float a = 1.0f, b = fast::divide(fast::divide(a, 2.0f), a);"),
        ("float a; float b = (a + 1.0f) / (a * 2);", "float a; float b = fast::divide((a + 1.0f), (a * 2));"),
        ("int a = n / 2; float b = a / n;", None),
        ("float3 v; float s; v = v / s;", None),
        ("half h; float s = h / 2.0h;", None),
        ("float a[2]; float b = unknown / a[0];", None),
    ],
)
def test_fast_math(body: str, expected: str | None) -> None:
    assert changed(FAST_MATH, body) == (body if expected is None else expected)


def test_the_support_library_stays_exact() -> None:
    library = "namespace cu {\ninline float f(float x) { return metal::precise::divide(x, 3.0f) / x; }\n}\n"
    assert FAST_MATH.apply(Candidate(library, "y[0] = cu::f(x[0]);\n")).header == library


SCALED = "const float s = x[0];\nfor (int i = 0; i < n; ++i) {\n    y[i] = x[i] / s;\n}\n"


def test_reciprocals() -> None:
    expected = (
        "const float s = x[0];\nconst float inverse_s = 1.0f / s;\n"
        "for (int i = 0; i < n; ++i) {\n    y[i] = x[i] * inverse_s;\n}\n"
    )
    assert changed(RECIPROCALS, SCALED) == expected


@pytest.mark.parametrize(
    "body",
    [
        SCALED.replace("const float", "const int"),
        SCALED.replace("y[i] =", "s += 1.0f; y[i] ="),
        SCALED.replace("const float s", "const float inverse_s = 0, s"),
        "const float s = x[0];\ny[0] = x[1] / s;\n",
        "for (int i = 0; i < n; ++i) { const float s = x[i]; y[i] = 1.0f / s; }\n",
    ],
)
def test_reciprocals_that_are_none(body: str) -> None:
    assert changed(RECIPROCALS, body) == body


def test_reciprocals_leave_the_outermost_loop_that_keeps_them() -> None:
    body = "for (int r = 0; r < n; ++r) {\n    float s = x[r];\n    for (int i = 0; i < n; ++i) y[i] = x[i] / s;\n}\n"
    after = changed(RECIPROCALS, body)
    assert "const float inverse_s = 1.0f / s;\nfor (int i" in after and after.startswith("for (int r")


DIVIDED = f"const int i = int({T}) - 40;\nconst int b = i / n;\nconst int c = i % n;\ny[{T}] = float(b * 100 + c);\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("const int i", "const long i"),
        ("const int i", "const float i"),
        ("const int b", "const float b"),
        ("const int b", "int b"),
        ("i % n", "i % 3"),
        ("i % n", "n % i"),
        ("const int i", "constexpr int n = 8; const int i"),
        ("const int c", "i = 3; const int c"),
        ("i % n", "(i + 1) % n"),
    ],
)
def test_remainders_that_stay(old: str, new: str) -> None:
    body = DIVIDED.replace(old, new, 1).replace("i = 3", "n = 3")
    assert body != DIVIDED
    assert changed(REMAINDERS, body) == body


@needs_compiler
@pytest.mark.parametrize("count", [1, 3, 7])
def test_remainders(count: int) -> None:
    after = REMAINDERS.apply(Candidate("", DIVIDED))
    assert "const int c = (i - b * n);" in after.body
    results = [outputs(each, numbers(count), 64) for each in (Candidate("", DIVIDED), after)]
    np.testing.assert_array_equal(results[1], results[0])


NEST = "for (int i = 0; i < n; ++i) {\n  for (int j = 0; j < m; ++j)\n    s += a[j];\n}\n"


def test_unrolling() -> None:
    assert changed(UNROLLING, NEST) == NEST.replace("  for", "#pragma unroll(UNROLL_FACTOR)\n  for")
    once = UNROLLING.apply(Candidate("", NEST))
    assert once.header == "constant constexpr int UNROLL_FACTOR = 4;\n"
    assert UNROLLING.apply(once) == once


@pytest.mark.parametrize(
    "body",
    [
        "#pragma unroll\nfor (int j = 0; j < m; ++j)\n    s += a[j];\n",
        "while (a)\n    --a;\n",
        f"for (int j = 0; j < m; ++j) {{\n    s += a[j];\n    {BARRIER}\n}}\n",
        "int a; for (int j = 0; j < m; ++j) s += a[j];\n",
    ],
)
def test_loops_that_are_not_unrolled(body: str) -> None:
    assert changed(UNROLLING, body) == body


def test_the_number_of_a_rewrite_can_be_varied() -> None:
    once = UNROLLING.apply(Candidate("int a;\n", NEST))
    others = list(UNROLLING.variants(once))
    assert [FACTOR.value_in(each) for each in others] == [4, 2, 8]
    assert others[0] == once and others[1].header == "constant constexpr int UNROLL_FACTOR = 2;\nint a;\n"
    assert len({each.key for each in others}) == 3
    assert list(UNROLLING.variants(Candidate("", NEST))) == []


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


def test_names_that_the_text_has_are_not_taken() -> None:
    body = SOFTMAX.replace("x[c]", "score[c]")
    assert "const float score_ = score[c] * 0.5f;" in changed(ONLINE_SOFTMAX, body)


MAP = f"""const float shift = x[0];
device float* out = y + 1 - 1;
for (int i = {T}; i < n; i += {SIZE})
    out[i] = exp(x[i] * 0.1f) + shift * x[i];
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("out[i] =", "out[i] +="),
        ("out[i] =", "out[n - 1 - i] ="),
        ("x[i] * 0.1f", "x[i] * i"),
        ("shift * x[i]", "shift * x[i + 1]"),
        ("shift * x[i]", "simd_sum(x[i])"),
        ("shift * x[i]", "out[i]"),
        (f"i = {T}", f"i = 2 * {T}"),
        (f"i += {SIZE}", "i += 64"),
        ("device float* out = y + 1 - 1;", "threadgroup float out[512];"),
        ("    out[i] = exp(x[i] * 0.1f) + shift * x[i];", "{ out[i] = x[i]; y[0] = 1.0f; }"),
    ],
)
def test_loops_that_are_not_vectorised(old: str, new: str) -> None:
    assert old in MAP
    body = MAP.replace(old, new)
    assert changed(VECTOR_LOADS, body) == body


@needs_compiler
@pytest.mark.parametrize("width", WIDTH.values)
@pytest.mark.parametrize(("offset", "count"), [(0, 200), (0, 203), (4, 200), (1, 200)])
def test_vectors_compute_the_same(width: int, offset: int, count: int) -> None:
    """Also where the length is no multiple of the width, and where the output is not aligned."""
    before = Candidate("", MAP.replace("+ 1 - 1", f"+ {offset}"))
    after = WIDTH.set_in(VECTOR_LOADS.apply(before), width)
    assert "load_vector" in after.body and "store_vector" in after.body
    x = numbers(count)
    results = [outputs(each, x, offset + count)[offset:] for each in (before, after)]
    np.testing.assert_array_equal(results[1], results[0])


@needs_compiler
def test_vectors_over_the_whole_grid() -> None:
    place = f"threadgroup_position_in_grid.x * {SIZE} + {T}"
    body = f"for (int i = {place}; i < n; i += {SIZE} * threadgroups_per_grid.x)\n    y[i] = -x[i];\n"
    after = VECTOR_LOADS.apply(Candidate("", body))
    assert "load_vector" in after.body
    np.testing.assert_array_equal(outputs(after, numbers(1000), 1000, groups=3), -numbers(1000))


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


def test_titles_are_told_apart() -> None:
    titles = [rewrite.title for rewrite in REWRITES]
    assert len(set(titles)) == len(titles)


@needs_compiler
@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("softmax", {"one-pass softmax", "exp2 folding", "fast math", "unrolling"}),
        ("layer_norm", {"simdgroup reductions", "fast math", "vectorised loads"}),
        ("gelu", {"vectorised loads", "unrolling"}),
        ("rms_norm", {"two-level reduction"}),
        ("tiled_matmul", {"register tiling", "staging several steps"}),
        ("selective_scan", {"staging several steps"}),
        ("transpose", {"register tiling"}),
    ],
)
def test_seeds_stay_correct(name: str, titles: set[str]) -> None:
    bench = Bench(task(name), CpuExecutor())
    seed, block = bench.task.seed, tuple(each.text for each in bench.task.spec.block)
    found = {rule.title: each for rule in REWRITES if (each := rule.apply(seed, block)) != seed}
    assert titles <= set(found)
    for title in titles:
        verdict = evaluate(bench, found[title])
        assert verdict.passed, (title, verdict.message)
