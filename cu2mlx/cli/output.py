"""What all verbs share: files written whole or not at all, JSON, colour only on a terminal, errors, exit codes."""

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

import click

from cu2mlx.transpiler.diagnostics import CATALOGUE, Diagnostic, Severity
from cu2mlx.transpiler.diagnostics.text import as_text
from cu2mlx.transpiler.source import SourceFile, UnusableInput, read_source

OK, DIFFERS, UNUSABLE, CANNOT_RUN = 0, 1, 2, 3


def write_whole(path: Path, text: str) -> None:
    """Write a file so that nobody ever sees half of it. Raises OSError."""
    write_all({path: text})


def write_all(texts: Mapping[Path, str]) -> None:
    """Write files whole, and none of them where one cannot be written; makes their folders. Raises OSError."""
    made: dict[Path, Path] = {}
    try:
        for path, text in texts.items():
            handle, temporary = _beside(path)
            made[path] = Path(temporary)
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
            made[path].chmod(0o644)
        for path, written in made.items():
            written.replace(path)
    except BaseException:
        for written in made.values():
            written.unlink(missing_ok=True)
        raise


def _beside(path: Path) -> tuple[int, str]:
    """An open, empty file in the folder of `path`. An OSError names that folder or `path`, which the user knows."""
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        return tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    except OSError as error:
        raise OSError(error.errno, error.strerror, str(path)) from None


def print_json(value: Any) -> None:
    click.echo(json.dumps(value, indent=2, ensure_ascii=False))


def print_diagnostics(diagnostics: Iterable[Diagnostic]) -> None:
    """To standard error, coloured where that is a terminal; after errors, with the way to their pages."""
    found = list(diagnostics)
    text = as_text(found, colour=sys.stderr.isatty() and "NO_COLOR" not in os.environ)
    if text:
        click.echo(text, err=True)
    errors = dict.fromkeys(each.code.code for each in found if each.severity is Severity.ERROR)
    if errors:
        click.echo(f"more, with examples: cu2mlx explain {next(iter(errors))}", err=True)


class Stop(click.ClickException):
    """The end of a verb that cannot go on, as one message on standard error; the front door adds the JSON.

    `code` is the diagnostic with the page, where there is one; `path` the file at fault; `hint` the way out.
    """

    exit_code = UNUSABLE

    def __init__(
        self, message: str, *, path: str | None = None, code: str | None = None, hint: str | None = None
    ) -> None:
        super().__init__(message)
        self.path, self.code = path, code
        self.hint = hint if hint is not None or code is None else CATALOGUE[code].hint

    def show(self, file: IO[Any] | None = None) -> None:
        head = f"error[{self.code}]" if self.code else "error"
        place = f" {self.path}:" if self.path else ""
        way_out = f"\n  = help: {self.hint}" if self.hint else ""
        click.echo(f"{head}:{place} {self.message}{way_out}", file=file, err=True)


class NotCorrect(Stop):
    """What was to be worked on computes something else."""

    exit_code = DIFFERS


class CannotRun(Stop):
    """This computer lacks what the verb needs."""

    exit_code = CANNOT_RUN


def error_as_json(error: click.ClickException) -> dict[str, Any]:
    """What `--json` prints where a verb cannot go on, a mistaken command line included."""
    if isinstance(error, Stop):
        code, path, hint = error.code, error.path, error.hint
    else:
        context = getattr(error, "ctx", None)
        code, path, hint = None, None, f"see {context.command_path} --help" if context else None
    return {"path": path, "error": {"code": code, "message": error.format_message(), "hint": hint}}


def read_or_stop(path: Path) -> SourceFile:
    """The source of a CUDA file. Raises Stop where it cannot be used; of a folder, that names its files."""
    if path.is_dir():
        inside = sorted(each.name for each in path.iterdir() if each.suffix in (".cu", ".cuh"))
        hint = f"give one of its files: {_some(inside)}" if inside else "give a .cu file"
        raise Stop("this is a folder", path=str(path), code="CU1001", hint=hint)
    try:
        return read_source(path)
    except UnusableInput as error:
        raise Stop(error.message, path=error.path, code=error.code) from None


def _some(names: Sequence[str], limit: int = 6) -> str:
    return ", ".join([*names[:limit], *(["…"] if len(names) > limit else [])])


def parse_defines(defines: tuple[str, ...]) -> dict[str, str]:
    """`-D X=1` and `-D X`."""
    found: dict[str, str] = {}
    for define in defines:
        name, _, value = define.partition("=")
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise click.BadParameter(f"{define!r}: say NAME or NAME=VALUE", param_hint="-D")
        found[name] = value or "1"
    return found
