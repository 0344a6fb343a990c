"""`cu2mlx explain CU3101`: a diagnostic's page."""

import re
from typing import TYPE_CHECKING

import click

from cu2mlx.cli.options import JSON
from cu2mlx.cli.output import Stop, print_json

if TYPE_CHECKING:
    from cu2mlx.transpiler.diagnostics import Code


@click.command()
@click.argument("code", required=False)
@JSON
def explain(code: str | None, as_json: bool) -> None:
    """Print the page of CODE (CU3101, or its name: double); without CODE, list all codes.

    Exit code: 0, or 2 where there is no such code (close ones are named).
    """
    from cu2mlx.transpiler.diagnostics import CATALOGUE
    from cu2mlx.transpiler.diagnostics.pages import page

    if code is None:
        rows = sorted(CATALOGUE.values(), key=lambda row: row.code)
        if as_json:
            print_json([_row(each) for each in rows])
        else:
            for row in rows:
                click.echo(f"{row.code}  {row.severity:<8} {row.slug}")
        return
    found = find(code)
    if found is None:
        close = ", ".join(f"{row.code} ({row.slug})" for row in suggestions(code))
        hint = f"did you mean {close}?" if close else "`cu2mlx explain` lists all codes"
        raise Stop(f"there is no diagnostic {code}; {hint}")
    if as_json:
        print_json({**_row(found), "page": page(found.code)})
    else:
        click.echo(_text(found))


def _text(row: "Code") -> str:
    from cu2mlx.transpiler.diagnostics import Effort
    from cu2mlx.transpiler.diagnostics.pages import page

    title, _, text = page(row.code).partition("\n")
    effort = "" if row.effort is Effort.NONE else f", to be fixed in {row.effort}"
    return f"{title}\n\n{row.severity}{effort}: {_message(row)}\n{text}".rstrip()


def _row(row: "Code") -> dict[str, str]:
    return {
        "code": row.code,
        "name": row.slug,
        "severity": row.severity.value,
        "effort": row.effort.value,
        "message": _message(row),
        "hint": row.hint,
    }


def _message(row: "Code") -> str:
    """The message with its details as <name>."""
    return re.sub(r"\{(\w+)\}", r"<\1>", row.message)


def find(name: str) -> "Code | None":
    """The code of that number or slug, in any case; the CU may be left out."""
    from cu2mlx.transpiler.diagnostics import CATALOGUE

    wanted = name.strip().lower().removeprefix("cu")
    for row in CATALOGUE.values():
        if wanted in (row.code.lower().removeprefix("cu"), row.slug):
            return row
    return None


def suggestions(name: str) -> "list[Code]":
    """Up to three codes whose number or slug is close to a name."""
    from difflib import get_close_matches

    from cu2mlx.transpiler.diagnostics import CATALOGUE

    spelled = {row.code: row for row in CATALOGUE.values()} | {row.slug: row for row in CATALOGUE.values()}
    digits = name.strip().upper().removeprefix("CU")
    rearranged = [row for row in spelled.values() if sorted(row.code[2:]) == sorted(digits)]
    close = get_close_matches(f"CU{digits}", spelled, 3, 0.7) + get_close_matches(
        name.lower(), spelled, 3, 0.6
    )
    return list(dict.fromkeys([*rearranged, *(spelled[each] for each in close)]))[:3]
