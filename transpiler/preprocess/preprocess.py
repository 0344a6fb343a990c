"""The order of work: splice headers, settle conditionals, expand macros, tell homonyms apart, blank for the parser."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from cu2mlx.transpiler.diagnostics import Diagnostic, diagnostic
from cu2mlx.transpiler.preprocess.activity import Activity
from cu2mlx.transpiler.preprocess.blanking import Blanked, blank
from cu2mlx.transpiler.preprocess.condition import DEFAULT_DEFINES
from cu2mlx.transpiler.preprocess.conditionals import resolve_conditionals
from cu2mlx.transpiler.preprocess.definitions import defined_outside
from cu2mlx.transpiler.preprocess.homonyms import separated
from cu2mlx.transpiler.preprocess.includes import Splicer
from cu2mlx.transpiler.preprocess.known import known_macros
from cu2mlx.transpiler.preprocess.mapped import Mapped
from cu2mlx.transpiler.preprocess.reordered import reordered
from cu2mlx.transpiler.preprocess.rewriting import rewrite
from cu2mlx.transpiler.preprocess.unit import Unit
from cu2mlx.transpiler.source import SourceFile


def preprocess(
    file: SourceFile,
    *,
    include_directories: Sequence[Path] = (),
    defines: Mapping[str, str] | None = None,
    taken: Collection[str] = (),
) -> Unit:
    """A CUDA file as one unit to parse and to render from.

    Headers found beside the file (for "x") or in `include_directories` become part of it, others stay
    #include lines. `defines` are the -D macros; macros called like what is `taken` are expanded.
    Faults are in the unit's diagnostics; nothing is raised.
    """
    outside = defines or {}
    conditions = {**DEFAULT_DEFINES, **outside}
    splicer = Splicer(include_directories, Activity(dict(conditions)))
    whole = reordered(splicer.splice(file))
    resolved = resolve_conditionals(whole, conditions)
    given = {name: defined_outside(name, value) for name, value in outside.items()}
    text, kept, expanded, faults = rewrite(resolved, given, known_macros(), taken)
    text = separated(text)
    blanked = blank(text, kept)
    unknown = _unknown(blanked, text)
    return Unit(
        text,
        blanked.parse_text,
        blanked.dropped,
        kept,
        expanded,
        tuple(splicer.includes),
        (*splicer.diagnostics, *resolved.diagnostics, *faults, *unknown),
    )


def _unknown(blanked: Blanked, text: Mapped) -> list[Diagnostic]:
    """A note for each macro that is read as nothing, at its first use; an error for each unknown loop."""
    first: dict[str, Diagnostic] = {}
    for name, start, end in blanked.unknown:
        if name not in first:
            first[name] = diagnostic("CU1207", text.span(start, end), name=name)
    blocks = [diagnostic("CU1210", text.span(start, end), name=name) for name, start, end in blanked.blocks]
    return [*first.values(), *blocks]
