"""The stages of evaluation that need no GPU. Each says what is wrong, or None to let the candidate pass."""

from collections.abc import Callable
from dataclasses import replace

from cu2mlx.refine.candidate import Candidate, forbidden
from cu2mlx.refine.evaluate.binding import kernel_text, launch_of
from cu2mlx.refine.evaluate.trial import SLACK, STALE, Bench, Trial, first_objection, quoted
from cu2mlx.refine.evaluate.verdict import Status, Verdict
from cu2mlx.refine.task import Task
from cu2mlx.runtime.spec import Case, SpecError
from cu2mlx.runtime.spec.expression import ExpressionError
from cu2mlx.transpiler.binding.signature import MAXIMUM_THREADS

MAXIMUM_GRID_THREADS = 1 << 31
SCALE = 32.0  # of larger data: 4 becomes 128, whose exponential is past float's range
FIRST_SEED, GUARD_SEED, HELD_OUT_SEED, MAGNITUDE_SEED = 1, 20_011, 30_011, 50_021

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
    is_hidden = case in task.held_out
    try:
        launch, _ = launch_of(task, candidate, case)
    except (SpecError, ExpressionError) as error:
        told = f"{error.key}: {error.message}" if isinstance(error, SpecError) else str(error)
        return "the launch is none for a case that is not shown" if is_hidden else f"launch: {told}"
    where = "a case that is not shown" if is_hidden else f"case {case.name!r}"
    threads = launch.block[0] * launch.block[1] * launch.block[2]
    if threads > MAXIMUM_THREADS:
        return f"{threads} threads per group for {where}; the limit is {MAXIMUM_THREADS}"
    if launch.grid[0] * launch.grid[1] * launch.grid[2] * threads >= MAXIMUM_GRID_THREADS:
        return f"over 2^31 threads for {where}"
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
    numbers = [int(each.split(":", 1)[0]) for each in findings if each.split(":", 1)[0].isdigit()]
    return "\n".join([*findings, *quoted(text, numbers)])


def shown_cases(bench: Bench, candidate: Candidate) -> Verdict | None:
    """Checked mode on the CPU machine, outputs poisoned with NaN, against the oracle."""
    trials = [Trial(case, "correctness", FIRST_SEED) for case in bench.task.shown]
    return first_objection(bench, candidate, trials)


def guards(bench: Bench, candidate: Candidate) -> Verdict | None:
    """The same kernel on other data, its outputs filled otherwise: nothing remembered or left over helps. What
    comes near zero by cancellation may take more of the tolerance, as the baseline does."""
    trials = [Trial(case, "guards", GUARD_SEED, STALE) for case in bench.task.shown]
    return first_objection(bench, candidate, [bench.fair(trial) for trial in trials])


def magnitudes(bench: Bench, candidate: Candidate) -> Verdict | None:
    """Larger data than usual, where the baseline bears it: overflow, lost precision, ranges taken for granted."""
    trials = [Trial(case, "guards", MAGNITUDE_SEED, STALE, scale=SCALE) for case in bench.task.shown]
    return first_objection(
        bench, candidate, [replace(each, slack=SLACK) for each in trials if bench.bears(each)]
    )


def held_out_cases(bench: Bench, candidate: Candidate) -> Verdict | None:
    """Shapes and types that no prompt has shown, in checked mode; no details are given away."""
    trials = [Trial(case, "held-out", HELD_OUT_SEED) for case in bench.task.held_out]
    verdict = first_objection(bench, candidate, [bench.fair(trial) for trial in trials])
    if verdict is None:
        return None
    return Verdict(verdict.status, "held-out", f"{verdict.status} on a shape or type that was not shown")
