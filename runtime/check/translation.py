"""Type-checks a translation: the text MLX would hand to Metal, with findings at the CUDA lines they come from."""

from dataclasses import dataclass

from cu2mlx.runtime.check.checker import check_msl
from cu2mlx.transpiler.kernels import TranslatedKernel
from cu2mlx.transpiler.binding.generator import generated_source
from cu2mlx.transpiler.diagnostics import Diagnostic, diagnostic
from cu2mlx.transpiler.instance import default_instance
from cu2mlx.transpiler.pipeline import Translation
from cu2mlx.transpiler.source import Span


@dataclass(frozen=True, slots=True)
class CheckedKernel:
    """`msl` is the full generated Metal source of one instance; no diagnostics means it is well-typed."""

    kernel: TranslatedKernel
    msl: str
    diagnostics: tuple[Diagnostic, ...]


def check_kernel(
    translation: Translation, kernel: TranslatedKernel, asked: tuple[str, ...] = ()
) -> CheckedKernel:
    """Check one translated kernel under `asked` template arguments (CUDA spellings) or default ones."""
    interface = kernel.interface
    if interface is None:
        raise ValueError(f"{kernel.function.name} was refused: there is no Metal text to check")
    text = generated_source(interface, default_instance(interface, asked))
    found: list[Diagnostic] = []
    for finding in check_msl(text, path=f"{interface.name}.metal", mlx_preamble=True):
        span = cuda_place(translation, kernel, text, finding.line)
        line = text.split("\n")[finding.line - 1].strip() if finding.line else ""
        found.append(diagnostic("CU9002", span, interface.name, reason=finding.message, metal=line))
    return CheckedKernel(kernel, text, tuple(found))


def cuda_place(translation: Translation, kernel: TranslatedKernel, text: str, line: int) -> Span:
    """The CUDA place of a 1-based line of a kernel's generated Metal source; the kernel's own for other lines."""
    unit = translation.unit
    interface = kernel.interface
    offset = kernel.function.node.start
    if interface is not None:
        lines = text.split("\n")
        first_of_body = len(lines) - len(_tail(lines, interface.metal_body))
        in_body = {first_of_body + number: place for number, place in kernel.body_lines.items()}
        known = {**kernel.header_lines, **in_body}
        nearest = [number for number in known if number <= line]
        if nearest and (max(nearest) > first_of_body) == (line > first_of_body):
            offset = known[max(nearest)]
    return unit.origin(offset)


def _tail(lines: list[str], body: str) -> list[str]:
    """The lines from the body's first one to the end of the text."""
    first = body.split("\n")[0]
    for index in range(len(lines) - 1, -1, -1):
        if lines[index] == first and lines[index : index + 3] == body.split("\n")[:3]:
            return lines[index:]
    return []
