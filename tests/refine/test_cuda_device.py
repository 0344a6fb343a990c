"""Candidates on an NVIDIA GPU: what is uploaded, shared, filled, launched, read back. The CPU machine is the GPU."""

from dataclasses import replace
from typing import cast

import numpy as np
import pytest
from fake_gpu import FakeDriver
from questions import task

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.cuda_device import CudaCall, CudaLauncher
from cu2mlx.refine.evaluate.device import TimedDevice
from cu2mlx.refine.evaluate.oracle import Oracle
from cu2mlx.refine.evaluate.verdict import Status
from cu2mlx.refine.measure import measure_shapes
from cu2mlx.refine.task import Task
from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.cuda.driver import CudaError, Driver, Pointer

pytestmark = pytest.mark.skipif(CpuExecutor().unavailable() is not None, reason="no C++ compiler")


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> FakeDriver:
    monkeypatch.setattr("cu2mlx.refine.evaluate.cuda_device.compile_kernel", lambda text, architecture: text)
    monkeypatch.setattr("cu2mlx.refine.evaluate.device.ROTATED_BYTES", 1)
    monkeypatch.setattr("cu2mlx.refine.evaluate.cuda_device.COPIED_BYTES", 1 << 10)
    monkeypatch.setattr("cu2mlx.refine.roofline.PROBE_BLOCKS", 1)
    return FakeDriver()


def device(driver: FakeDriver) -> TimedDevice:
    return TimedDevice(CudaLauncher(cast(Driver, driver)), Oracle(), pairs=2)


def small(name: str) -> Task:
    return replace(task(name), shown=task(name).shown[:2], timed=task(name).shown[:1])


@pytest.mark.parametrize("name", ["softmax", "saxpy", "rms_norm", "block_sum", "attention_decode"])
def test_seeds_are_correct(driver: FakeDriver, name: str) -> None:
    verdict = device(driver).check(small(name), small(name).seed)
    assert verdict is None, verdict.message


def test_a_wrong_candidate_is_noticed(driver: FakeDriver) -> None:
    seed = task("saxpy").seed
    wrong = replace(seed, body=seed.body.replace("a * x", "a + x"))
    verdict = device(driver).check(small("saxpy"), wrong)
    assert verdict is not None and verdict.status is Status.WRONG


def test_a_candidate_that_writes_its_inputs_is_noticed(driver: FakeDriver) -> None:
    seed = task("saxpy").seed
    cheat = Candidate(seed.header, seed.body + "\n((device float*)x)[0] = 7.0f;")
    verdict = device(driver).check(small("saxpy"), cheat)
    assert verdict is not None and verdict.status is Status.CHEAT and "wrote to x" in verdict.message


def test_a_launch_that_the_gpu_refuses(driver: FakeDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise CudaError("cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES: too many resources requested")

    monkeypatch.setattr(driver, "launch", refuse)
    verdict = device(driver).check(small("saxpy"), task("saxpy").seed)
    assert verdict is not None and verdict.status is Status.REFUSED and "OUT_OF_RESOURCES" in verdict.message


def test_a_candidate_that_finds_its_old_outputs_gains_nothing(driver: FakeDriver) -> None:
    """Before every measurement the outputs are no longer what the last one has left."""
    timed, softmax = device(driver), small("softmax")
    calls = timed.calls(softmax, softmax.seed, softmax.timed[0])
    stopwatch = timed.launcher.stopwatch(calls)
    for call in calls:
        assert isinstance(call, CudaCall)
        assert not np.isnan(np.frombuffer(driver.memory[out(call).address], np.float32)).any()
    stopwatch.seconds()
    for call in calls:
        assert isinstance(call, CudaCall)
        assert np.isnan(np.frombuffer(driver.memory[out(call).address], np.float32)).all()


def out(call: CudaCall) -> Pointer:
    pointer = call.work.arguments[-1]
    assert isinstance(pointer, Pointer)
    return pointer


def test_large_inputs_are_uploaded_once(driver: FakeDriver) -> None:
    timed, saxpy = device(driver), small("saxpy")
    timed.time(saxpy, saxpy.seed)
    before, held = driver.uploads, len(driver.memory)
    timed.time(saxpy, saxpy.seed.with_numbers({}))
    assert driver.uploads - before == 2  # the output of each of two calls; x and the old y are there
    assert len(driver.memory) == held


def test_rows_without_mlx(driver: FakeDriver, monkeypatch: pytest.MonkeyPatch) -> None:
    timed, step = device(driver), task("mamba1_scan/step.toml")
    monkeypatch.setattr("cu2mlx.runtime.cuda.mlx_operation.unavailable", lambda: "no MLX here")
    tiny = replace(step, timed=(step.spec.case("half, ragged"),))
    (shape,) = measure_shapes(tiny, step.seed.with_numbers({"LANES": 2}), timed)
    assert [row.name for row in shape.rows] == ["candidate", "naive translation", "CUDA original"]
    assert shape.skipped == ("step in MLX, compiled: no MLX here", "step in MLX, as mlx-lm's: no MLX here")
    assert shape.peak_bytes is None and shape.copy_bandwidth == 2 * (1 << 10) / 1e-3
    assert {each.language for each in driver.launches} == {"msl", "cuda"}
