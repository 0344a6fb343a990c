"""`cu2mlx query NAME`: how Metal says a CUDA function, type, constant or index value."""

from typing import Any

import click

from cu2mlx.cli.options import JSON
from cu2mlx.cli.output import print_json


@click.command()
@click.argument("name")
@JSON
def query(name: str, as_json: bool) -> None:
    """Print how Metal says NAME, or why it cannot, and what to do then.

    Exit code: 0 if the name is known, 1 if not (close names are listed).
    """
    answer = describe(name)
    if as_json:
        print_json(answer)
    else:
        click.echo(render(answer))
    raise SystemExit(0 if answer["entries"] else 1)


def describe(name: str) -> dict[str, Any]:
    """What the tables say of a name: `entries` (one for each overload), else `suggestions`."""
    from cu2mlx.transpiler.tables import lookup, suggest
    from cu2mlx.transpiler.tables.constants import CONSTANTS
    from cu2mlx.transpiler.tables.index import INDEX
    from cu2mlx.transpiler.tables.types import TYPES
    from cu2mlx.transpiler.tables.words import WORDS

    entries = [_function(row) for row in lookup(name)]
    if name in TYPES:
        row = TYPES[name]
        entries.append(
            {
                "kind": "type",
                "cuda": name,
                "metal": row.metal,
                "narrowed": row.narrowed,
                "dtype": row.dtype,
                "lanes": row.lanes,
                "size": row.size,
                "alignment": row.alignment,
                **_diagnostic(row.code, name),
            }
        )
    if name in CONSTANTS:
        constant = CONSTANTS[name]
        caveat = "" if constant.exact else "a double in CUDA, the nearest float in Metal"
        entries.append({"kind": "constant", "cuda": name, "metal": constant.spelling, "caveat": caveat})
    variable, dot, lane = name.partition(".")
    if variable in INDEX and lane in ("", "x", "y", "z"):
        index = INDEX[variable]
        caveat = f"{index.type}; a kernel argument, handed down to helpers" if index.attribute else index.type
        entries.append(
            {"kind": "index", "cuda": name, "metal": f"{index.spelling}{dot}{lane}", "caveat": caveat}
        )
    if name in WORDS:
        entries.append({"kind": "word", "cuda": name, **WORDS[name]._asdict()})
    return {"name": name, "entries": entries, "suggestions": [] if entries else suggest(name)}


def render(answer: dict[str, Any]) -> str:
    """The answer as text, one block for each entry."""
    if answer["entries"]:
        return "\n\n".join(_block(entry) for entry in answer["entries"])
    lines = [f"{answer['name']}: not a CUDA device function, type, constant or qualifier that cu2mlx knows"]
    if answer["suggestions"]:
        lines.append(f"did you mean {', '.join(answer['suggestions'])}?")
    return "\n".join(lines)


def _function(row: Any) -> dict[str, Any]:
    from cu2mlx.transpiler.tables.accuracy import accuracy_of
    from cu2mlx.transpiler.tables.document import shown

    return {
        "kind": "function",
        "cuda": row.signature,
        "metal": shown(row, row.spelling) if row.spelling is not None else None,
        "narrowed": shown(row, row.narrowed) if row.narrowed is not None else None,
        "unused": shown(row, row.unused) if row.unused is not None else None,
        "accuracy": accuracy_of(row),
        "caveat": row.caveat,
        "metal_version": row.metal,
        **_diagnostic(row.code, row.name),
    }


def _diagnostic(code: str | None, name: str) -> dict[str, str]:
    from cu2mlx.transpiler.diagnostics import CATALOGUE

    if code is None:
        return {}
    row = CATALOGUE[code]
    return {
        "code": code,
        "severity": row.severity.value,
        "message": row.message.format(name=name),
        "hint": row.hint.format(name=name),
    }


def _block(entry: dict[str, Any]) -> str:
    lines = [entry["cuda"], f"  Metal     {entry['metal'] or 'refused'}"]
    labelled = (
        ("in float", "narrowed"),
        ("no result", "unused"),
        ("accuracy", "accuracy"),
        ("caveat", "caveat"),
    )
    lines += [f"  {label:<9} {entry[key]}" for label, key in labelled if entry.get(key)]
    if entry["kind"] == "type":
        lines.append(f"  layout    {entry['size']} bytes, aligned to {entry['alignment']}")
        if entry["dtype"] is not None:
            lanes = f" x {entry['lanes']}" if entry["lanes"] > 1 else ""
            lines.append(f"  MLX dtype {entry['dtype']}{lanes}")
    if entry.get("metal_version", "3.1") != "3.1":
        lines.append(f"  needs     Metal {entry['metal_version']}")
    if "code" in entry:
        lines += [f"  {entry['code']}    {entry['message']}", f"  way out   {entry['hint']}"]
    return "\n".join(lines)
