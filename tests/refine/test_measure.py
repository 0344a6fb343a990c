"""Measuring shapes, with the CPU machine in Metal's place: who is compared, what is counted. No speeds."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
from questions import SEEDS

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.device import TimedDevice
from cu2mlx.refine.evaluate.mlx_device import MlxLauncher
from cu2mlx.refine.evaluate.oracle import Oracle
from cu2mlx.refine.measure import ShapeResult, measure_shapes, moved_bytes
from cu2mlx.refine.task import Task, load_task
from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.inputs import make_inputs

pytest.importorskip("mlx.core")
runs = pytest.mark.skipif(CpuExecutor().unavailable() is not None, reason="no C++ compiler")


@pytest.fixture(autouse=True)
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """No GPU's cache has to be filled."""
    monkeypatch.setattr("cu2mlx.refine.arena.COPIED_BYTES", 1 << 16)
    monkeypatch.setattr("cu2mlx.refine.evaluate.device.ROTATED_BYTES", 1)


def stand_in() -> TimedDevice:
    from cu2mlx.runtime.emulate import metal_kernel

    return TimedDevice(MlxLauncher("the CPU machine", metal_kernel, is_lazy=False), Oracle(), pairs=2)


SMALL = {
    "attention_decode": "fewer keys than warps",
    "mamba1_scan": "two sequences",
    "mamba1_scan/step.toml": "half, ragged",
    "saxpy": "ragged",
}


def small(name: str) -> Task:
    """With a small case in place of the large ones."""
    task = load_task(SEEDS / name)
    return replace(task, timed=(task.spec.case(SMALL[name]),))


@runs
@pytest.mark.parametrize("name", ["attention_decode", "mamba1_scan", "mamba1_scan/step.toml"])
def test_every_row_is_named_and_relative_to_the_candidate(name: str) -> None:
    task = small(name)
    numbers = {
        each.name: each.values[0] for each in task.tunables if each.name in ("WARPS", "STEPS", "THREADS")
    }
    (shape,) = measure_shapes(task, task.seed.with_numbers(numbers | {"LANES": 4}), stand_in())
    names = [str(table["name"]) for table in task.spec.optimize["baselines"]]  # type: ignore[attr-defined]
    assert [row.name for row in shape.rows] == ["candidate", "naive translation", *names]
    assert shape.case == SMALL[name] and "inside MLX" in shape.device and shape.skipped == ()
    for row in shape.rows:
        assert row.low <= row.high and row.seconds > 0
        assert row.low <= row.ratio <= row.high or row.name == "candidate"
        # every call holds at least its outputs beside its inputs
        assert row.peak_bytes is not None and row.peak_bytes >= shape.bytes
    assert shape.rows[0].ratio == 1 and shape.peak_bytes == shape.rows[0].peak_bytes
    assert shape.roofline_share == shape.bytes / shape.rows[0].seconds / shape.copy_bandwidth
    assert ShapeResult.from_json(json.loads(json.dumps(shape.as_json()))) == shape


@runs
def test_the_seed_is_not_compared_with_itself() -> None:
    (shape,) = measure_shapes(small("mamba1_scan/step.toml"), small("mamba1_scan/step.toml").seed, stand_in())
    assert "naive translation" not in [row.name for row in shape.rows]


@runs
def test_a_slow_candidate_is_slower_than_the_naive_one() -> None:
    task = small("saxpy")
    body = f"for (volatile int again = 0; again < 3000; again = again + 1) {{\n{task.seed.body}}}"
    (shape,) = measure_shapes(task, Candidate(task.seed.header, body), stand_in())
    naive = shape.rows[1]
    assert naive.name == "naive translation" and naive.ratio < 0.7


@runs
def test_a_baseline_that_computes_something_else_is_left_out(tmp_path: Path) -> None:
    import shutil

    shutil.copytree(SEEDS / "mamba1_scan", tmp_path / "mamba1_scan")
    file = tmp_path / "mamba1_scan" / "baselines.py"
    file.write_text(file.read_text().replace("y = (h @ C[:, :, None]", "y = (h @ B[:, :, None]"))
    task = load_task(tmp_path / "mamba1_scan" / "step.toml")
    (shape,) = measure_shapes(replace(task, timed=task.shown[:1]), task.seed, stand_in())
    assert len(shape.rows) == 1 and len(shape.skipped) == 2
    assert all("differ from the reference's" in each for each in shape.skipped)


@runs
def test_a_case_that_launches_nothing_is_left_out() -> None:
    task = load_task(SEEDS / "mamba1_scan" / "step.toml")
    empty = replace(task, timed=(task.spec.case("empty"),))
    assert measure_shapes(empty, empty.seed, stand_in()) == ()


def test_scratch_memory_is_no_traffic() -> None:
    task = load_task(SEEDS / "attention_decode")
    data = make_inputs(task.spec, task.shown[0], 0)
    inputs = ("q", "k", "v", "lengths", "out")
    assert moved_bytes(task, data) == sum(data.buffers[name].nbytes for name in inputs)


def test_what_is_read_and_written_moves_twice() -> None:
    task = load_task(SEEDS / "saxpy")
    data = make_inputs(task.spec, task.shown[0], 0)
    assert moved_bytes(task, data) == data.buffers["x"].nbytes + 2 * data.buffers["y"].nbytes
