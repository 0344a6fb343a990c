"""One case on one pair of executors: both sides run, and their outputs are compared."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from cu2mlx.runtime.check.translation import cuda_place
from cu2mlx.runtime.compare import Comparison, compare, tolerances
from cu2mlx.runtime.dtypes import decode, encode
from cu2mlx.runtime.emulate import PREAMBLE
from cu2mlx.runtime.inputs import Inputs
from cu2mlx.runtime.metal.messages import with_cuda_places
from cu2mlx.runtime.protocol import (
    CompileError,
    Executor,
    Fault,
    KernelText,
    Launch,
    Outcome,
    Status,
    called_from,
)
from cu2mlx.runtime.verify.original import OriginalCall, original_call, source_line
from cu2mlx.runtime.verify.packing import Packed, UnfitError, instance_of, pack, results
from cu2mlx.runtime.verify.result import CaseResult, LocatedFault, Verdict
from cu2mlx.transpiler.kernels import TranslatedKernel
from cu2mlx.transpiler.pipeline import Translation


@dataclass(frozen=True, slots=True)
class Sides:
    """A kernel and its translation. `double` is the option it was translated with."""

    translation: Translation
    kernel: TranslatedKernel
    double: str = "refuse"


def run_case(
    sides: Sides, inputs: Inputs, executors: tuple[Executor, Executor], *, checked: bool, timeout: float
) -> CaseResult:
    """Run the original, then the translation. The result's `target` is left for the caller to fill."""
    interface = sides.kernel.interface
    if interface is None:
        raise ValueError(f"{sides.kernel.name} was refused: there is nothing to run")
    case, seed = inputs.resolved.case.name, inputs.seed
    expected = inputs.copy()
    try:
        instance = instance_of(
            interface, inputs.resolved, sides.translation.unit.text, narrow=sides.double == "float"
        )
        packed = pack(interface, instance, inputs)
        call = original_call(sides.kernel, expected)
    except UnfitError as error:
        verdict = Verdict.SKIPPED if error.skipped else Verdict.UNUSABLE
        return CaseResult(case, seed, "", verdict, str(error))
    launched = all(inputs.launch.grid)
    first = run_text(executors[0], call.text, call.arguments, inputs.launch, checked, timeout)
    if isinstance(first, CompileError):
        return CaseResult(case, seed, "", Verdict.CANNOT_RUN, f"the original does not compile: {first}")
    if first.status not in (Status.OK, Status.FAULT):
        return CaseResult(case, seed, "", Verdict.UNUSABLE, f"the original: {first.status}: {first.message}")
    text = KernelText("msl", PREAMBLE + packed.text, packed.entry)
    launch = Launch(inputs.launch.grid, inputs.launch.block)
    second = run_text(executors[1], text, packed.arguments, launch, checked, timeout)
    if isinstance(second, CompileError):
        message = _with_cuda_places(sides, packed, str(second))
        return CaseResult(case, seed, "", Verdict.FAILS, f"the translation does not compile: {message}")
    seconds = (first.seconds, second.seconds)
    faults = (
        *(original_fault(sides.translation, call, each) for each in first.faults),
        *(_translation_fault(sides, packed, each) for each in second.faults),
    )
    if second.status not in (Status.OK, Status.FAULT):
        message = f"the translation: {second.status}: {second.message}"
        return CaseResult(case, seed, "", Verdict.FAILS, message, None, faults, seconds)
    comparison = _compared(expected, inputs, packed, launched)
    verdict = Verdict.FAULT if faults else Verdict.SAME if comparison.same else Verdict.DIFFERS
    wrote = any(expected.buffers[n].tobytes() != inputs.buffers[n].tobytes() for n in expected.buffers)
    return CaseResult(case, seed, "", verdict, "", comparison, faults, seconds, wrote)


def run_text(
    executor: Executor,
    text: KernelText,
    arguments: "Sequence[object]",
    launch: Launch,
    checked: bool,
    timeout: float,
) -> Outcome | CompileError:
    """Compile and run one side."""
    try:
        loaded = executor.load(text, checked=checked)
    except CompileError as error:
        return error
    if not all(launch.grid):
        return Outcome(Status.OK)  # CUDA refuses an empty grid, and MLX launches nothing
    try:
        return loaded.run(arguments, launch, timeout=timeout)  # type: ignore[arg-type]
    except CompileError as error:  # one that compiles for its arguments
        return error
    except ValueError as error:  # a launch that no GPU takes, arguments that do not fit
        return Outcome(Status.CRASH, str(error))


def _with_cuda_places(sides: Sides, packed: Packed, message: str) -> str:
    """A compiler's message about the Metal text, with the CUDA lines that its lines come from."""

    def place(line: int) -> str:
        span = cuda_place(sides.translation, sides.kernel, packed.text, line)
        return f"{Path(span.file.path).name}:{span.line}"

    return with_cuda_places(message, place)


def _compared(expected: Inputs, inputs: Inputs, packed: Packed, launched: bool) -> Comparison:
    """Every output of the spec; one that the translation does not write must be as it was."""
    spec = inputs.resolved.spec
    got, dtypes = results(packed, inputs, launched)
    allowed = tolerances(spec, {**inputs.dtypes, **dtypes})
    rows = []
    for name in spec.outputs:
        if name not in inputs.buffers:  # a null pointer
            continue
        dtype = dtypes.get(name, inputs.dtypes[name])
        want = expected.buffers[name]
        if dtype != inputs.dtypes[name]:
            want = encode(decode(want, inputs.dtypes[name]), dtype)
        rows.append(compare(name, dtype, want, got.get(name, inputs.buffers[name]), allowed[name]))
    return Comparison(tuple(rows))


def original_fault(translation: Translation, call: OriginalCall, fault: Fault) -> LocatedFault:
    """A fault of the original, at lines of the CUDA file."""
    lines = _placed(fault, lambda line: source_line(translation, call, line))
    return LocatedFault(
        "original", fault.kind, f"{fault.kind}: {fault.detail}{called_from(lines[1:])}", None, lines[0]
    )


def _translation_fault(sides: Sides, packed: Packed, fault: Fault) -> LocatedFault:
    lines = _placed(fault, lambda line: cuda_place(sides.translation, sides.kernel, packed.text, line).line)
    message = f"{fault.kind}: {fault.detail}{called_from(lines[1:])}"
    return LocatedFault("translation", fault.kind, message, fault.line, lines[0])


def _placed(fault: Fault, place: Callable[[int], int | None]) -> tuple[int | None, *tuple[int, ...]]:
    """The fault's own line in the CUDA file, None where it is not known, and its callers'."""
    own = None if fault.line is None else place(fault.line)
    callers = (line for each in fault.callers if (line := place(each)) is not None)
    return own, *dict.fromkeys(callers)
