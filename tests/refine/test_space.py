"""Tunables and their requirements: what is read, what is refused, and that every allowed point computes the same."""

import random
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from questions import SEEDS

from cu2mlx.refine.evaluate.stages import limits, shown_cases, types
from cu2mlx.refine.evaluate.trial import Bench
from cu2mlx.refine.task import Task, TaskError, load_task
from cu2mlx.runtime.cpu.executor import CpuExecutor

TASKS = ("attention_decode", "mamba1_scan", "mamba1_scan/step.toml")


@pytest.mark.parametrize("name", TASKS)
def test_a_space_is_wide_and_holds_its_own_start(name: str) -> None:
    task = load_task(SEEDS / name)
    assert sum(1 for _ in task.space.points()) >= (30 if "step" in name else 100)
    assert task.allows({})


def test_requirements_hold_for_every_case() -> None:
    task = load_task(SEEDS / "attention_decode")
    assert task.allows({"WARPS": 16, "HEADS": 2, "LANES": 32})
    # 64 partial results would fit the shared memory with the head of 64, not with that of 128
    assert not task.allows({"WARPS": 16, "HEADS": 4, "LANES": 32})
    assert task.space.violated({"LANES": 4, "HEADS": 4}) == "HEADS * D <= 64 * LANES"


REQUIRE = "\n[optimize]\nrequire = "


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        (REQUIRE + '"BLOCK <= 256"\n', "a list of expressions"),
        (REQUIRE + '["BLOCK <="]\n', "cannot read the expression"),
        (REQUIRE + '["TILE <= 256"]\n', "unknown name `TILE`"),
        (REQUIRE + '["BLOCK <= 1"]\n', "the task's own numbers break it: BLOCK <= 1"),
    ],
)
def test_bad_requirements(tmp_path: Path, extra: str, message: str) -> None:
    with pytest.raises(TaskError, match=message):
        shutil.copytree(SEEDS / "softmax", tmp_path / "softmax")
        file = tmp_path / "softmax" / "task.toml"
        file.write_text(file.read_text() + extra)
        load_task(file)


def drawn(task: Task, count: int) -> list[dict[str, int]]:
    """Points that are far apart: drawn from all of the space, with its last one."""
    points = list(task.space.points())
    return [*random.Random(0).sample(points, count - 1), points[-1]]


@pytest.mark.skipif(CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine")
@pytest.mark.parametrize("name", TASKS)
def test_points_compute_the_same(name: str) -> None:
    """Against the float64 reference in checked mode; a small case each, in turn."""
    task = load_task(SEEDS / name)
    for number, point in enumerate(drawn(task, 6)):
        case = task.shown[number % len(task.shown)]
        bench = Bench(replace(task, shown=(case,), held_out=()), CpuExecutor())
        candidate = task.seed.with_numbers(point)
        for stage in (limits, types, shown_cases):
            verdict = stage(bench, candidate)
            assert verdict is None, f"{point} on {case.name!r}: {verdict}"
