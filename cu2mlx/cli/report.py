"""cu2mlx report: what becomes of every kernel in files and folders."""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from cu2mlx.cli.options import CHECK, DEFINE, DOUBLE, INCLUDE, JSON
from cu2mlx.cli.output import OK, UNUSABLE, Stop, parse_defines, print_json
from cu2mlx.cli.package import SOURCES, read_package
from cu2mlx.cli.translation import KernelOutcome, Outcome, outcome_of
from cu2mlx.transpiler.diagnostics import Effort, Severity
from cu2mlx.transpiler.model.declarations import Function
from cu2mlx.transpiler.source import UnusableInput, read_source


@click.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@INCLUDE
@DEFINE
@DOUBLE
@CHECK
@JSON
def report(
    paths: tuple[Path, ...],
    include: tuple[Path, ...],
    define: tuple[str, ...],
    double: str,
    check: bool,
    as_json: bool,
) -> None:
    """Translate every kernel under PATHS without writing anything, and count.

    A kernel counts as translated only if its whole reachable text was, and as checked only if the type-checker
    saw its instantiated body. Files without a kernel are passed over. Of a folder, the headers that its #include
    lines name are looked for in all of it, after -I.

    Exit code 0, whatever was refused; 2: there is no such file or folder, or no file of it can be read.
    """
    if not any(path.exists() for path in paths):
        raise Stop("no such file or folder", path=str(paths[0]), code="CU1001")
    outcomes: list[Outcome] = []
    unusable: list[UnusableInput] = []
    files = list(_files(paths))
    packages = [read_package(path) for path in paths if path.is_dir()]
    with _progress(len(files), quiet=as_json) as advance:
        for file in files:
            try:
                source = read_source(file)
            except UnusableInput as error:
                unusable.append(error)
            else:
                if "__global__" in source.text:
                    inside = [package for package in packages if package.root in file.parents]
                    own = inside[0].header_folders(file) if inside else []
                    folders = [*include, *own]
                    outcomes.append(outcome_of(source, folders, parse_defines(define), double, (), check))
            advance()
    counted = totals([k for o in outcomes for k in o.kernels])
    if as_json:
        listed: list[dict[str, Any]] = [o.as_json(texts=False) for o in outcomes if o.kernels]
        errors = [{"path": e.path, "code": e.code, "message": e.message} for e in unusable]
        print_json({"files": listed, "totals": counted, "unusable": errors})
    else:
        _print(outcomes, unusable, counted)
    sys.exit(UNUSABLE if unusable and not outcomes else OK)


def _files(paths: tuple[Path, ...]) -> Iterator[Path]:
    for path in paths:
        if path.is_dir():
            yield from sorted(p for p in path.rglob("*") if p.suffix in SOURCES and p.is_file())
        else:
            yield path


class _progress:  # noqa: N801  (reads as a verb at its one use)
    """A progress bar on a terminal's standard error; nothing elsewhere."""

    def __init__(self, total: int, *, quiet: bool) -> None:
        self.total = total
        self.bar: Any = None
        self.shown = not quiet and total > 3 and sys.stderr.isatty()

    def __enter__(self) -> Any:
        if not self.shown:
            return lambda: None
        from rich.console import Console
        from rich.progress import Progress

        self.bar = Progress(console=Console(stderr=True), transient=True)
        self.bar.start()
        task = self.bar.add_task("translating", total=self.total)
        return lambda: self.bar.advance(task)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()


_STATUSES = ("translated", "refused", "unparsed")


def totals(kernels: list[KernelOutcome]) -> dict[str, int]:
    """The counts of `report --json`. A template that became several kernels counts once, by the worst of them."""
    versions: dict[Function, list[KernelOutcome]] = {}
    for kernel in kernels:
        versions.setdefault(kernel.kernel.function, []).append(kernel)
    status = Counter(max((k.status for k in each), key=_STATUSES.index) for each in versions.values())
    return {
        "kernels": len(versions),
        "translated": status["translated"],
        "checked": sum(all(k.checked is True for k in each) for each in versions.values()),
        "refused": status["refused"],
        "unparsed": status["unparsed"],
    }


def _print(outcomes: list[Outcome], unusable: list[UnusableInput], counted: dict[str, int]) -> None:
    codes: Counter[str] = Counter()
    effort: Counter[Effort] = Counter()
    for outcome in outcomes:
        if not outcome.kernels:
            continue
        click.echo(outcome.translation.source.path)
        for kernel in outcome.kernels:
            click.echo(f"  {kernel.line:>5}  {kernel.name:<44} {kernel.verdict}")
            errors = [d for d in kernel.diagnostics if d.severity is Severity.ERROR]
            codes.update({f"{d.code.code} {d.code.slug}" for d in errors})
            if errors:
                effort[_worst([d.code.effort for d in errors])] += 1
    for error in unusable:
        click.echo(f"{error.path}: {error.code}: {error.message}")
    if not counted["kernels"] and not unusable:
        click.echo("no __global__ function in the .cu and .cuh files there", err=True)
    click.echo()
    click.echo(
        f"{_kernels(counted['kernels'])}: {counted['translated']} translated ({counted['checked']} type-checked), "
        f"{counted['refused']} refused, {counted['unparsed']} unparsed"
    )
    for code, count in codes.most_common():
        click.echo(f"  {count:>4}  {code}")
    needed = [each for each in Effort if each is not Effort.NONE and effort[each]]
    if needed:
        counts = ", ".join(f"{each} for {_kernels(effort[each])}" for each in needed)
        click.echo(f"work left by hand, for one who knows the kernel: {counts}")


def _worst(efforts: list[Effort]) -> Effort:
    order = list(Effort)
    return max(efforts, key=order.index)


def _kernels(count: int) -> str:
    return "1 kernel" if count == 1 else f"{count} kernels"
