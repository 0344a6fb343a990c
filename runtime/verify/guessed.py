"""A guess is only used once the original runs clean on it in checked mode: what it must not read, it does not."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from cu2mlx.runtime.inputs import make_inputs
from cu2mlx.runtime.protocol import CompileError, Executor, Status
from cu2mlx.runtime.spec import Case, Spec, SpecError, parse_spec
from cu2mlx.runtime.verify.case import original_fault, run_text
from cu2mlx.runtime.verify.guess import ATTEMPTS, Number, guess
from cu2mlx.runtime.verify.original import original_call
from cu2mlx.runtime.verify.packing import UnfitError
from cu2mlx.transpiler.kernels import TranslatedKernel
from cu2mlx.transpiler.pipeline import Translation

_PATIENCE = 10.0  # seconds for one try


@dataclass(frozen=True, slots=True)
class GuessedSpec:
    """`spec` is None where the user has to help: then `missing` says with what, and `text` is a file to fill.
    `left_out`: derived cases on which the original itself fails, with its message."""

    text: str
    spec: Spec | None
    missing: tuple[str, ...]
    left_out: tuple[tuple[str, str], ...] = ()


def guessed_spec(
    translation: Translation,
    kernel: TranslatedKernel,
    given: Mapping[str, Sequence[Number]],
    asked: tuple[str, ...],
    executor: Executor,
    timeout: float,
) -> GuessedSpec:
    """Inputs for a translated kernel without a spec file; `executor` can run CUDA in checked mode."""
    first = guess(translation, kernel, given, asked)
    if first.missing:
        return GuessedSpec(first.text, None, first.missing)
    reason, timeout = "", min(timeout, _PATIENCE)
    for attempt in ATTEMPTS:
        text = guess(translation, kernel, given, asked, attempt).text
        try:
            spec = parse_spec(text, f"(guessed for {kernel.name})")
            failure = _failure(translation, kernel, spec, spec.cases[0], executor, timeout)
        except SpecError as error:
            failure = str(error)
        if failure is None:
            left_out = [
                (case.name, message)
                for case in spec.cases[1:]
                if (message := _failure(translation, kernel, spec, case, executor, timeout)) is not None
            ]
            kept = tuple(case for case in spec.cases if case.name not in dict(left_out))
            return GuessedSpec(text, replace(spec, cases=kept), (), tuple(left_out))
        reason = reason or failure
    whose = "by its own fault or the guess's"
    missing = f"buffer sizes and contents: with guessed ones the original fails, {whose} ({reason})"
    return GuessedSpec(_unfilled(first.text), None, (missing,))


def _failure(
    translation: Translation,
    kernel: TranslatedKernel,
    spec: Spec,
    case: Case,
    executor: Executor,
    timeout: float,
) -> str | None:
    """What is wrong with a run of the original, at its line of the CUDA file; None for nothing."""
    try:
        inputs = make_inputs(spec, case)
        call = original_call(kernel, inputs)
        outcome = run_text(executor, call.text, call.arguments, inputs.launch, checked=True, timeout=timeout)
    except (SpecError, UnfitError) as error:
        return str(error).removeprefix(f"{spec.path}: ")
    if isinstance(outcome, CompileError):
        return f"the original does not compile: {outcome}"
    if outcome.status is Status.OK:
        return None
    if outcome.status is Status.TIMEOUT:
        return f"the original: {outcome.message}; pass smaller sizes with --arg"
    if not outcome.faults:
        return f"the original: {outcome.status}: {outcome.message}"
    fault = original_fault(translation, call, outcome.faults[0])
    place = "" if fault.cuda_line is None else f"line {fault.cuda_line}: "
    return f"the original: {place}{fault.message}"


def _unfilled(text: str) -> str:
    """The guess as a file to complete: every shape is in question."""
    lines = text.split("\n")
    marked = [
        f"{each}  # FILL: extents, in elements" if each.startswith("shape = ") else each for each in lines
    ]
    return "\n".join(marked)
