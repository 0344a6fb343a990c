"""The cascade: cheap stages first; the first objection is the verdict."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate import stages
from cu2mlx.refine.evaluate.lock import device_lock
from cu2mlx.refine.evaluate.stages import Stage
from cu2mlx.refine.evaluate.trial import Bench, compile_cases
from cu2mlx.refine.evaluate.verdict import Status, Timing, Verdict
from cu2mlx.refine.task import Task

RUNS: tuple[Stage, ...] = (stages.shown_cases, stages.guards, stages.magnitudes)
PROMOTION: tuple[Stage, ...] = (stages.held_out_cases,)


class Device(Protocol):
    """Where candidates are timed; a machine without one has none, and nothing is ranked there."""

    @property
    def device(self) -> str: ...

    def compile(self, task: Task, candidate: Candidate) -> None: ...

    def check(self, task: Task, candidate: Candidate) -> Verdict | None: ...

    def check_held_out(self, task: Task, candidate: Candidate) -> Verdict | None: ...

    def time(self, task: Task, candidate: Candidate) -> Timing: ...


def evaluate(
    bench: Bench,
    candidate: Candidate,
    *,
    device: Device | None = None,
    least_seconds: float = 0.0,
) -> Verdict:
    """Correctness, and where there is a device the same on it and the time of what is correct. What takes less than
    `least_seconds` there has not done its work."""
    if (verdict := stages.limits(bench, candidate)) is not None:
        return verdict
    # Most texts are well typed: their compilers need not wait for the check.
    with ThreadPoolExecutor(2) as beside:
        if device is not None:
            beside.submit(device.compile, bench.task, candidate)
        compiled = beside.submit(compile_cases, bench, candidate, bench.task.shown)
        verdict = stages.types(bench, candidate)
        compiled.result()
        if verdict is None:
            verdict = _first(RUNS, bench, candidate)
    if verdict is not None:
        return verdict
    if device is None:
        return Verdict(Status.PASSED, "correctness", "correct; not timed: no device here to time it on")
    with device_lock():
        if (verdict := device.check(bench.task, candidate)) is not None:
            return verdict
        timing = device.time(bench.task, candidate)
        # What was timed is looked at again: nothing may have been kept from the first look.
        again = device.check(bench.task, candidate)
    if timing.seconds < least_seconds:
        message = (
            f"{timing.seconds:.2e} s, but moving the data takes {least_seconds:.2e} s on {timing.device}"
        )
        return Verdict(Status.CHEAT, "timing", message)
    return again or Verdict(Status.PASSED, "timing", "", timing)


def promote(bench: Bench, candidate: Candidate, *, device: Device | None = None) -> Verdict:
    """The gate before a candidate may be called best: what no prompt has shown, on the device too."""
    if (verdict := _first(PROMOTION, bench, candidate)) is not None:
        return verdict
    if device is not None:
        with device_lock():
            verdict = device.check_held_out(bench.task, candidate)
        if verdict is not None:
            return verdict
    return Verdict(Status.PASSED, "held-out")


def _first(chain: Sequence[Stage], bench: Bench, candidate: Candidate) -> Verdict | None:
    """The first objection of stages in their order."""
    return next((found for stage in chain if (found := stage(bench, candidate)) is not None), None)
