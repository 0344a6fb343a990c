"""Rewrites: each changes what it should, leaves alone what it cannot prove, and keeps what a kernel computes."""

import re
from pathlib import Path

import numpy as np
import pytest
from kernels import numbers, outputs
from questions import SEEDS, task
from rewriting import BARRIER, T, changed, needs_compiler

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.cascade import evaluate
from cu2mlx.refine.evaluate.stages import Bench
from cu2mlx.refine.propose.rewrites import REWRITES
from cu2mlx.refine.propose.rewrites.fast_math import FAST_MATH
from cu2mlx.refine.propose.rewrites.program import read
from cu2mlx.refine.propose.rewrites.reciprocals import RECIPROCALS
from cu2mlx.refine.propose.rewrites.remainders import REMAINDERS
from cu2mlx.refine.propose.rewrites.terms import is_device_pointer
from cu2mlx.refine.propose.rewrites.unrolling import FACTOR, UNROLLING
from cu2mlx.runtime.cpu.executor import CpuExecutor


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
        SCALED.replace("y[i] =", "halve(s); y[i] ="),
        "const float s = x[0];\ny[0] = x[1] / s;\n",
        "for (int i = 0; i < n; ++i) { const float s = x[i]; y[i] = 1.0f / s; }\n",
    ],
)
def test_reciprocals_that_are_none(body: str) -> None:
    assert changed(RECIPROCALS, body, "inline void halve(thread float& v) { v *= 0.5f; }\n") == body


def test_two_loops_have_two_reciprocals_and_pragmas_stay_with_their_loops() -> None:
    loop = "#pragma unroll\nfor (int i = 0; i < 4; ++i) y[i] = x[i] / s;\n"
    after = changed(RECIPROCALS, f"const float inverse_s = 3.0f, s = x[0];\n{loop}{loop}")
    for name in ("inverse_s_", "inverse_s__"):
        assert (
            f"const float {name} = 1.0f / s;\n#pragma unroll\nfor (int i = 0; i < 4; ++i) y[i] = x[i] * {name};"
            in after
        )


def test_reciprocals_leave_the_outermost_loop_that_keeps_them() -> None:
    body = "for (int r = 0; r < n; ++r) {\n    float s = x[r];\n    for (int i = 0; i < n; ++i) y[i] = x[i] / s;\n}\n"
    after = changed(RECIPROCALS, body)
    assert "    const float inverse_s = 1.0f / s;\n    for (int i" in after and after.startswith("for (int r")


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
    around = NEST.replace("  for", "#pragma unroll\n  for")
    assert changed(UNROLLING, around) == "#pragma unroll(UNROLL_FACTOR)\n" + around
    once = UNROLLING.apply(Candidate("", NEST))
    assert once.header == "constant constexpr int UNROLL_FACTOR = 4;\n"
    assert UNROLLING.apply(once) == once


@pytest.mark.parametrize(
    "body",
    [
        "#pragma unroll\nfor (int j = 0; j < m; ++j)\n    s += a[j];\n",
        NEST.replace("  for", "#pragma unroll 2\n  for"),
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


@needs_compiler
@pytest.mark.parametrize("name", ["softmax", "layer_norm", "attention_decode", "gelu"])
@pytest.mark.parametrize("backwards", [False, True])
def test_rewrites_on_top_of_each_other(name: str, backwards: bool) -> None:
    bench = Bench(task(name), CpuExecutor())
    candidate = bench.task.seed
    for rule in REWRITES[::-1] if backwards else REWRITES:
        candidate = rule.apply(candidate, extents(name))
        assert rule.apply(candidate, extents(name)) == candidate, rule.title
    verdict = evaluate(bench, candidate)
    assert verdict.passed, verdict.message


def test_titles_are_told_apart() -> None:
    titles = [rewrite.title for rewrite in REWRITES]
    assert len(set(titles)) == len(titles)


def test_the_page_says_what_applies_to_the_seeds() -> None:
    page = (Path(__file__).parents[2] / "docs" / "tuning.md").read_text(encoding="utf-8")
    table = page.split("| seed | rewrites |\n|---|---|\n")[1].split("\n\n")[0]
    said = dict(re.findall(r"^\| (\w+) \| (.*) \|$", table, re.MULTILINE))
    for folder in SEEDS.glob("*/task.toml"):
        name = folder.parent.name
        found = [
            rule.title for rule in REWRITES if rule.apply(task(name).seed, extents(name)) != task(name).seed
        ]
        assert said.get(name, "") == ", ".join(found), name


def extents(name: str) -> tuple[str, ...]:
    return tuple(each.text for each in task(name).spec.block)


@needs_compiler
@pytest.mark.parametrize(
    ("name", "titles"),
    [
        ("softmax", {"one-pass softmax", "simdgroup reductions", "vectorised loads", "unrolling"}),
        ("layer_norm", {"simdgroup reductions", "fast math", "vectorised loads"}),
        ("int4_gemv", {"simdgroup reductions", "unrolling"}),
        ("scan", {"simdgroup scans"}),
        ("block_sum", {"simdgroup reductions", "vectorised loads"}),
        ("mamba1_scan", {"exp2 folding", "simdgroup reductions"}),
        (
            "attention_decode",
            {
                "simdgroup reductions",
                "loads ahead",
                "rescaling only when the maximum moves",
                "fast math",
                "reciprocals",
            },
        ),
        ("gelu", {"vectorised loads", "unrolling"}),
        ("rms_norm", {"two-level reduction"}),
        ("tiled_matmul", {"register tiling", "staging several steps"}),
        ("selective_scan", {"staging several steps"}),
        ("transpose", {"register tiling"}),
        ("wkv", {"loads ahead"}),
    ],
)
def test_seeds_stay_correct(name: str, titles: set[str]) -> None:
    bench = Bench(task(name), CpuExecutor())
    seed = bench.task.seed
    found = {rule.title: each for rule in REWRITES if (each := rule.apply(seed, extents(name))) != seed}
    assert titles <= set(found)
    for title in titles:
        verdict = evaluate(bench, found[title])
        assert verdict.passed, (title, verdict.message)


@pytest.mark.parametrize("parameter", ["device float* x", "const device float* x", "device const float* x"])
def test_the_address_space_of_a_parameter(parameter: str) -> None:
    """Also where it is the first word in the parentheses, which the tree does not have."""
    program = read(Candidate(f"float f({parameter}, thread float* y) {{ return x[0] + y[0]; }}\n", "g(x);\n"))
    x, y = program.root.all("parameter_declaration")
    assert is_device_pointer(program, x, "x") and not is_device_pointer(program, y, "y")
