"""The order of work: splice headers, settle conditionals, expand macros, blank for the parser."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from cu2mlx.transpiler.preprocess.blanking import blank
from cu2mlx.transpiler.preprocess.condition import DEFAULT_DEFINES
from cu2mlx.transpiler.preprocess.conditionals import Reading, resolve_conditionals
from cu2mlx.transpiler.preprocess.definitions import defined_outside, read_define
from cu2mlx.transpiler.preprocess.includes import Splicer
from cu2mlx.transpiler.preprocess.lexical import structure
from cu2mlx.transpiler.preprocess.rewriting import rewrite
from cu2mlx.transpiler.preprocess.unit import Macro, Unit
from cu2mlx.transpiler.source import SourceFile, Span

# Macros of CUDA's own headers that hide a C++ word.
_OF_CUDA = (
    "__align__(n) alignas(n)",
    "__builtin_align__(n) alignas(n)",
)


def preprocess(
    file: SourceFile, *, include_directories: Sequence[Path] = (), defines: Mapping[str, str] | None = None
) -> Unit:
    """A CUDA file as one unit to parse and to render from.

    Headers found beside the file (for "x") or in `include_directories` become part of it, others stay
    #include lines. `defines` are the -D macros. Faults are in the unit's diagnostics; nothing is raised.
    """
    outside = defines or {}
    splicer = Splicer(include_directories)
    whole = splicer.splice(file)
    conditions = {**DEFAULT_DEFINES, **outside}
    resolved = resolve_conditionals(whole, conditions)
    reading = Reading(resolved.text, dict(conditions))
    reading.walk([part for part in structure(resolved.text.text) if part.kind.startswith("#")])
    given = {name: defined_outside(name, value) for name, value in outside.items()}
    text, kept, expanded, faults = rewrite(resolved.text, reading.active, given, _cuda_macros())
    blanked = blank(text.text)
    return Unit(
        text,
        blanked.parse_text,
        blanked.dropped,
        kept,
        expanded,
        tuple(splicer.includes),
        (*splicer.diagnostics, *resolved.diagnostics, *faults),
    )


def _cuda_macros() -> dict[str, Macro]:
    found = {}
    for line in _OF_CUDA:
        header = SourceFile("<cuda>", "#define " + line)
        macro = read_define(line, Span(header, 0, len(header.text)), header.text)
        if macro is not None:
            found[macro.name] = macro
    return found
