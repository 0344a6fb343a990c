"""Tasks whose cases leave arrays out: a candidate is told by a constant, and what is null counts for nothing."""

from dataclasses import replace
from pathlib import Path

import pytest

from cu2mlx import seeds
from cu2mlx.refine.evaluate.binding import bind, launch_of
from cu2mlx.refine.evaluate.trial import Bench, Trial, objection
from cu2mlx.refine.evaluate.verdict import Status
from cu2mlx.refine.propose.describe import arguments
from cu2mlx.refine.task import Task, load_task
from cu2mlx.runtime.cpu.executor import CpuExecutor

pytestmark = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)


def _task(seed: str) -> Task:
    return load_task(Path(seeds.__file__).parent / seed)


def _trials(task: Task) -> dict[str, Trial]:
    return {each.name: Trial(each, "cases", 1) for each in (*task.shown, *task.held_out)}


@pytest.mark.parametrize("with_reference", [True, False], ids=["reference", "original"])
def test_an_output_that_is_not_wanted(with_reference: bool) -> None:
    task = _task("scan")
    task = task if with_reference else replace(task, reference=None)
    trial = _trials(task)["one block, whose sum nobody wants"]
    assert launch_of(task, task.seed, trial.case)[1]["cu_has_block_sums"] is False
    bench = Bench(task, CpuExecutor())
    assert objection(bench, task.seed, trial) is None
    assert set(bind(task, trial.data(task), fill=0xFF).results()) == {"out"}
    assert set(bench.oracle.outputs(task, trial.data(task))) == {"out"}


def test_what_is_read_of_an_array_that_is_missing_is_found_out() -> None:
    task = _task("selective_scan")
    trials, bench = _trials(task), Bench(task, CpuExecutor())
    for trial in trials.values():
        assert objection(bench, task.seed, trial) is None, trial.case.name
    assert "if (z != nullptr)" in task.seed.body
    careless = replace(task.seed, body=task.seed.body.replace("if (z != nullptr)", "if (true)"))
    assert objection(bench, careless, trials["ragged"]) is None
    verdict = objection(bench, careless, trials["no gate"])
    assert verdict is not None and verdict.status in (Status.FAULT, Status.CRASH)


def test_a_candidate_is_told() -> None:
    told = list(arguments(_task("scan")))
    assert [each for each in told if "cu_has_block_sums" in each] == [
        "`device int* block_sums` [ceildiv(n, 256)], output; there is none where `cu_has_block_sums` is false"
    ]
