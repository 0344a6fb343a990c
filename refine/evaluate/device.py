"""Correctness and time of candidates on a device, whatever launches them there."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Any, Protocol

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate import statistics
from cu2mlx.refine.evaluate.oracle import Oracle
from cu2mlx.refine.evaluate.verdict import Status, Timing, Verdict
from cu2mlx.refine.task import Task
from cu2mlx.runtime.compare import compare_outputs, render, tolerances
from cu2mlx.runtime.inputs import Inputs, make_inputs
from cu2mlx.runtime.protocol import CompileError
from cu2mlx.runtime.spec import Case

if TYPE_CHECKING:
    import numpy as np

FIRST_SEED = 40_011
ROTATED_BYTES = 256 << 20  # distinct inputs per case: more than any cache holds
MAXIMUM_ROTATION = 8
NOT_A_NUMBER = 0xFF  # each byte of an output before the kernel runs


class Call(Protocol):
    """A kernel and one set of inputs on the device."""

    def seconds(self) -> float:
        """The time of one launch, from its start to its end."""
        ...

    def results(self) -> "dict[str, np.ndarray[Any, Any]]":
        """The outputs of a launch."""
        ...

    def free(self) -> None: ...


class Launcher(Protocol):
    @property
    def device(self) -> str: ...

    def call(self, task: Task, candidate: Candidate, case: Case, data: Inputs) -> Call | None:
        """None where the case launches nothing. Raises CompileError."""
        ...


@dataclass(frozen=True, slots=True)
class TimedDevice:
    """`pairs` measurements of candidate and baseline for each case."""

    launcher: Launcher
    oracle: Oracle
    pairs: int = 20

    @property
    def device(self) -> str:
        return self.launcher.device

    def check(self, task: Task, candidate: Candidate) -> Verdict | None:
        """Every shown and timed case on fresh data against the oracle; None where all is right."""
        for case in (*task.shown, *task.timed):
            data = make_inputs(task.spec, case, FIRST_SEED)
            try:
                call = self.launcher.call(task, candidate, case, data)
            except CompileError as error:
                return Verdict(Status.ILL_TYPED, "device", str(error)[:2000])
            if call is None:
                continue
            results = call.results()
            call.free()
            allowed = tolerances(task.spec, data.dtypes)
            comparison = compare_outputs(self.oracle.outputs(task, data), results, data.dtypes, allowed)
            if not comparison.same:
                message = f"case {case.name!r} on {self.device}:\n{render(comparison)}"
                return Verdict(Status.WRONG, "device", message)
        return None

    def time(self, task: Task, candidate: Candidate) -> Timing:
        """Candidate and baseline in turns, A-B-B-A, over inputs that no cache holds."""
        seconds = baseline = 0.0
        lows, highs, noises = [], [], []
        for case in task.timed or task.shown:
            mine, seeds = self._calls(task, candidate, case), self._calls(task, task.seed, case)
            if not mine or not seeds:
                continue
            first, second = _stopwatch(seeds), _stopwatch(mine)
            for measure in (first, second):  # compilation and warm-up
                for _ in seeds:
                    measure()
            noises.append(statistics.noise_floor(first, self.pairs))
            of_seed, of_candidate = statistics.interleaved(first, second, self.pairs)
            found = statistics.ratio(of_seed, of_candidate)
            lows.append(found.low)
            highs.append(found.high)
            baseline += statistics.median(of_seed)
            seconds += statistics.median(of_candidate)
            for call in (*mine, *seeds):
                call.free()
        return Timing(self.device, seconds, baseline, max(noises), min(lows), max(highs))

    def _calls(self, task: Task, candidate: Candidate, case: Case) -> list[Call]:
        """The same launch on several sets of inputs; none where a case launches nothing."""
        data = make_inputs(task.spec, case, FIRST_SEED)
        size = sum(array.nbytes for array in data.buffers.values())
        count = max(2, min(MAXIMUM_ROTATION, ROTATED_BYTES // max(size, 1)))
        calls = []
        for number in range(count):
            fresh = data if number == 0 else make_inputs(task.spec, case, FIRST_SEED + number)
            call = self.launcher.call(task, candidate, case, fresh)
            if call is None:
                return []
            calls.append(call)
        return calls


def _stopwatch(calls: Sequence[Call]) -> Callable[[], float]:
    """Measures one call after the other, round and round."""
    turn = cycle(calls)
    return lambda: next(turn).seconds()


def device_here() -> TimedDevice | None:
    """Apple's GPU through MLX or an NVIDIA one, None where there is neither."""
    from cu2mlx.refine.evaluate import cuda_device, mlx_device

    launcher = mlx_device.launcher_here() or cuda_device.launcher_here()
    return None if launcher is None else TimedDevice(launcher, Oracle())
