"""Timing and correctness on a device, with the CPU machine in Metal's place: the mechanics, no speeds."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from questions import task

from cu2mlx.refine.evaluate import statistics
from cu2mlx.refine.evaluate.device import DISTINCT, FIRST_SEED, TimedDevice
from cu2mlx.refine.evaluate.mlx_device import MlxCall, MlxLauncher
from cu2mlx.refine.evaluate.mlx_timing import Applied, Chain, link
from cu2mlx.refine.evaluate.oracle import Oracle
from cu2mlx.refine.evaluate.verdict import Status
from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.inputs import make_inputs
from cu2mlx.runtime.spec.model import ToleranceOverride


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

    return TimedDevice(MlxLauncher("the CPU machine", metal_kernel, head_start=None), Oracle(), pairs=3)


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
    """The canary of the clock: a kernel that does its work 20,000 times over must score far below the seed."""
    one = replace(task("saxpy"), shown=task("saxpy").shown[:1])
    seed = one.seed
    slow = replace(
        seed, body=f"for (volatile int again = 0; again < 20000; again = again + 1) {{\n{seed.body}}}"
    )
    timing = stand_in().time(one, slow)
    assert timing.device == "the CPU machine" and timing.score < 70
    assert timing.low <= timing.baseline / timing.seconds <= timing.high


@mlx
def test_held_out_cases_give_no_details_away() -> None:
    saxpy = replace(task("saxpy"), held_out=task("saxpy").shown)
    wrong = replace(saxpy.seed, body=saxpy.seed.body.replace("a * x", "a + x"))
    assert stand_in().check_held_out(saxpy, saxpy.seed) is None
    verdict = stand_in().check_held_out(saxpy, wrong)
    assert verdict is not None and verdict.status is Status.WRONG and verdict.stage == "held-out"
    assert not any(case.name in verdict.message for case in saxpy.held_out)


@mlx
@pytest.mark.parametrize(("rtol", "is_right"), [(2e-7, True), (1e-10, False)])
def test_a_candidate_may_be_off_where_the_baseline_is(rtol: float, is_right: bool) -> None:
    """Float32 meets neither tolerance; the slack for that has an end."""
    softmax = task("softmax")
    spec = replace(softmax.spec, tolerances=(("y", ToleranceOverride("tight", rtol=rtol, scale=0.0)),))
    tight = replace(softmax, spec=spec, shown=softmax.shown[:1])
    same = replace(softmax.seed, body=softmax.seed.body + "\n;")
    assert stand_in().check(tight, tight.seed) is not None
    assert (stand_in().check(tight, same) is None) == is_right


def test_inputs_are_used_in_turns_past_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cu2mlx.refine.evaluate.device.ROTATED_BYTES", 1 << 16)
    device, saxpy = TimedDevice(MlxLauncher("none", dict, None), Oracle()), task("saxpy")
    small, large = (replace(saxpy.shown[0], name=str(n), sizes=(("n", n),)) for n in (1 << 10, 1 << 16))
    sets = device.rotated(saxpy, small)
    assert len(sets) * sum(array.nbytes for array in sets[0].buffers.values()) >= 1 << 16
    assert len(device.rotated(saxpy, large)) == DISTINCT
    assert not (sets[0].buffers["x"] == sets[1].buffers["x"]).all()
    assert device.inputs(saxpy, small, FIRST_SEED) is sets[0]


@mlx
def test_a_candidate_shares_the_inputs_that_are_on_the_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cu2mlx.refine.evaluate.device.ROTATED_BYTES", 1)
    device, saxpy = stand_in(), task("saxpy")
    first, again = (device.calls(saxpy, saxpy.seed, saxpy.shown[0]) for _ in range(2))
    assert len(first) == DISTINCT
    for one, other in zip(first, again, strict=True):
        assert isinstance(one, MlxCall) and isinstance(other, MlxCall)
        assert one.applied.arrays is other.applied.arrays
    assert first[0].changed_inputs() == []


@mlx
def test_changed_inputs_are_seen() -> None:
    import mlx.core as mx

    saxpy = task("saxpy")
    device = stand_in()
    call = device.launcher.call(saxpy, saxpy.seed, saxpy.shown[0], device.inputs(saxpy, saxpy.shown[0], 1))
    assert isinstance(call, MlxCall)
    arrays = {**call.applied.arrays, "x": call.applied.arrays["x"] + mx.array(1.0)}
    assert replace(call, applied=replace(call.applied, arrays=arrays)).changed_inputs() == ["x"]


@pytest.mark.parametrize(
    ("name", "pair"),
    [
        ("attention_decode", ("out", "q")),
        ("mamba1_scan", ("y", "u")),
        ("saxpy", ("y", "y")),  # read and written: the output is the next call's input
        ("block_sum", None),
    ],
)
def test_what_a_call_hands_to_the_next(name: str, pair: tuple[str, str] | None) -> None:
    assert link(task(name), make_inputs(task(name).spec, task(name).shown[0], 0)) == pair


def test_a_chain_hands_on_outputs_and_goes_round() -> None:
    mx = pytest.importorskip("mlx.core")
    seen: list[tuple[float, float]] = []

    def operation(arrays: Mapping[str, Any]) -> dict[str, Any]:
        seen.append((arrays["which"].item(), arrays["x"].max().item()))
        return {"y": arrays["x"] + 1}

    applied = [Applied(operation, {"x": mx.zeros(4), "which": mx.array(float(n))}) for n in range(3)]
    chain = Chain(applied, ("y", "x"))
    chain.count, before = 4, len(seen)
    assert chain.seconds() > 0
    turns = seen[before:]
    # the first of a measurement starts afresh, each later one from what the one before has made
    assert [x for _, x in turns] == [0, 1, 2, 3]
    assert turns[3][0] == turns[0][0] and len({which for which, _ in turns}) == 3
