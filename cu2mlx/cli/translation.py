"""Translation and check of one file, as translate, report and check show it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from cu2mlx.cli.gradient import gradients_of
from cu2mlx.transpiler.binding.gradient import Gradient, GradientRequest
from cu2mlx.transpiler.binding.interface import KernelInterface
from cu2mlx.transpiler.diagnostics import Diagnostic, Severity
from cu2mlx.transpiler.diagnostics.machine import as_json
from cu2mlx.transpiler.kernels import TranslatedKernel
from cu2mlx.transpiler.kernels.templates import template_list
from cu2mlx.transpiler.model.launches import split_arguments
from cu2mlx.transpiler.pipeline import Translation
from cu2mlx.transpiler.pipeline import translate as run_pipeline
from cu2mlx.transpiler.render.faults import unfound_headers
from cu2mlx.transpiler.rules.context import Options
from cu2mlx.transpiler.source import SourceFile
from cu2mlx.transpiler.tables.types import TYPES

if TYPE_CHECKING:
    from cu2mlx.transpiler.binding.signature import Buffer


@dataclass(frozen=True, slots=True)
class KernelOutcome:
    """`checked`: True well-typed, False not, None not looked at (refused, or without the check)."""

    kernel: TranslatedKernel
    line: int
    checked: bool | None
    msl: str
    diagnostics: tuple[Diagnostic, ...]

    @property
    def name(self) -> str:
        return self.kernel.name

    @property
    def status(self) -> str:
        if self.kernel.interface is not None:
            return "translated"
        syntax = all(d.code.code.startswith("CU1") for d in self.diagnostics if d.severity is Severity.ERROR)
        return "unparsed" if syntax else "refused"

    @property
    def good(self) -> bool:
        return self.status == "translated" and self.checked is not False

    @property
    def verdict(self) -> str:
        errors = ", ".join(
            dict.fromkeys(d.code.code for d in self.diagnostics if d.severity is Severity.ERROR)
        )
        if self.status != "translated":
            return f"{self.status}: {errors}"
        return {
            True: "translated, type-checked",
            False: f"translated, fails the type-check: {errors}",
            None: "translated",
        }[self.checked]

    def as_json(self, *, texts: bool) -> dict[str, Any]:
        """The kernel's entry of `report --json`; with `texts` that of `translate --json`."""
        found: dict[str, Any] = {
            "name": self.name,
            "line": self.line,
            "status": self.status,
            "checked": self.checked,
            "diagnostics": [as_json(d) for d in self.diagnostics],
        }
        if texts:
            found.update(_texts(self.kernel.interface, self.msl))
        return found


def _texts(interface: KernelInterface | None, msl: str) -> dict[str, Any]:
    if interface is None:
        return {"msl": None, "inputs": [], "outputs": [], "template": [], "launch": []}
    from cu2mlx.transpiler.binding.signature import signature

    bound = signature(interface)
    return {
        "msl": msl,
        "inputs": [_buffer(each) for each in bound.inputs],
        "outputs": [_buffer(each) for each in bound.outputs],
        "template": [{"name": t.name, "kind": t.kind, "default": t.default} for t in interface.template],
        "launch": [
            {"line": x.line, "grid": list(x.grid), "block": list(x.block), "shared": x.shared}
            for x in interface.launches
        ],
    }


