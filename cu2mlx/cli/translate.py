"""cu2mlx translate: a CUDA file becomes an MLX module and Metal text."""

import re
import sys
from pathlib import Path
from typing import Any

import click

from cu2mlx import __version__
from cu2mlx.cli.options import CHECK, DEFINE, DOUBLE, INCLUDE, INSTANTIATE, JSON
from cu2mlx.cli.output import (
    DIFFERS,
    OK,
    UNUSABLE,
    Stop,
    parse_defines,
    print_diagnostics,
    print_json,
    read_or_stop,
    write_all,
)


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path(),
    help="Folder for the output files (default: here).",
)
@INCLUDE
@DEFINE
@INSTANTIATE
@click.option(
    "--gradient",
    multiple=True,
    metavar="FORWARD=BACKWARD[,BACKWARD…]",
    help="Add a differentiable function of these kernels; or a TOML file with a [gradient] table.",
)
@DOUBLE
@click.option(
    "--emit", type=click.Choice(["module", "metal", "all"]), default="all", help="Which files to write."
)
@CHECK
@JSON
@click.option(
    "--sarif", type=click.Path(path_type=Path, dir_okay=False), help="Also write the diagnostics as SARIF."
)
def translate(
    file: Path,
    folder: Path,
    include: tuple[Path, ...],
    define: tuple[str, ...],
    instantiate: tuple[str, ...],
    gradient: tuple[str, ...],
    double: str,
    emit: str,
    check: bool,
    as_json: bool,
    sarif: Path | None,
) -> None:
    """Translate every kernel of FILE; write FILE_mlx.py and FILE.metal.

    Exit code 0: all kernels translated; 1: some were refused, or a --gradient was (the others are written);
    2: unusable input, or nothing could be written.
    """
    from cu2mlx.cli.translation import expect_instances, outcome_of
    from cu2mlx.transpiler.binding.gradient import GradientError
    from cu2mlx.transpiler.binding.gradient_table import gradient_request

    source = read_or_stop(file)
    defines = parse_defines(define)
    try:
        requests = [gradient_request(each) for each in gradient]
        outcome = outcome_of(source, include, defines, double, instantiate, check, requests)
        texts = _texts(outcome, file, folder, emit)
    except GradientError as error:
        raise click.UsageError(f"--gradient {' '.join(gradient)}: {error}") from None
    expect_instances(instantiate, outcome.translation)
    written = list(texts)
    if sarif is not None:
        texts[sarif] = _sarif(outcome)
    try:
        write_all(texts)
    except OSError as error:
        path = str(error.filename or folder)
        raise Stop(f"cannot write: {error.strerror}", path=path, code="CU1007") from None
    if as_json:
        print_json({**outcome.as_json(), "outputs": [str(path) for path in written]})
    else:
        print_diagnostics(outcome.diagnostics)
        _summary(outcome, written)
    if all(kernel.status == "unparsed" for kernel in outcome.kernels):
        sys.exit(UNUSABLE)
    complete = len(outcome.gradients) == len(requests)
    sys.exit(OK if complete and all(k.good for k in outcome.kernels) else DIFFERS)


def _texts(outcome: Any, file: Path, folder: Path, emit: str) -> dict[Path, str]:
    """The output files of the kernels worth writing; none where there is no such kernel."""
    interfaces = outcome.interfaces
    texts: dict[Path, str] = {}
    if interfaces and emit in ("module", "all"):
        from cu2mlx.transpiler.binding.module import emit_module

        texts[folder / f"{_module_name(file)}.py"] = emit_module(interfaces, file.name, outcome.gradients)
    if interfaces and emit in ("metal", "all"):
        from cu2mlx.transpiler.binding.metal import emit_metal

        texts[folder / f"{file.stem}.metal"] = emit_metal(interfaces)
    return texts


def _module_name(file: Path) -> str:
    """What Python can import: `my kernel-2.0.cu` → my_kernel_2_0_mlx, `3d.cu` → _3d_mlx."""
    name = re.sub(r"\W", "_", file.stem)
    return f"_{name}_mlx" if name[:1].isdigit() else f"{name}_mlx"


def _sarif(outcome: Any) -> str:
    import json

    from cu2mlx.transpiler.diagnostics.machine import as_sarif

    return json.dumps(as_sarif(outcome.diagnostics, __version__), indent=2) + "\n"


def _summary(outcome: Any, written: list[Path]) -> None:
    for kernel in outcome.kernels:
        click.echo(f"{kernel.name:<32} {kernel.verdict}")
    for gradient in outcome.gradients:
        kernels = [gradient.forward.name, *(each.kernel.name for each in gradient.passes)]
        click.echo(f"{gradient.function:<32} differentiable: {', '.join(kernels)}")
    for path in written:
        click.echo(f"wrote {path}")
