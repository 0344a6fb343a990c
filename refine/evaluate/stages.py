"""The stages of evaluation that need no GPU. Each says what is wrong, or None to let the candidate pass."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from cu2mlx.refine.candidate import Candidate, forbidden
from cu2mlx.refine.evaluate.binding import bind, kernel_text, launch_of
from cu2mlx.refine.evaluate.oracle import Oracle
from cu2mlx.refine.evaluate.verdict import Status, Verdict
from cu2mlx.refine.task import Task
from cu2mlx.runtime import protocol
from cu2mlx.runtime.compare import compare_outputs, render, tolerances
from cu2mlx.runtime.inputs import make_inputs
from cu2mlx.runtime.protocol import CompileError, Executor
from cu2mlx.runtime.spec import Case, SpecError
from cu2mlx.runtime.spec.expression import ExpressionError
from cu2mlx.transpiler.binding.signature import MAXIMUM_THREADS

MAXIMUM_GRID_THREADS = 1 << 31
SLACK = 16.0
FIRST_SEED, GUARD_SEED, HELD_OUT_SEED = 1, 20_011, 30_011
NOT_A_NUMBER, STALE = 0xFF, 0x3C  # fills of outputs: NaN in every float type, and a plausible finite number


@dataclass(frozen=True, slots=True)
class Bench:
    """What the stages share: the task, where kernels run, what is right, and how long one launch may take."""

    task: Task
    executor: Executor
    oracle: Oracle = field(default_factory=Oracle)
    seconds: float = 20.0
    _slack: dict[tuple[str, int], float] = field(default_factory=dict)

    def slack(self, case: Case, seed: int) -> float:
        """How much of the tolerance fresh data may take: SLACK where the baseline itself needs more than one
        (a result near zero by cancellation, say), else 1."""
        if (case.name, seed) not in self._slack:
            verdict = _run(self, self.task.seed, case, "guards", seed, NOT_A_NUMBER)
            self._slack[case.name, seed] = 1.0 if verdict is None else SLACK
        return self._slack[case.name, seed]


Stage = Callable[[Bench, Candidate], Verdict | None]


def limits(bench: Bench, candidate: Candidate) -> Verdict | None:
    """Size, words, launch numbers: what can be refused without a compiler."""
    for part in (candidate.header, candidate.body):
        for word in forbidden(part):
            return Verdict(Status.REFUSED, "limits", word)
    if not candidate.body.strip():
        return Verdict(Status.REFUSED, "limits", "the kernel's body is empty")
    if not (candidate.header + candidate.body).isascii():
        return Verdict(Status.REFUSED, "limits", "MSL text for MLX must be ASCII")
    if _leaves_body(candidate.body):
        return Verdict(Status.REFUSED, "limits", "the body closes the kernel's brace; give the body alone")
    allowed = {each.name: each.values for each in bench.task.tunables}
    for name, value in candidate.numbers:
        if value not in allowed.get(name, ()):
            known = ", ".join(f"{key} in {list(values)}" for key, values in allowed.items()) or "none"
            return Verdict(Status.REFUSED, "limits", f"{name} = {value} is not among the tunables: {known}")
    if (broken := bench.task.space.violated(dict(candidate.numbers))) is not None:
        return Verdict(Status.REFUSED, "limits", f"the tunables must satisfy {broken}")
    for case in (*bench.task.shown, *bench.task.held_out, *bench.task.timed):
        if (reason := _launch_problem(bench.task, candidate, case)) is not None:
            return Verdict(Status.REFUSED, "limits", reason)
    return None


def _leaves_body(body: str) -> bool:
    from cu2mlx.runtime.msl.tokens import tokenize

    depth = 0
    for token in tokenize(body):
        depth += (token.text == "{") - (token.text == "}")
        if depth < 0:
            return True
    return False


def _launch_problem(task: Task, candidate: Candidate, case: Case) -> str | None:
    try:
        launch, _ = launch_of(task, candidate, case)
    except (SpecError, ExpressionError) as error:
        return str(error)
    threads = launch.block[0] * launch.block[1] * launch.block[2]
    if threads > MAXIMUM_THREADS:
        return f"{threads} threads per group for case {case.name!r}; the limit is {MAXIMUM_THREADS}"
    if launch.grid[0] * launch.grid[1] * launch.grid[2] * threads >= MAXIMUM_GRID_THREADS:
        return f"a grid of {launch.grid} groups for case {case.name!r} has over 2^31 threads"
    return None


def types(bench: Bench, candidate: Candidate) -> Verdict | None:
    """The type-checker, for every instance that the cases ask for; threadgroup memory is counted here."""
    from cu2mlx.runtime.check import check_msl

    seen: set[str] = set()
    for case in (*bench.task.shown, *bench.task.held_out):
        text, _ = kernel_text(bench.task, candidate, launch_of(bench.task, candidate, case)[1])
        if text in seen:
            continue
        seen.add(text)
        findings = check_msl(text, path="candidate.metal", mlx_preamble=True)
        if any(each.rule == "threadgroup-limit" for each in findings):
            return Verdict(Status.REFUSED, "limits", "\n".join(map(str, findings)))
        if findings:
            return Verdict(Status.ILL_TYPED, "types", _numbered(text, [str(each) for each in findings[:8]]))
    return None


def _numbered(text: str, findings: list[str]) -> str:
    lines = text.split("\n")
    numbers = sorted({int(each.split(":", 1)[0]) for each in findings if each.split(":", 1)[0].isdigit()})
    quoted = [f"  {number} | {lines[number - 1]}" for number in numbers if 0 < number <= len(lines)]
    return "\n".join([*findings, *quoted])


def shown_cases(bench: Bench, candidate: Candidate) -> Verdict | None:
    """Checked mode on the CPU machine, outputs poisoned with NaN, against the oracle."""
    return _run_all(bench, candidate, bench.task.shown, "correctness", seed=FIRST_SEED, fill=NOT_A_NUMBER)


def guards(bench: Bench, candidate: Candidate) -> Verdict | None:
    """The same kernel on other data, its outputs filled otherwise: nothing remembered or left over helps."""
    return _run_all(bench, candidate, bench.task.shown, "guards", seed=GUARD_SEED, fill=STALE)


def held_out_cases(bench: Bench, candidate: Candidate) -> Verdict | None:
    """Shapes and types that no prompt has shown, in checked mode; no details are given away."""
    verdict = _run_all(
        bench, candidate, bench.task.held_out, "held-out", seed=HELD_OUT_SEED, fill=NOT_A_NUMBER
    )
    if verdict is None:
        return None
    return Verdict(verdict.status, "held-out", f"{verdict.status} on a shape or type that was not shown")


def _run_all(
    bench: Bench, candidate: Candidate, cases: Iterable[Case], stage: str, *, seed: int, fill: int
) -> Verdict | None:
    for case in cases:
        verdict = _run(bench, candidate, case, stage, seed, fill)
        is_close = verdict is not None and verdict.status is Status.WRONG and stage != "correctness"
        if is_close and (slack := bench.slack(case, seed)) > 1:
            verdict = _run(bench, candidate, case, stage, seed, fill, slack)
        if verdict is not None:
            return verdict
    return None


_STATUS = {
    protocol.Status.COMPILE_ERROR: Status.ILL_TYPED,
    protocol.Status.FAULT: Status.FAULT,
    protocol.Status.CRASH: Status.CRASH,
    protocol.Status.TIMEOUT: Status.TIMEOUT,
    protocol.Status.OUT_OF_MEMORY: Status.OUT_OF_MEMORY,
}


def _run(
    bench: Bench, candidate: Candidate, case: Case, stage: str, seed: int, fill: int, slack: float = 1.0
) -> Verdict | None:
    task = bench.task
    launch, template = launch_of(task, candidate, case)
    if 0 in launch.grid:
        return None  # nothing is launched
    data = make_inputs(task.spec, case, seed)
    bound = bind(task, data, fill=fill)
    _, text = kernel_text(task, candidate, template)
    try:
        outcome = bench.executor.load(text, checked=True).run(bound.arguments, launch, timeout=bench.seconds)
    except CompileError as error:
        return Verdict(Status.ILL_TYPED, stage, str(error)[:2000])
    if outcome.status is not protocol.Status.OK:
        details = [f"case {case.name!r}: {outcome.status}: {outcome.message}"]
        details += [f"  line {fault.line}: {fault.kind}: {fault.message}" for fault in outcome.faults[:5]]
        return Verdict(_STATUS[outcome.status], stage, "\n".join(details))
    if changed := bound.changed_inputs():
        message = f"case {case.name!r}: wrote to {', '.join(changed)}, which it may only read"
        return Verdict(Status.CHEAT, stage, message)
    expected = bench.oracle.outputs(task, data)
    allowed = {
        name: replace(row, rtol=row.rtol * slack, atol=row.atol * slack, scale=row.scale * slack)
        for name, row in tolerances(task.spec, data.dtypes).items()
    }
    comparison = compare_outputs(expected, bound.results(), data.dtypes, allowed)
    if comparison.same:
        return None
    return Verdict(Status.WRONG, stage, f"case {case.name!r}:\n{render(comparison)}")
