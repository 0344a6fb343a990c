"""The whole flow: file → unit → tree → model → kernels → module and Metal text."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from cu2mlx.transpiler.diagnostics import Diagnostic, Findings, diagnostic
from cu2mlx.transpiler.interpreter import translating
from cu2mlx.transpiler.kernels import TranslatedKernel, translate_kernel
from cu2mlx.transpiler.kernels.versions import Version, versions_of
from cu2mlx.transpiler.model.address_spaces import AddressSpaces
from cu2mlx.transpiler.model.declarations import Declarations, Function
from cu2mlx.transpiler.model.expressions import Typing
from cu2mlx.transpiler.model.instantiations import find_instantiations
from cu2mlx.transpiler.model.launches import Launch, find_launches
from cu2mlx.transpiler.model.needed import Needed, needed_members
from cu2mlx.transpiler.model.reader import Reader
from cu2mlx.transpiler.model.template_values import Values
from cu2mlx.transpiler.preprocess import Unit, preprocess
from cu2mlx.transpiler.render.faults import faults, lost_kernels
from cu2mlx.transpiler.render.functions import Printer
from cu2mlx.transpiler.render.original import heads_of
from cu2mlx.transpiler.rules.context import Options
from cu2mlx.transpiler.source import SourceFile, Span
from cu2mlx.transpiler.syntax import parse
from cu2mlx.transpiler.tables import lookup
from cu2mlx.transpiler.tables.reserved import WORDS
from cu2mlx.transpiler.tables.signature import result_type

_NUMBER = re.compile(r"(?:0[xX][\da-fA-F]+|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+)[uUlLfF]*")

# Device-side declarations of well-known headers that CUDA files use and this machine need not have.
KNOWN_HEADERS = Path(__file__).parent / "headers"


@dataclass(frozen=True)
class Workshop:
    """What translating a kernel of one file needs; a kernel can be translated again, with less in it."""

    unit: Unit
    declared: Declarations
    launches: list[Launch]
    options: Options
    asked: Mapping[str, tuple[str, ...]]
    instantiated: dict[str, list[tuple[str, ...]]]
    heads: tuple[str, ...]
    typings: dict[tuple[Function, Values], Typing] = field(default_factory=dict)

    @cached_property
    def versions(self) -> dict[str, Version]:
        """The kernels by the names that they have in Metal and Python, in source order."""
        found = versions_of(
            self.declared, self.unit.text, self.launches, self.instantiated, frozenset(self.asked)
        )
        return {version.name: version for version in found}

    @cached_property
    def needed(self) -> Needed:
        spaces = AddressSpaces(self.declared, self.unit.text, builtin_result, self.typings)
        macros = {name: macro.body for name, macro in self.unit.macros.items()}
        return needed_members(self.declared, macros, self.unit.text, spaces.typing)

    @translating()
    def kernel(self, name: str, without: Mapping[int, str] | None = None) -> TranslatedKernel:
        """Translate one kernel; `without` names functions it may do without, by offset, with the reason."""
        spaces = AddressSpaces(self.declared, self.unit.text, builtin_result, self.typings)
        printer = Printer(
            self.unit, self.declared, spaces, self.options, self.heads, self.needed, without or {}
        )
        version = self.versions[name]
        function = version.function
        try:
            asked = self.asked.get(name, ())
            return translate_kernel(printer, function, name, version.launches, asked, version.instantiated)
        except RecursionError:
            span = self.unit.origin(function.node.start)
            reason = "its expressions, statements or calls nest too deep"
            return refused(name, function, [diagnostic("CU9001", span, function.name, reason=reason)])


@dataclass(frozen=True, slots=True)
class Translation:
    """What became of one file. `kernels` in source order; `diagnostics` of the file and all kernels."""

    source: SourceFile
    unit: Unit
    kernels: tuple[TranslatedKernel, ...]
    workshop: Workshop
    diagnostics: tuple[Diagnostic, ...] = field(default=())

    @property
    def translated(self) -> tuple[TranslatedKernel, ...]:
        return tuple(k for k in self.kernels if k.interface is not None)

    @property
    def refused(self) -> tuple[TranslatedKernel, ...]:
        return tuple(k for k in self.kernels if k.interface is None)


@translating()
def translate(
    source: SourceFile,
    *,
    include_directories: Sequence[Path] = (),
    defines: Mapping[str, str] | None = None,
    options: Options | None = None,
    instantiate: Mapping[str, tuple[str, ...]] | None = None,
) -> Translation:
    """Translate every kernel of a file. Kernels that Metal cannot express are listed as refused, not guessed.

    `instantiate` names template arguments by kernel, as CUDA spells them.
    """
    asked = instantiate or {}
    unit = preprocess(
        source,
        include_directories=[*include_directories, KNOWN_HEADERS],
        defines=defines or {},
        taken=WORDS,
    )
    root = parse(unit.parse_text)
    macros = {n: m.body for n, m in unit.macros.items() if m.parameters is None}
    declared = Reader(unit.text, unit.conditions).read(root)
    declared.macros = {n: body for n, body in macros.items() if _NUMBER.fullmatch(body.strip())}
    launches = find_launches(root, unit.text, declared, macros, lambda offset: unit.origin(offset).line)
    instantiated = find_instantiations(root, unit.text)
    heads = heads_of(root, unit.text, unit.conditions)
    workshop = Workshop(unit, declared, launches, options or Options(), asked, instantiated, heads)
    findings = Findings()
    kernels: list[TranslatedKernel] = []
    for name, version in workshop.versions.items():
        unread = faults(version.function, unit)
        kernel = refused(name, version.function, unread) if unread else workshop.kernel(name)
        kernels.append(kernel)
        findings.extend(kernel.diagnostics)
    for function, why in lost_kernels(root, unit):
        kernels.append(refused(function.name, function, why))
        findings.extend(why)
    attached = {d.span for d in findings.found}
    findings.extend(d for d in unit.diagnostics if d.span not in attached)
    if not kernels:
        findings.add(diagnostic("CU1006", Span(source, 0, 0), path=source.path))
    return Translation(source, unit, tuple(kernels), workshop, tuple(findings.found))


def refused(name: str, function: Function, why: Sequence[Diagnostic]) -> TranslatedKernel:
    return TranslatedKernel(name, function, None, tuple(why), "", {}, {})


def builtin_result(name: str) -> str | None:
    """Result type of a CUDA function, None where there is no such function or its overloads differ."""
    rows = lookup(name)
    results = {result_type(row.signature) for row in rows if not row.double_only}
    return results.pop() if len(results) == 1 else ("T" if results else None)