def _buffer(buffer: "Buffer") -> dict[str, Any]:
    of = buffer.parameter
    return {"name": buffer.name, "dtype": of.dtype, "role": str(of.role), "nullable": of.nullable}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One file. `diagnostics` are the file's own and those of all kernels, in source order.

    `gradients` are the differentiable functions asked for, without those that cannot be.
    """

    translation: Translation
    kernels: tuple[KernelOutcome, ...]
    diagnostics: tuple[Diagnostic, ...]
    gradients: tuple[Gradient, ...] = ()

    @property
    def interfaces(self) -> list[KernelInterface]:
        """Kernels worth writing: translated and not failing the check."""
        return [k.kernel.interface for k in self.kernels if k.good and k.kernel.interface is not None]

    def as_json(self, *, texts: bool = True) -> dict[str, Any]:
        found: dict[str, Any] = {
            "path": self.translation.source.path,
            "kernels": [k.as_json(texts=texts) for k in self.kernels],
            "diagnostics": [as_json(d) for d in self.diagnostics if d.kernel is None],
        }
        if texts:
            found["gradients"] = [
                {"name": g.function, "forward": g.forward.name, "backward": [p.kernel.name for p in g.passes]}
                for g in self.gradients
            ]
        return found


def outcome_of(
    source: SourceFile,
    include: Sequence[Path],
    defines: Mapping[str, str],
    double: str,
    instantiate: Sequence[str],
    check: bool,
    gradients: Sequence[GradientRequest] = (),
) -> Outcome:
    """Translate a file and, with `check`, type-check each kernel that came through.

    Raises GradientError where `gradients` name what the file does not have.
    """
    asked = dict(template_arguments(each) for each in instantiate)
    translation = run_pipeline(
        source,
        include_directories=[Path(source.path).parent, *include],
        defines=defines,
        options=Options(double=double),
        instantiate=asked,
    )
    kernels = tuple(_kernel(translation, k, asked, check) for k in translation.kernels)
    good = [replace(k.kernel, interface=k.kernel.interface if k.good else None) for k in kernels]
    pairs, problems = gradients_of(gradients, good, translation.unit)
    own = [*(d for d in translation.diagnostics if d.kernel is None), *problems]
    told = [*own, *(d for k in kernels for d in k.diagnostics)]
    found = {id(d): d for d in [*told, *unfound_headers(translation.unit, told)]}
    ordered = sorted(
        found.values(), key=lambda d: (d.span.file.path != source.path, d.span.file.path, d.span.start)
    )
    unique = {(d.code.code, d.span.file.path, d.span.start, d.message): d for d in ordered}
    return Outcome(translation, kernels, tuple(unique.values()), tuple(pairs))


def _kernel(
    translation: Translation, kernel: TranslatedKernel, asked: Mapping[str, tuple[str, ...]], check: bool
) -> KernelOutcome:
    line = translation.unit.origin(kernel.function.node.start).line
    if kernel.interface is None or not check:
        return KernelOutcome(kernel, line, None, "", kernel.diagnostics)
    from cu2mlx.runtime.check.translation import check_kernel

    checked = check_kernel(translation, kernel, asked.get(kernel.name, ()))
    found = (*checked.kernel.diagnostics, *checked.diagnostics)
    return KernelOutcome(checked.kernel, line, not checked.diagnostics, checked.msl, found)


def expect_instances(instances: Sequence[str], translation: Translation) -> None:
    """Raises click.UsageError where one names no kernel of the file, or has arguments that the kernel has no
    parameters for, or a type that no array of MLX has: another instance would be checked than was asked for."""
    kernels = {kernel.name: kernel for kernel in translation.kernels}
    for instance in instances:
        name, arguments = template_arguments(instance)
        if name not in kernels:
            path = translation.source.path
            raise click.UsageError(f"--instantiate {instance!r}: {path} has no kernel of that name")
        problem = _misfit(kernels[name], arguments, translation)
        if problem is not None:
            raise click.UsageError(f"--instantiate {instance!r}: {problem}")


def _misfit(kernel: TranslatedKernel, arguments: tuple[str, ...], translation: Translation) -> str | None:
    name, template = kernel.name, kernel.function.template
    if template is None:
        return f"{name} is no template" if arguments else None
    if any("variadic" in node.kind for node in template.need("parameters").named_children):
        return None
    listed = template_list(template, translation.unit.text)
    if len(arguments) > len(listed):
        return f"{name} has no more template parameters than {', '.join(each.name for each in listed)}"
    fixed = kernel.interface.fixed if kernel.interface is not None else range(len(listed))
    for place, (parameter, argument) in enumerate(zip(listed, arguments, strict=False)):
        row = TYPES.get(argument)
        narrowed = row is not None and row.narrowed is not None
        if parameter.kind != "type" or place in fixed:
            continue
        if narrowed and translation.workshop.options.double == "refuse":
            return f"Metal has no {argument}; --double=float computes in float"
        if not narrowed and (row is None or row.dtype is None or row.lanes > 1):
            return f"{argument} is no type that an array of MLX has"
    return None


def template_arguments(instance: str) -> tuple[str, tuple[str, ...]]:
    """`k<Op<float, 2>, 128>` → ("k", ("Op<float, 2>", "128"))."""
    name, _, listed = instance.partition("<")
    parts = split_arguments(listed.rstrip().removesuffix(">"))
    return name.strip(), tuple(part.strip() for part in parts if part.strip())
