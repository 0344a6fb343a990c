"""The text of docs/builtins.md, which `python -m tests.generated` writes."""

from cu2mlx.transpiler.tables import GROUPS, Builtin, all_rows
from cu2mlx.transpiler.tables.accuracy import accuracy_of
from cu2mlx.transpiler.tables.signature import parameters
from cu2mlx.transpiler.tables.spell import spell

_HEAD = """# CUDA device functions in Metal

Generated from `transpiler/tables/`; do not edit.

{entries} entries ({names} names). {wide} of them are not for `double` alone; {supported} of these
({share:.1f} %) have a Metal spelling, the others are refused with a diagnostic. {double} entries are for
`double` alone: refused, {narrowed} of them with a float form under `--double=float`.

`cu::` names are functions of the support library, which puts only what a kernel uses into its header.
`lane`, `thread`, `group`, `block`, `grid`, `index` stand for the thread's place, which the translator hands
down; `scratch` for threadgroup memory that it declares. Accuracy of Metal's own functions is a bound in ulp
from the Metal Shading Language specification (version 4, section 8); that of `cu::` functions is measured,
see math-accuracy.md. Metal 3.1 is enough where no other version is named.

| group | entries | supported | refused | double only |
|---|---:|---:|---:|---:|
{groups}
"""
_PLACES = ("lane", "thread", "group", "block", "grid", "index", "simdgroup", "scratch")
_SHOWN = {**{name: name for name in _PLACES}, "self": "self", "t0": "N", "space0": "space", "T0": "T"}


def shown(row: Builtin, spelling: str) -> str:
    """A spelling with the names of CUDA's parameters in it, as a reader wants to see it."""
    names = [parameter.name or parameter.type for parameter in parameters(row.signature)]
    return spell(row, names, spelling=spelling, **_SHOWN)


def document() -> str:
    """The text of docs/builtins.md."""
    rows = all_rows()
    wide = [row for row in rows if not row.double_only]
    supported = [row for row in wide if _is_supported(row)]
    head = _HEAD.format(
        entries=len(rows),
        names=len({row.name for row in rows}),
        wide=len(wide),
        supported=len(supported),
        share=100 * len(supported) / len(wide),
        double=len(rows) - len(wide),
        narrowed=sum(row.narrowed is not None for row in rows),
        groups="\n".join(_counts(title, members) for title, members in GROUPS.items()),
    )
    return "\n".join((head, *(_section(title, members) for title, members in GROUPS.items())))


def _is_supported(row: Builtin) -> bool:
    return row.spelling is not None or row.unused is not None


def _counts(title: str, rows: tuple[Builtin, ...]) -> str:
    double = sum(row.double_only for row in rows)
    refused = sum(not _is_supported(row) and not row.double_only for row in rows)
    return f"| {title} | {len(rows)} | {len(rows) - double - refused} | {refused} | {double} |"


def _section(title: str, rows: tuple[Builtin, ...]) -> str:
    lines = [f"## {title}", "", "| CUDA | Metal | accuracy | notes |", "|---|---|---|---|", *map(_line, rows)]
    return "\n".join((*lines, ""))


def _line(row: Builtin) -> str:
    if row.spelling is not None:
        metal = _code(shown(row, row.spelling))
    elif row.unused is not None:
        metal = f"{_code(shown(row, row.unused))} where the result is unused, else refused"
    elif row.narrowed is not None:
        metal = f"refused; in float {_code(shown(row, row.narrowed))}"
    else:
        metal = "refused"
    version = f"Metal {row.metal}" if row.metal != "3.1" else ""
    notes = "; ".join(note for note in (row.caveat, version, row.code) if note)
    return f"| {_code(row.signature)} | {metal} | {accuracy_of(row)} | {notes.replace('|', chr(92) + '|')} |"


def _code(text: str) -> str:
    return f"`{text.replace('|', chr(92) + '|')}`"
