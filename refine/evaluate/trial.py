"""One run of a candidate on the CPU machine in checked mode, and what is wrong with it."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.ahead import compile_ahead
from cu2mlx.refine.evaluate.binding import bind, kernel_text, launch_of
from cu2mlx.refine.evaluate.oracle import Oracle, OracleError
from cu2mlx.refine.evaluate.verdict import Status, Verdict
from cu2mlx.refine.task import Task
from cu2mlx.runtime import protocol
from cu2mlx.runtime.dtypes import decode, encode, is_float
from cu2mlx.runtime.inputs import Inputs, make_inputs
from cu2mlx.runtime.protocol import CompileError, Executor, Fault
from cu2mlx.runtime.spec import Case

NOT_A_NUMBER, STALE = 0xFF, 0x3C  # fills of outputs: NaN in every float type, and a plausible finite number
SHOWN_FAULTS = 5
SLACK = 16.0  # how much more of the tolerance a candidate may take where the baseline itself needs more


@dataclass(frozen=True, slots=True)
class Trial:
    """Data of one case from `seed`, floating-point inputs times `scale`; outputs start as bytes of `fill`. `slack`:
    how often the tolerance may be taken. `stage` is named in verdicts."""

    case: Case
    stage: str
    seed: int
    fill: int = NOT_A_NUMBER
    scale: float = 1.0
    slack: float = 1.0

    def data(self, task: Task) -> Inputs:
        data = make_inputs(task.spec, self.case, self.seed)
        if self.scale != 1.0:
            for name, array in data.buffers.items():
                if is_float(data.dtypes[name]):
                    array[...] = encode(decode(array, data.dtypes[name]) * self.scale, data.dtypes[name])
        return data


@dataclass(frozen=True, slots=True)
class Bench:
    """What the stages share: the task, where kernels run, what is right, and how long one launch may take."""

    task: Task
    executor: Executor
    oracle: Oracle = field(default_factory=Oracle)
    seconds: float = 20.0
    _borne: dict[tuple[str, int], bool] = field(default_factory=dict)

    def bears(self, trial: Trial) -> bool:
        """Whether the baseline passes a trial, and the original where that is the oracle."""
        key = (trial.case.name, trial.seed)
        if key not in self._borne:
            try:
                found = objection(self, self.task.seed, replace(trial, fill=NOT_A_NUMBER))
            except OracleError:
                self._borne[key] = False
            else:
                self._borne[key] = found is None
        return self._borne[key]

    def fair(self, trial: Trial) -> Trial:
        """With SLACK where the baseline does not pass (a result near zero by cancellation, say)."""
        return trial if self.bears(trial) else replace(trial, slack=SLACK)


def compile_cases(bench: Bench, candidate: Candidate, cases: Sequence[Case]) -> None:
    """What these cases will run on the CPU machine."""
    templates = [launch_of(bench.task, candidate, case)[1] for case in cases]
    texts = [kernel_text(bench.task, candidate, template)[1] for template in templates]
    compile_ahead(partial(bench.executor.load, checked=True), texts)


def first_objection(bench: Bench, candidate: Candidate, trials: Sequence[Trial]) -> Verdict | None:
    """Of the trials in their order, whose texts are compiled side by side before."""
    compile_cases(bench, candidate, [trial.case for trial in trials])
    return next(
        (found for trial in trials if (found := objection(bench, candidate, trial)) is not None), None
    )


_STATUS = {
    protocol.Status.COMPILE_ERROR: Status.ILL_TYPED,
    protocol.Status.FAULT: Status.FAULT,
    protocol.Status.CRASH: Status.CRASH,
    protocol.Status.TIMEOUT: Status.TIMEOUT,
    protocol.Status.OUT_OF_MEMORY: Status.OUT_OF_MEMORY,
}


def objection(bench: Bench, candidate: Candidate, trial: Trial) -> Verdict | None:
    """What is wrong with one run, None where nothing is."""
    task, stage = bench.task, trial.stage
    launch, template = launch_of(task, candidate, trial.case)
    if 0 in launch.grid:
        return None  # nothing is launched
    where = f"case {trial.case.name!r}" + (
        "" if trial.scale == 1 else f", inputs {trial.scale:g} times as large"
    )
    data = trial.data(task)
    bound = bind(task, data, fill=trial.fill)
    text, whole = kernel_text(task, candidate, template)
    try:
        outcome = bench.executor.load(whole, checked=True).run(bound.arguments, launch, timeout=bench.seconds)
    except CompileError as error:
        return Verdict(Status.ILL_TYPED, stage, str(error)[:2000])
    if outcome.status is not protocol.Status.OK:
        told = _faults(task, text, outcome.faults[:SHOWN_FAULTS]) if outcome.faults else outcome.message
        return Verdict(_STATUS[outcome.status], stage, f"{where}: {told}")
    if changed := bound.changed_inputs():
        return Verdict(Status.CHEAT, stage, f"{where}: wrote to {', '.join(changed)}, which it may only read")
    difference = bench.oracle.difference(task, data, bound.results(), trial.slack)
    return None if difference is None else Verdict(Status.WRONG, stage, f"{where}: {difference}")


def _faults(task: Task, text: str, faults: Sequence[Fault]) -> str:
    """With the names of buffers for their numbers, and the lines of the text that are spoken of."""
    names = [each.name for each in (*task.binding.inputs, *task.binding.outputs)]
    told = "\n".join(each.message for each in faults)
    told = re.sub(r"\bargument (\d+)\b", lambda match: f"`{names[int(match[1])]}`", told)
    numbers = [int(number) for number in re.findall(r"\bline (\d+)", told)]
    return "\n".join([told, *quoted(text, numbers)])


def quoted(text: str, numbers: Iterable[int]) -> list[str]:
    """Lines of a text, by numbers from 1."""
    lines = text.split("\n")
    return [
        f"  {number} | {lines[number - 1]}" for number in sorted(set(numbers)) if 0 < number <= len(lines)
    ]
