"""cu2mlx check: type-checks Metal text."""

import sys
from collections.abc import Callable
from pathlib import Path

import click

from cu2mlx.cli.options import DEFINE, DOUBLE, INCLUDE, INSTANTIATE, JSON
from cu2mlx.cli.output import (
    DIFFERS,
    OK,
    UNUSABLE,
    Stop,
    parse_defines,
    print_diagnostics,
    print_json,
    read_or_stop,
)
from cu2mlx.runtime.check import Finding, check_msl
from cu2mlx.transpiler.source import SourceFile


def check_metal(source: SourceFile, mlx_preamble: bool) -> tuple[Finding, ...]:
    return check_msl(source.text, path=source.path, mlx_preamble=mlx_preamble)


# How a kind of file is checked; CUDA files go through their translation.
CHECKS: dict[str, Callable[[SourceFile, bool], tuple[Finding, ...]]] = {".metal": check_metal}
CUDA = frozenset({".cu", ".cuh"})


def _check_cuda(
    file: Path,
    include: tuple[Path, ...],
    define: tuple[str, ...],
    instantiate: tuple[str, ...],
    double: str,
    *,
    as_json: bool,
) -> int:
    """Check the translation of every kernel of a CUDA file; the exit status."""
    from cu2mlx.cli.translation import expect_instances, outcome_of

    outcome = outcome_of(read_or_stop(file), include, parse_defines(define), double, instantiate, True)
    expect_instances(instantiate, outcome.translation)
    if as_json:
        print_json(outcome.as_json(texts=False))
    else:
        print_diagnostics(outcome.diagnostics)
        for kernel in outcome.kernels:
            click.echo(f"{kernel.name:<32} {kernel.verdict}")
    if not outcome.kernels:
        return UNUSABLE
    return OK if all(kernel.good for kernel in outcome.kernels) else DIFFERS


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@INCLUDE
@DEFINE
@INSTANTIATE
@DOUBLE
@click.option(
    "--mlx", "mlx_preamble", is_flag=True, help="Check as MLX compiles custom kernels: with its preamble."
)
@JSON
def check(
    file: Path,
    include: tuple[Path, ...],
    define: tuple[str, ...],
    instantiate: tuple[str, ...],
    double: str,
    mlx_preamble: bool,
    as_json: bool,
) -> None:
    """Type-check the Metal in FILE, or that of a CUDA file's translation, on any computer.

    Apple's compiler is not needed. --mlx is for Metal, which a translation is checked with anyway; -I, -D,
    --instantiate and --double are for CUDA.

    Exit code: 0 well-typed, 1 findings, 2 the file cannot be used.
    """
    if file.suffix in CUDA:
        sys.exit(_check_cuda(file, include, define, instantiate, double, as_json=as_json))
    if file.is_file() and file.suffix not in CHECKS:
        known = ", ".join([*CHECKS, *sorted(CUDA)])
        raise Stop(f"cannot check a '{file.suffix}' file; known are {known}", path=str(file))
    source = read_or_stop(file)
    findings = CHECKS[file.suffix](source, mlx_preamble)
    if as_json:
        print_json({"path": source.path, "findings": [_as_json(finding) for finding in findings]})
    else:
        for finding in findings:
            click.echo(render(source, finding), err=True)
        click.echo(f"{file}: {'well-typed' if not findings else _count(len(findings))}")
    sys.exit(DIFFERS if findings else OK)


def render(source: SourceFile, finding: Finding) -> str:
    """A finding with its line and a caret."""
    line = source.line_text(finding.line)
    indent = "".join(c if c == "\t" else " " for c in line[: finding.column - 1])
    hint = f"\n  hint: {finding.hint}" if finding.hint else ""
    head = f"{source.path}:{finding.line}:{finding.column}: error: {finding.message} [{finding.rule}]"
    return f"{head}\n    {line}\n    {indent}^{hint}"


def _as_json(finding: Finding) -> dict[str, str | int]:
    return {
        "line": finding.line,
        "column": finding.column,
        "message": finding.message,
        "hint": finding.hint,
        "rule": finding.rule,
    }


def _count(findings: int) -> str:
    return f"{findings} finding{'s' * (findings > 1)}"
