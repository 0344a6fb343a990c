"""Measuring shapes, with the CPU machine in Metal's place: who is compared, what is counted. No speeds."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from questions import SEEDS

from cu2mlx.refine import roofline
from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.device import TimedDevice
from cu2mlx.refine.evaluate.mlx_device import MlxLauncher
from cu2mlx.refine.evaluate.oracle import Oracle
from cu2mlx.refine.measure import ShapeResult, measure_shapes
from cu2mlx.refine.roofline import PROBES, declared_work, moved_bytes, work
from cu2mlx.refine.task import Task, TaskError, load_task
from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.inputs import make_inputs

pytest.importorskip("mlx.core")
runs = pytest.mark.skipif(CpuExecutor().unavailable() is not None, reason="no C++ compiler")


@pytest.fixture(autouse=True)
def little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """No GPU's cache has to be filled."""
    monkeypatch.setattr("cu2mlx.refine.arena.COPIED_BYTES", 1 << 16)
    monkeypatch.setattr("cu2mlx.refine.roofline.PROBE_BLOCKS", 1)
    monkeypatch.setattr("cu2mlx.refine.evaluate.device.ROTATED_BYTES", 1)


def stand_in() -> TimedDevice:
    from cu2mlx.runtime.emulate import metal_kernel

    return TimedDevice(MlxLauncher("the CPU machine", metal_kernel, head_start=None), Oracle(), pairs=2)


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
    assert [limit.what for limit in shape.limits] == ["bytes", *declared_work(task)]
    assert (shape.limits[0].amount, shape.limits[0].rate) == (shape.bytes, shape.copy_bandwidth)
    least = max(limit.amount / limit.rate for limit in shape.limits)
    assert shape.reached == least / shape.rows[0].seconds
    assert shape.roofline_share == shape.bytes / shape.copy_bandwidth / shape.rows[0].seconds
    assert ShapeResult.from_json(json.loads(json.dumps(shape.as_json()))) == shape


@runs
def test_the_seed_is_not_compared_with_itself() -> None:
    (shape,) = measure_shapes(small("mamba1_scan/step.toml"), small("mamba1_scan/step.toml").seed, stand_in())
    assert "naive translation" not in [row.name for row in shape.rows]


@runs
def test_a_slow_candidate_is_slower_than_the_naive_one() -> None:
    task = small("saxpy")
    body = f"for (volatile int again = 0; again < 20000; again = again + 1) {{\n{task.seed.body}}}"
    (shape,) = measure_shapes(task, Candidate(task.seed.header, body), stand_in())
    naive = shape.rows[1]
    assert naive.name == "naive translation" and naive.ratio < 0.7


@runs
def test_a_baseline_that_computes_something_else_is_left_out(tmp_path: Path) -> None:
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
    assert moved_bytes(task, data.resolved) == sum(data.buffers[name].nbytes for name in inputs)


def test_what_is_read_and_written_moves_twice() -> None:
    task = load_task(SEEDS / "saxpy")
    data = make_inputs(task.spec, task.shown[0], 0)
    assert moved_bytes(task, data.resolved) == data.buffers["x"].nbytes + 2 * data.buffers["y"].nbytes


def test_arithmetic_that_a_case_needs() -> None:
    task = load_task(SEEDS / "mamba1_scan")
    case = task.spec.case("half, ragged")
    assert work(task, case) == {"exponentials": 37 * 50 * 16}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("work = 3", "a table of expressions in quotes"),
        ("work = { exponentials = 3 }", "a table of expressions in quotes"),
        ('work = { divisions = "rows" }', "divisions: what is counted is one of multiply_adds, exponentials"),
        ('work = { exponentials = "rows * n" }', "unknown name `n`"),
    ],
)
def test_bad_work(tmp_path: Path, text: str, message: str) -> None:
    shutil.copytree(SEEDS / "softmax", tmp_path / "softmax")
    file = tmp_path / "softmax" / "task.toml"
    file.write_text(f"{file.read_text()}\n[optimize]\n{text}\n")
    task = load_task(file)
    with pytest.raises(TaskError, match=message):
        work(task, task.shown[0])


@runs
@pytest.mark.parametrize("name", PROBES)
def test_a_probe_computes_what_it_counts(name: str) -> None:
    """Else a compiler that leaves the arithmetic out would make the device look faster."""
    probe = load_task(Path(roofline.__file__).parent / "probes" / f"{name}.toml")
    assert stand_in().check(replace(probe, timed=()), probe.seed) is None
