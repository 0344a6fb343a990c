"""Options that several verbs have."""

from pathlib import Path

import click

INCLUDE = click.option(
    "-I",
    "include",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder to look for headers in.",
)
DEFINE = click.option("-D", "define", multiple=True, metavar="NAME[=VALUE]", help="Define a macro.")
INSTANTIATE = click.option(
    "--instantiate",
    multiple=True,
    metavar="'K<float,128>'",
    help="Template arguments to check or run a kernel with.",
)
DOUBLE = click.option(
    "--double",
    type=click.Choice(["refuse", "float"]),
    default="refuse",
    help="What becomes of double: refused, or narrowed to float with a warning.",
)
CHECK = click.option("--check/--no-check", default=True, help="Type-check the Metal text (default: yes).")
JSON = click.option(
    "--json", "as_json", is_flag=True, help="Print the result, or the error, as JSON (docs/json.md)."
)
