"""Rewrites, the autotuner, and the proposer made of them."""

from dataclasses import replace

import pytest
from questions import question, task

from cu2mlx.refine.evaluate.cascade import evaluate
from cu2mlx.refine.evaluate.stages import Bench
from cu2mlx.refine.propose.protocol import Kind
from cu2mlx.refine.propose.reply import read_candidate
from cu2mlx.refine.propose.rewrites import REWRITES, exp2_folding, fast_math, simdgroup_reduction, unrolling
from cu2mlx.refine.propose.rules import RulesProposer, rewritten, written
from cu2mlx.refine.world.edit import apply, parse
from cu2mlx.refine.world.model import World, select
from cu2mlx.runtime.cpu.executor import CpuExecutor


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("y = fast::exp(a - b);", "y = fast::exp2((a - b) * M_LOG2E_F);"),
        ("return exp(x);", "return exp2((x) * M_LOG2E_F);"),
        ("y = metal::exp(f(a, (b)));", "y = metal::exp2((f(a, (b))) * M_LOG2E_F);"),
        ("y = mine::exp(a) + s.exp(b);", None),
        ("float exp(float x) { return x; }", None),
        ("y = exp2(a) + expm1(b); // exp(c)", None),
    ],
)
def test_exp2_folding(before: str, after: str | None) -> None:
    assert exp2_folding(before) == (before if after is None else after)


def test_fast_math() -> None:
    assert fast_math("precise::rsqrt(x) + precise") == "fast::rsqrt(x) + precise"


LOOP = "for (int m = 16; m > 0; m >>= 1)\n    {} cu::shfl_xor_sync(v, m, 32, lane){};"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (LOOP.format("v +=", ""), "v = simd_sum(v);"),
        ("#pragma unroll\n" + LOOP.format("v = fmax(v,", ")"), "v = simd_max(v);"),
        (LOOP.format("v = fmin(v,", ")"), "v = simd_min(v);"),
        ("for (uint m = 16; m > 0; m /= 2) {\n v += cu::shfl_xor_sync(v, m, 32, t); }", "v = simd_sum(v);"),
        (LOOP.format("v *=", ""), None),
        (LOOP.format("w +=", ""), None),
        (LOOP.format("v +=", "").replace("16", "8"), None),
        (LOOP.format("v +=", "").replace("32", "16"), None),
        (LOOP.format("v +=", "").replace("xor", "down"), None),
    ],
)
def test_simdgroup_reduction(before: str, after: str | None) -> None:
    assert simdgroup_reduction(before) == (before if after is None else after)


def test_unrolling() -> None:
    nest = "for (int i = 0; i < n; ++i) {\n  for (int j = 0; j < m; ++j)\n    s += a[j];\n}\n"
    assert unrolling(nest) == nest.replace("  for", "#pragma unroll(4)\n  for")
    assert unrolling(unrolling(nest)) == unrolling(nest)


@pytest.mark.skipif(CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine")
@pytest.mark.parametrize("name", ["softmax", "layer_norm"])
def test_rewrites_keep_kernels_correct(name: str) -> None:
    bench = Bench(task(name), CpuExecutor())
    changed = [each for rule in REWRITES if (each := rewritten(rule, bench.task.seed)) != bench.task.seed]
    assert len(changed) >= 2
    for candidate in changed:
        verdict = evaluate(bench, candidate)
        assert verdict.passed, verdict.message


def test_a_written_candidate_is_read_back() -> None:
    seed = replace(task().seed, grid=("rows", "ceildiv(cols, 4)"), block=("64",)).with_numbers({"BLOCK": 64})
    for candidate in (seed, task("saxpy").seed, task().seed):
        reply = replace(RulesProposer().ask(question(Kind.WORLD)), text=written(candidate))
        assert read_candidate(reply, task().seed).key == candidate.key


def test_the_first_world_and_the_next_nodes() -> None:
    rules = RulesProposer()
    world = apply(World.start("seed"), parse(rules.ask(question(Kind.WORLD)).text), limit=9)
    titles = {node.action.title for node in world.nodes if node.action is not None}
    assert titles == {"exp2 folding", "tune the launch", "unrolling"}
    node = select(world)
    assert node is not None and node.action is not None and node.action.title == "tune the launch"
    solved = world.solved(node.id, "key", 1.2)
    asked = replace(question(Kind.EDIT), world=solved, node=solved.node(node.id))
    edited = apply(solved, parse(rules.ask(asked).text))
    assert {child.action.title for child in edited.children(node.id) if child.action} == {
        "exp2 folding",
        "unrolling",
    }
