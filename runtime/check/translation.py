"""Type-checks a translation: the text MLX would hand to Metal, with findings at the CUDA lines they come from."""

import re
from dataclasses import dataclass

from cu2mlx.runtime.check.checker import check_msl
from cu2mlx.runtime.check.finding import Finding
from cu2mlx.transpiler.binding.generator import generated_source
from cu2mlx.transpiler.diagnostics import Diagnostic, diagnostic
from cu2mlx.transpiler.instance import default_instance
from cu2mlx.transpiler.kernels import TranslatedKernel
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
        raise ValueError(f"{kernel.name} was refused: there is no Metal text to check")
    without: dict[int, str] = {}
    while True:
        checked, blamed = _once(translation, kernel, asked)
        new = {start: reason for start, reason in blamed.items() if start not in without}
        if not checked.diagnostics or not new:
            return checked
        without |= new  # overloads and methods that the kernel can do without
        again = translation.workshop.kernel(kernel.name, without)
        if again.interface is None:
            return checked
        kernel = again


def _once(
    translation: Translation, kernel: TranslatedKernel, asked: tuple[str, ...]
) -> tuple[CheckedKernel, dict[int, str]]:
    """One check, and the functions among those the kernel can do without that findings lie in."""
    interface = kernel.interface
    assert interface is not None
    text = generated_source(interface, default_instance(interface, asked))
    lines = text.split("\n")
    found: list[Diagnostic] = []
    blamed: dict[int, str] = {}
    for finding in check_msl(text, path=f"{interface.name}.metal", mlx_preamble=True):
        offset = unit_offset(kernel, lines, finding.line)
        for function in kernel.optional:
            if function.node.start <= offset < function.node.end:
                blamed[function.node.start] = finding.message
        line = lines[finding.line - 1].strip() if finding.line else ""
        span = translation.unit.origin(offset)
        found.append(_diagnostic(finding, span, interface.name, line, translation.unit.text))
    return CheckedKernel(kernel, text, tuple(found)), blamed


_UNDECLARED = re.compile(r"use of undeclared identifier '(\w+)'|unknown type name '(\w+)'")


def _diagnostic(finding: Finding, span: Span, kernel: str, line: str, source: str) -> Diagnostic:
    """A finding under the code that helps most: the user's to mend where the CUDA text itself is incomplete."""
    if "bytes of threadgroup memory" in finding.message:
        return diagnostic("CU5001", span, kernel, reason=finding.message)
    unknown = _UNDECLARED.search(finding.message)
    name = (unknown[1] or unknown[2]) if unknown is not None else ""
    if name and not _declares(source, name):
        return diagnostic("CU2002", span, kernel, name=name)
    return diagnostic("CU9002", span, kernel, reason=finding.message, metal=line)


def _declares(source: str, name: str) -> bool:
    """Whether a CUDA text could declare a name: a macro, or a word in front of it that is no operator's operand."""
    if name not in source:
        return True  # our own text made it up
    macro = rf"#\s*define\s+{name}\b"
    declarator = rf"(?:\w|[>*&])\s*[\s*&]\s*{name}\s*(?:[=;,\[({{)]|$)"
    keywords = rf"(?:return|else|case)\s+{name}\b"
    found = [m.group(0) for m in re.finditer(declarator, source, re.MULTILINE)]
    typed = [text for text in found if re.match(r"\w\s+[*&]*\w", text) and not re.search(keywords, text)]
    return bool(typed) or re.search(macro, source) is not None


def cuda_place(translation: Translation, kernel: TranslatedKernel, text: str, line: int) -> Span:
    """The CUDA place of a 1-based line of a kernel's generated Metal source; the kernel's own for other lines."""
    return translation.unit.origin(unit_offset(kernel, text.split("\n"), line))


def unit_offset(kernel: TranslatedKernel, lines: list[str], line: int) -> int:
    """The offset in the unit's text that a 1-based line of the generated source comes from."""
    interface = kernel.interface
    if interface is not None:
        first_of_body = len(lines) - len(_tail(lines, interface.metal_body))
        in_body = {first_of_body + number: place for number, place in kernel.body_lines.items()}
        known = {**kernel.header_lines, **in_body}
        nearest = [number for number in known if number <= line]
        if nearest and (max(nearest) > first_of_body) == (line > first_of_body):
            return known[max(nearest)]
    return kernel.function.node.start


def _tail(lines: list[str], body: str) -> list[str]:
    """The lines from the body's first one to the end of the text."""
    first = body.rstrip("\n").split("\n")[:3]
    for index in range(len(lines) - 1, -1, -1):
        if lines[index : index + len(first)] == first:
            return lines[index:]
    return []
