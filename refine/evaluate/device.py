"""Correctness and time of candidates on a device, whatever launches them there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate import statistics
from cu2mlx.refine.evaluate.oracle import Oracle
from cu2mlx.refine.evaluate.trial import SLACK
from cu2mlx.refine.evaluate.verdict import Status, Timing, Verdict
from cu2mlx.refine.task import Task
from cu2mlx.runtime.inputs import Inputs, make_inputs
from cu2mlx.runtime.protocol import CompileError
from cu2mlx.runtime.spec import Case

if TYPE_CHECKING:
    import numpy as np

FIRST_SEED, HELD_OUT_SEED = 40_011, 50_011
ROTATED_BYTES = 256 << 20  # arguments that are used in turns: more than any cache holds
MOST_CALLS = 256
DISTINCT = 2  # sets of inputs; more calls have copies of them, in memory of their own
NOT_A_NUMBER = 0xFF  # each byte of an output before the kernel runs


class LaunchError(Exception):
    """The device does not start a kernel: it takes too many registers for its block, say."""


class Call(Protocol):
    """A kernel and one set of inputs on the device."""

    def results(self) -> "dict[str, np.ndarray[Any, Any]]":
        """The outputs of the first launch. Raises LaunchError."""
        ...

    def changed_inputs(self) -> list[str]:
        """Buffers that the kernel may only read and has written."""
        ...

    def free(self) -> None: ...


class Stopwatch(Protocol):
    """Calls that run one after the other, never two at once."""

    def seconds(self) -> float:
        """The time of one of them: all are launched once, from the start of the first to the end of the last."""
        ...

    def free(self) -> None: ...


class Launcher(Protocol):
    @property
    def device(self) -> str: ...

    def call(
        self, task: Task, candidate: Candidate, case: Case, data: Inputs, beside: Any = None
    ) -> Call | None:
        """None where the case launches nothing. `beside`: a call of this launcher on the same data, which lives
        longer; what it only reads is read by both. Raises CompileError."""
        ...

    def compile(self, task: Task, candidate: Candidate, cases: Sequence[Case]) -> None:
        """Ahead of the calls, beside other work; what does not compile is found by `call`. May do nothing."""
        ...

    def stopwatch(self, calls: Sequence[Any]) -> Stopwatch:
        """For calls of this launcher, compiled and warm when it is returned."""
        ...


@dataclass(frozen=True, slots=True)
class TimedDevice:
    """`pairs` measurements of candidate and baseline for each case."""

    launcher: Launcher
    oracle: Oracle
    pairs: int = 20
    _inputs: dict[tuple[str, str, int], Inputs] = field(default_factory=dict, repr=False)
    _slacks: dict[tuple[str, str, int], float] = field(default_factory=dict, repr=False)
    _baselines: dict[tuple[str, str], list[Call]] = field(default_factory=dict, repr=False)
    _noises: dict[tuple[str, str], float] = field(default_factory=dict, repr=False)

    @property
    def device(self) -> str:
        return self.launcher.device

    def compile(self, task: Task, candidate: Candidate) -> None:
        """What `check` and `time` will need: nothing runs yet."""
        self.launcher.compile(task, candidate, (*task.shown, *task.timed))

    def check(self, task: Task, candidate: Candidate) -> Verdict | None:
        """Every shown and timed case on fresh data against the oracle; None where all is right."""
        return self._check(task, candidate, (*task.shown, *task.timed), "device", FIRST_SEED)

    def check_held_out(self, task: Task, candidate: Candidate) -> Verdict | None:
        """The held-out cases, whose details no verdict gives away."""
        verdict = self._check(task, candidate, task.held_out, "held-out", HELD_OUT_SEED)
        if verdict is None:
            return None
        message = f"{verdict.status} on {self.device}, on a shape or type that was not shown"
        return Verdict(verdict.status, "held-out", message)

    def _check(
        self, task: Task, candidate: Candidate, cases: Iterable[Case], stage: str, seed: int
    ) -> Verdict | None:
        for case in cases:
            data = self.inputs(task, case, seed)
            is_large = case in task.timed
            try:
                beside = next(iter(self._baseline(task, case)), None) if is_large else None
                call = self.launcher.call(task, candidate, case, data, beside)
            except CompileError as error:
                return Verdict(Status.ILL_TYPED, stage, str(error)[:2000])
            if call is None:
                continue
            try:
                results = call.results()
                changed = [] if is_large else call.changed_inputs()  # it would have shown on the small ones
            except LaunchError as error:
                return Verdict(Status.REFUSED, stage, f"case {case.name!r}: {error}")
            finally:
                call.free()
            where = f"case {case.name!r} on {self.device}"
            if changed:
                message = f"{where}: wrote to {', '.join(changed)}, which it may only read"
                return Verdict(Status.CHEAT, stage, message)
            slack = 1.0 if candidate.key == task.seed.key else self._slack(task, case, seed)
            if (difference := self.oracle.difference(task, data, results, slack)) is not None:
                return Verdict(Status.WRONG, stage, f"{where}: {difference}")
        return None

    def _slack(self, task: Task, case: Case, seed: int) -> float:
        """How often the tolerance may be taken: more than once where the baseline itself does not pass."""
        key = (task.spec.path, case.name, seed)
        if key not in self._slacks:
            is_right = self._check(task, task.seed, (case,), "device", seed) is None
            self._slacks[key] = 1.0 if is_right else SLACK
        return self._slacks[key]

    def time(self, task: Task, candidate: Candidate) -> Timing:
        """Candidate and baseline in turns, A-B-B-A, over inputs that no cache holds."""
        cases: list[tuple[str, float, float]] = []
        lows, highs, noises = [], [], []
        for case in task.timed or task.shown:
            seeds, mine = self._baseline(task, case), self.calls(task, candidate, case)
            if not mine:
                continue
            first, second = self.launcher.stopwatch(seeds), self.launcher.stopwatch(mine)
            noises.append(self._noise(task, case, first))
            of_seed, of_candidate = statistics.interleaved(first.seconds, second.seconds, self.pairs)
            found = statistics.ratio(of_seed, of_candidate)
            lows.append(found.low)
            highs.append(found.high)
            cases.append((case.name, statistics.median(of_candidate), statistics.median(of_seed)))
            first.free()
            second.free()
            for call in mine:
                call.free()
        seconds = sum(mine for _, mine, _ in cases)
        baseline = sum(seeds for _, _, seeds in cases)
        return Timing(self.device, seconds, baseline, max(noises), min(lows), max(highs), tuple(cases))

    def _noise(self, task: Task, case: Case, baseline: Stopwatch) -> float:
        """Of the baseline against itself: measured once for a case."""
        key = (task.spec.path, case.name)
        if key not in self._noises:
            self._noises[key] = statistics.noise_floor(baseline.seconds, self.pairs)
        return self._noises[key]

    def calls(self, task: Task, candidate: Candidate, case: Case) -> list[Call]:
        """The same launch on several sets of inputs, which it shares with the baseline's; none where a case
        launches nothing."""
        besides = self._baseline(task, case)
        made = [
            self.launcher.call(task, candidate, case, data, beside)
            for data, beside in zip(self.rotated(task, case), besides, strict=False)
        ]
        return [each for each in made if each is not None]

    def _baseline(self, task: Task, case: Case) -> list[Call]:
        """The baseline's calls, which are kept: what is large is brought to the device once."""
        key = (task.spec.path, case.name)
        if key not in self._baselines:
            sets = self.rotated(task, case)
            made = [self.launcher.call(task, task.seed, case, data) for data in sets]
            self._baselines[key] = [each for each in made if each is not None]
        return self._baselines[key]

    def rotated(self, task: Task, case: Case) -> list[Inputs]:
        """Enough sets of inputs that none is in a cache when its turn comes again."""
        sets = [self.inputs(task, case, FIRST_SEED + number) for number in range(DISTINCT)]
        size = sum(array.nbytes for array in sets[0].buffers.values())
        count = max(DISTINCT, min(MOST_CALLS, -(-ROTATED_BYTES // max(size, 1))))
        return [sets[number % DISTINCT] for number in range(count)]

    def inputs(self, task: Task, case: Case, seed: int) -> Inputs:
        """Made once: calls copy them."""
        key = (task.spec.path, case.name, seed)
        if key not in self._inputs:
            self._inputs[key] = make_inputs(task.spec, case, seed)
        return self._inputs[key]


def device_here() -> TimedDevice | None:
    """Apple's GPU through MLX or an NVIDIA one, None where there is neither."""
    from cu2mlx.refine.evaluate import cuda_device, mlx_device

    launcher = mlx_device.launcher_here() or cuda_device.launcher_here()
    return None if launcher is None else TimedDevice(launcher, Oracle())
