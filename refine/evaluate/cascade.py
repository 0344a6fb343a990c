"""The cascade: cheap stages first; the first objection is the verdict."""

from collections.abc import Sequence
from typing import Protocol

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate import stages
from cu2mlx.refine.evaluate.stages import Bench, Stage
from cu2mlx.refine.evaluate.verdict import Status, Timing, Verdict
from cu2mlx.refine.task import Task

CORRECTNESS: tuple[Stage, ...] = (stages.limits, stages.types, stages.shown_cases, stages.guards)
PROMOTION: tuple[Stage, ...] = (stages.held_out_cases,)


class Timer(Protocol):
    """Times candidates on a device; a machine without one has no timer, and nothing is ranked there."""

    device: str

    def time(self, task: Task, candidate: Candidate) -> Timing: ...


def evaluate(
    bench: Bench, candidate: Candidate, *, timer: Timer | None = None, chain: Sequence[Stage] = CORRECTNESS
) -> Verdict:
    """Correctness, and the time of what is correct where there is a timer."""
    for stage in chain:
        verdict = stage(bench, candidate)
        if verdict is not None:
            return verdict
    if timer is None:
        return Verdict(Status.PASSED, "correctness", "correct; not timed: no device here to time it on")
    return Verdict(Status.PASSED, "timing", "", timer.time(bench.task, candidate))


def promote(bench: Bench, candidate: Candidate) -> Verdict:
    """The gate before a candidate may be called best."""
    for stage in PROMOTION:
        verdict = stage(bench, candidate)
        if verdict is not None:
            return verdict
    return Verdict(Status.PASSED, "held-out")
