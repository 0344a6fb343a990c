"""What all verbs share: files written whole or not at all, JSON, colour only on a terminal, exit codes."""

import json
import os
import re
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import click

from cu2mlx.transpiler.diagnostics import CATALOGUE, Diagnostic
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
    """To standard error, coloured where that is a terminal."""
    text = as_text(diagnostics, colour=sys.stderr.isatty() and "NO_COLOR" not in os.environ)
    if text:
        click.echo(text, err=True)


def read_or_exit(path: Path, *, as_json: bool = False) -> SourceFile:
    """The source of a CUDA file; exits with code 2 and a clear message where it cannot be used."""
    try:
        return read_source(path)
    except UnusableInput as error:
        fail(error.code, error.path, error.message, as_json=as_json)


def fail(code: str, path: str, message: str, *, as_json: bool) -> NoReturn:
    """End with exit code 2, one message and the way out, on standard error and with `as_json` as JSON too."""
    hint = CATALOGUE[code].hint
    if as_json:
        print_json({"path": path, "error": {"code": code, "message": message, "hint": hint}})
    click.echo(f"error[{code}]: {path}: {message}\n  = help: {hint}", err=True)
    sys.exit(UNUSABLE)


def parse_defines(defines: tuple[str, ...]) -> dict[str, str]:
    """`-D X=1` and `-D X`."""
    found: dict[str, str] = {}
    for define in defines:
        name, _, value = define.partition("=")
        if not re.fullmatch(r"[A-Za-z_]\w*", name):
            raise click.BadParameter(f"{define!r}: say NAME or NAME=VALUE", param_hint="-D")
        found[name] = value or "1"
    return found
