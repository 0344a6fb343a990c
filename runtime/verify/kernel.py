"""verify_kernel: one kernel, every case of its spec, original against translation."""

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from cu2mlx.runtime.check.translation import check_kernel
from cu2mlx.runtime.dtypes import CUDA_TYPES
from cu2mlx.runtime.inputs import make_inputs
from cu2mlx.runtime.protocol import Executor
from cu2mlx.runtime.spec import Case, Spec, SpecError
from cu2mlx.runtime.verify.case import Sides, run_case
from cu2mlx.runtime.verify.result import CaseResult, KernelResult, Verdict
from cu2mlx.runtime.verify.targets import TARGETS, CannotRunError, Target
from cu2mlx.transpiler.binding.interface import KernelInterface
from cu2mlx.transpiler.diagnostics import Severity
from cu2mlx.transpiler.kernels import TranslatedKernel
from cu2mlx.transpiler.pipeline import Translation, translate
from cu2mlx.transpiler.rules.context import Options
from cu2mlx.transpiler.source import SourceFile

Progress = Callable[[CaseResult], None]


def verify_kernel(
    source: SourceFile,
    spec: Spec,
    *,
    include: Sequence[Path] = (),
    defines: Mapping[str, str] | None = None,
    double: str = "refuse",
    targets: Sequence[Target] = (TARGETS["cpu"],),
    seeds: Sequence[int] = (0,),
    cases: Sequence[Case] | None = None,
    checked: bool = False,
    timeout: float = 60.0,
    progress: Progress | None = None,
) -> KernelResult:
    """Run a kernel of `source` and its translation on the inputs that `spec` describes, and compare.

    Every case (all of the spec's by default) runs with every seed on every target; `timeout` is seconds for
    each side of a run. `checked`: in checked mode, on the CPU machine. `progress` hears of each finished run.
    Never raises for what a kernel or a spec's numbers do: that is in the result.
    """
    found: list[CaseResult] = []
    try:
        executors = {target.name: target.executors() for target in targets}
    except CannotRunError as error:
        return KernelResult(
            spec.kernel, spec.path, (_stopped("", 0, targets, Verdict.CANNOT_RUN, str(error)),)
        )
    for case in spec.cases if cases is None else cases:
        template = tuple((name, _spelled(value)) for name, value in case.template)
        macros = tuple({**(defines or {}), **dict(case.defines)}.items())
        translation = translation_of(source, spec.kernel, tuple(include), macros, double, template)
        kernel = emitted_kernel(source, spec.kernel, tuple(include), macros, double, template)
        if kernel is None:
            names = ", ".join(k.name for k in translation.kernels) or "none"
            message = f"{source.path} has no kernel {spec.kernel}; its kernels: {names}"
            return KernelResult(
                spec.kernel, spec.path, (_stopped(case.name, 0, targets, Verdict.UNUSABLE, message),)
            )
        if kernel.interface is None:
            return replace(refusal(kernel), spec=spec.path)
        for result in _runs(
            spec, case, Sides(translation, kernel, double), executors, seeds, checked, timeout
        ):
            found.append(result)
            if progress is not None:
                progress(result)
    return KernelResult(spec.kernel, spec.path, tuple(found))


def _runs(
    spec: Spec,
    case: Case,
    sides: Sides,
    executors: Mapping[str, tuple[Executor, Executor]],
    seeds: Sequence[int],
    checked: bool,
    timeout: float,
) -> Iterator[CaseResult]:
    for seed in seeds:
        try:
            inputs = make_inputs(spec, case, seed)
        except SpecError as error:
            yield CaseResult(case.name, seed, "", Verdict.UNUSABLE, str(error))
            return
        for target, pair in executors.items():
            result = run_case(sides, inputs, pair, checked=checked, timeout=timeout)
            yield replace(result, target=target)


def _stopped(case: str, seed: int, targets: Sequence[Target], verdict: Verdict, message: str) -> CaseResult:
    return CaseResult(case, seed, ",".join(each.name for each in targets), verdict, message)


@functools.lru_cache(maxsize=16)
def translation_of(
    source: SourceFile,
    kernel: str,
    include: tuple[Path, ...],
    defines: tuple[tuple[str, str], ...],
    double: str,
    template: tuple[tuple[str, str], ...],
) -> Translation:
    """The file translated for these template arguments, by name; plainly where MLX can pass them all by itself."""
    plain = _plain_translation(source, include, defines, double)
    found = kernel_of(plain, kernel)
    if found is None and not (template and _is_split(plain, kernel)):
        return plain
    if found is not None and found.interface is not None and _passed(found.interface, dict(template)):
        return plain
    asked = tuple(value for _, value in template)
    return translate(
        source,
        include_directories=[Path(source.path).parent, *include],
        defines=dict(defines),
        options=Options(double=double),
        instantiate={kernel: asked},
    )


@functools.lru_cache(maxsize=16)
def emitted_kernel(
    source: SourceFile,
    kernel: str,
    include: tuple[Path, ...],
    defines: tuple[tuple[str, str], ...],
    double: str,
    template: tuple[tuple[str, str], ...],
) -> TranslatedKernel | None:
    """The kernel as `cu2mlx translate` writes it: what the type-check finds it can do without is left out."""
    translation = translation_of(source, kernel, include, defines, double, template)
    found = kernel_of(translation, kernel)
    if found is None or found.interface is None or not found.optional:
        return found
    return check_kernel(translation, found, tuple(value for _, value in template)).kernel


@functools.lru_cache(maxsize=16)
def _plain_translation(
    source: SourceFile, include: tuple[Path, ...], defines: tuple[tuple[str, str], ...], double: str
) -> Translation:
    return translate(
        source,
        include_directories=[Path(source.path).parent, *include],
        defines=dict(defines),
        options=Options(double=double),
    )


def _is_split(translation: Translation, name: str) -> bool:
    """Whether a template is a kernel for each class that it is launched for, none of them called like itself."""
    return any(each.function.name == name.rpartition("::")[2] for each in translation.kernels)


def _passed(interface: KernelInterface, template: Mapping[str, str]) -> bool:
    """Whether the interface leaves every template argument to MLX, and MLX has all the types."""
    types = [template.get(each.name, "") for each in interface.template if each.kind == "type"]
    return {each.name for each in interface.template} == set(template) and all(t in CUDA_TYPES for t in types)


def kernel_of(translation: Translation, name: str) -> TranslatedKernel | None:
    """The kernel of that name; a namespace before it need not be said."""
    for kernel in translation.kernels:
        if kernel.name.rpartition("::")[2] == name.rpartition("::")[2]:
            return kernel
    return None


def _spelled(value: int | bool | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def refusal(kernel: TranslatedKernel) -> KernelResult:
    """The result of a kernel without a translation: its errors."""
    errors = [d for d in kernel.diagnostics if d.severity is Severity.ERROR]
    return KernelResult(
        kernel.name, "", (), tuple(f"line {d.span.line}: {d.code.code}: {d.message}" for d in errors)
    )
