"""Timing and correctness on a device, with the CPU machine in Metal's place: the mechanics, no speeds."""

from dataclasses import replace

import pytest
from questions import task

from cu2mlx.refine.evaluate import statistics
from cu2mlx.refine.evaluate.device import TimedDevice
from cu2mlx.refine.evaluate.mlx_device import MlxLauncher
from cu2mlx.refine.evaluate.oracle import Oracle
from cu2mlx.refine.evaluate.verdict import Status
from cu2mlx.runtime.cpu.executor import CpuExecutor


def test_interleaving() -> None:
    order: list[str] = []

    def measure(name: str, seconds: float) -> float:
        order.append(name)
        return seconds

    firsts, seconds = statistics.interleaved(lambda: measure("A", 1.0), lambda: measure("B", 2.0), 4)
    assert "".join(order) == "ABBAABBA"
    assert (firsts, seconds) == ([1.0] * 4, [2.0] * 4)


def test_median() -> None:
    assert statistics.median([3, 1, 2]) == 2 and statistics.median([4, 1, 2, 3]) == 2.5
    with pytest.raises(ValueError, match="no measurement"):
        statistics.median([])


def test_the_interval_covers_the_true_ratio_about_as_often_as_it_says() -> None:
    import numpy as np

    rng = np.random.default_rng(0)
    covered = 0
    for trial in range(60):
        first, second = rng.lognormal(0, 0.1, 30) * 1.3, rng.lognormal(0, 0.1, 30)
        found = statistics.ratio(first.tolist(), second.tolist(), seed=trial)
        covered += found.low <= 1.3 <= found.high
    assert covered >= 50


def test_noise_floor() -> None:
    import numpy as np

    rng = np.random.default_rng(0)
    assert statistics.noise_floor(lambda: 1.0, 10) == 0
    quiet = statistics.noise_floor(lambda: float(rng.lognormal(0, 0.01)), 30)
    loud = statistics.noise_floor(lambda: float(rng.lognormal(0, 0.2)), 30)
    assert quiet < 0.02 < loud


mlx = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)


def stand_in() -> TimedDevice:
    pytest.importorskip("mlx.core")
    from cu2mlx.runtime.emulate import metal_kernel

    return TimedDevice(MlxLauncher("the CPU machine", metal_kernel, is_lazy=False), Oracle(), pairs=3)


@mlx
@pytest.mark.parametrize(
    "name", ["softmax", "saxpy", "block_sum", "rms_norm"]
)  # out, owned, accumulated, inout
def test_seeds_are_correct_on_it(name: str) -> None:
    verdict = stand_in().check(task(name), task(name).seed)
    assert verdict is None, verdict.message


@mlx
def test_a_wrong_candidate_is_noticed() -> None:
    seed = task("saxpy").seed
    verdict = stand_in().check(task("saxpy"), replace(seed, body=seed.body.replace("a * x", "a + x")))
    assert verdict is not None and verdict.status is Status.WRONG and verdict.stage == "device"


@mlx
def test_a_slow_candidate_is_slower() -> None:
    """The canary of the clock: a kernel that does its work 3,000 times over must score far below the seed."""
    one = replace(task("saxpy"), shown=task("saxpy").shown[:1])
    seed = one.seed
    slow = replace(
        seed, body=f"for (volatile int again = 0; again < 3000; again = again + 1) {{\n{seed.body}}}"
    )
    timing = stand_in().time(one, slow)
    assert timing.device == "the CPU machine" and timing.score < 70
    assert timing.low <= timing.baseline / timing.seconds <= timing.high
