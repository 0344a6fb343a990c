"""cu2mlx verify: original and translation on the same data."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import click

from cu2mlx.cli.options import DEFINE, DOUBLE, INCLUDE, INSTANTIATE, JSON
from cu2mlx.cli.output import (
    CANNOT_RUN,
    DIFFERS,
    OK,
    UNUSABLE,
    Stop,
    parse_defines,
    print_json,
    read_or_stop,
    write_whole,
)
from cu2mlx.transpiler.source import SourceFile


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--kernel", "only", multiple=True, metavar="K", help="Verify only this kernel (repeatable).")
@click.option(
    "--arg", "arguments", multiple=True, metavar="NAME=VALUE", help="A size or value, or grid, block, shared."
)
@click.option(
    "--spec", "spec_file", type=click.Path(path_type=Path), help="What to run the kernel with (TOML)."
)
@click.option(
    "--on", "where", default="cpu", help="Where to run: cpu, cuda, metal, commas between (default: cpu)."
)
@click.option(
    "--checked", is_flag=True, help="Look for races, bad accesses, divergent barriers, on both sides."
)
@click.option(
    "--seed", "seeds", multiple=True, type=int, metavar="N", help="Seed of the inputs (default: 0, 1, 2)."
)
@click.option(
    "--timeout", type=click.FloatRange(min=0.1), default=60.0, help="Seconds for each run (default: 60)."
)
@INCLUDE
@DEFINE
@INSTANTIATE
@DOUBLE
@JSON
def verify(
    file: Path,
    only: tuple[str, ...],
    arguments: tuple[str, ...],
    spec_file: Path | None,
    where: str,
    checked: bool,
    seeds: tuple[int, ...],
    timeout: float,
    include: tuple[Path, ...],
    define: tuple[str, ...],
    instantiate: tuple[str, ...],
    double: str,
    as_json: bool,
) -> None:
    """Run every kernel of FILE and its translation on the same inputs, and compare their outputs.

    Inputs come from --spec, from spec files beside FILE that name it, or are guessed from the signature and the
    launches; what cannot be guessed is asked for by name, with a spec file written for you to fill.

    Exit code 0: all the same; 1: a difference or a fault; 2: unusable, or inputs are needed; 3: cannot run here.
    """
    from cu2mlx.cli.translation import template_arguments

    source = read_or_stop(_cuda_file(file))
    run = _Run(
        source, file, include, parse_defines(define), double, _targets(where), seeds or (0, 1, 2), checked, timeout,
        _numbers(arguments), dict(template_arguments(each) for each in instantiate), as_json,
    )  # fmt: skip
    entries = list(run.entries(only, spec_file))
    if as_json:
        print_json({"path": str(file), "kernels": [entry.json for entry in entries]})
    codes = {entry.code for entry in entries}
    sys.exit(
        next((code for code in (DIFFERS, UNUSABLE, CANNOT_RUN) if code in codes), OK if codes else UNUSABLE)
    )


@dataclass(frozen=True, slots=True)
class _Entry:
    code: int
    json: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Run:
    """What the command line said."""

    source: SourceFile
    file: Path
    include: tuple[Path, ...]
    defines: Mapping[str, str]
    double: str
    targets: Sequence[Any]
    seeds: tuple[int, ...]
    checked: bool
    timeout: float
    numbers: Mapping[str, tuple[int | float, ...]]
    asked: Mapping[str, tuple[str, ...]]
    quiet: bool

    def entries(self, only: tuple[str, ...], spec_file: Path | None) -> Iterator[_Entry]:
        """One per kernel."""
        from cu2mlx.runtime.spec import Spec, SpecError, load_spec
        from cu2mlx.runtime.verify.plan import specs_beside

        try:
            specs = [load_spec(spec_file)] if spec_file is not None else list(specs_beside(self.file))
        except SpecError as error:
            raise Stop(str(error)) from None
        described = {each.kernel for each in specs if isinstance(each, Spec)}
        named = dict.fromkeys((*only, *self.asked))
        unknown = [name for name in named if name not in described and name not in self._kernels()]
        if not (described or self._kernels()):
            hint = "verify runs a CUDA file beside its own translation: pass the .cu file that defines the kernel"
            raise Stop("no __global__ function", path=str(self.file), code="CU1006", hint=hint)
        if unknown:
            names = ", ".join(self._kernels()) or "none"
            raise Stop(f"no kernel {', '.join(unknown)}; its kernels: {names}", path=str(self.file))
        self._expect_numbers_for([each for each in specs if isinstance(each, Spec)])
        for spec in specs:
            if isinstance(spec, Spec) and (not only or spec.kernel in only):
                yield self._described(spec)
        unfilled = {each.kernel: each for each in specs if not isinstance(each, Spec)}
        if spec_file is None:
            for name in self._kernels():
                if name not in described and (not only or name in only):
                    yield self._guessed(name, unfilled.get(name))

    def _expect_numbers_for(self, specs: Sequence[Any]) -> None:
        """End where --arg names what no kernel takes and no spec has: a mistyped name would be passed over."""
        from cu2mlx.runtime.verify.records import members_of, sizes_of

        taken = {"grid": None, "block": None, "shared": None}
        translation = self._translation("", ())
        for kernel in translation.kernels:
            taken |= dict.fromkeys(parameter.name for parameter in kernel.function.parameters)
            if kernel.interface is not None:
                taken |= dict.fromkeys(parameter.name for parameter in kernel.interface.parameters)
            for parameter in kernel.function.parameters:
                record, unit = parameter.type.base, translation.unit
                members = members_of(record, translation.workshop.declared, unit.text)
                taken |= dict.fromkeys(sizes_of(members) if not parameter.type.shape else ())
        for spec in specs:
            taken |= dict.fromkeys(name for case in spec.cases for name, _ in case.sizes)
        for name in self.numbers:
            if name not in taken:
                message = f"nothing here takes {name!r}; there are {', '.join(taken)}"
                raise click.BadParameter(message, param_hint="--arg")

    def _kernels(self) -> list[str]:
        return [kernel.name for kernel in self._translation("", ()).kernels]

    def _translation(self, kernel: str, asked: tuple[str, ...]) -> Any:
        from cu2mlx.runtime.verify import translation_of

        template = tuple((str(place), value) for place, value in enumerate(asked))
        return translation_of(
            self.source, kernel, self.include, tuple(self.defines.items()), self.double, template
        )

    def _described(self, spec: Any) -> _Entry:
        if self.numbers:
            case = replace(
                spec.cases[0],
                name="--arg",
                sizes=tuple({**dict(spec.cases[0].sizes), **self._sizes()}.items()),
            )
            spec = replace(spec, cases=(case,))
        return self._verify(spec)

    def _sizes(self) -> dict[str, int | float]:
        return {name: values[0] for name, values in self.numbers.items()}

    def _guessed(self, name: str, unfilled: Any) -> _Entry:
        from cu2mlx.runtime.cpu.executor import CpuExecutor
        from cu2mlx.runtime.verify.guessed import guessed_spec
        from cu2mlx.runtime.verify.kernel import kernel_of
        from cu2mlx.runtime.verify.plan import skeleton_path

        asked = self.asked.get(name, ())
        translation = self._translation(name, asked)
        kernel = kernel_of(translation, name)
        assert kernel is not None
        if kernel.interface is None:
            return self._refused(kernel)
        executor = CpuExecutor()
        reason = executor.unavailable()
        if reason is not None:
            click.echo(f"{name}: cannot run here: {reason}", err=True)
            return _Entry(CANNOT_RUN, _unrun(name, "cannot run here", message=reason))
        with self._status(f"{name}: trying inputs"):
            found = guessed_spec(translation, kernel, self.numbers, asked, executor, self.timeout)
        if found.spec is None:
            if unfilled is not None:
                lines = ", ".join(map(str, unfilled.lines))
                todo = f"or complete {unfilled.path}, lines {lines}, and take the FILL marks out"
            else:
                todo = _written(skeleton_path(self.file, name, alone=len(self._kernels()) == 1), found.text)
            return self._asks(name, (*found.missing, todo))
        for case, message in found.left_out:
            self._say(f"{name}: case {case!r} left out: {message}")
        return self._verify(found.spec)

    def _refused(self, kernel: Any) -> _Entry:
        from cu2mlx.runtime.verify.kernel import refusal

        result = refusal(kernel)
        return self._finished(result)

    def _verify(self, spec: Any) -> _Entry:
        from cu2mlx.runtime.verify import verify_kernel

        runs = len(spec.cases) * len(self.seeds) * len(self.targets)
        with self._status(f"{spec.kernel}: {runs} runs") as update:
            result = verify_kernel(
                self.source,
                spec,
                include=self.include,
                defines=self.defines,
                double=self.double,
                targets=self.targets,
                seeds=self.seeds,
                checked=self.checked,
                timeout=self.timeout,
                progress=lambda done: update(
                    f"{spec.kernel}: case {done.case!r}, seed {done.seed}: {done.verdict}"
                ),
            )
        return self._finished(result)

    def _finished(self, result: Any) -> _Entry:
        from cu2mlx.runtime.verify.report import render_kernel
        from cu2mlx.runtime.verify.result import EXIT

        self._say(render_kernel(result, str(self.file)))
        return _Entry(EXIT[result.verdict], {**_unrun(result.kernel, ""), **result.as_json()})

    def _asks(self, kernel: str, missing: tuple[str, ...]) -> _Entry:
        if not self.quiet:
            click.echo(f"{kernel}: inputs needed", err=True)
            for each in missing:
                click.echo(f"  {each}", err=True)
        return _Entry(UNUSABLE, _unrun(kernel, "inputs needed", missing=missing))

    def _say(self, text: str) -> None:
        if not self.quiet:
            click.echo(text)

    @contextmanager
    def _status(self, text: str) -> Iterator[Any]:
        """What is going on, on a terminal's standard error."""
        if self.quiet or not sys.stderr.isatty():
            yield lambda _: None
            return
        from rich.console import Console

        with Console(stderr=True).status(text) as status:
            yield status.update


def _unrun(kernel: str, verdict: str, *, message: str = "", missing: Sequence[str] = ()) -> dict[str, Any]:
    """A kernel's entry of `verify --json` where nothing was run: the keys are the same for all."""
    return {
        "kernel": kernel,
        "spec": "",
        "verdict": verdict,
        "message": message,
        "missing": list(missing),
        "diagnostics": [],
        "cases": [],
    }


def _cuda_file(path: Path) -> Path:
    """The file itself; Stop where it is a spec, which names the file to give."""
    if path.suffix != ".toml":
        return path
    from cu2mlx.runtime.spec import SpecError, load_spec

    try:
        spec = load_spec(path)
    except SpecError as error:
        raise Stop(str(error)) from None
    source = path.parent / (spec.source or "FILE.cu")
    raise Stop("this is a spec file", path=str(path), hint=f"cu2mlx verify {source} --spec {path}")


def _written(path: Path, text: str) -> str:
    """Write a skeleton where no file is yet."""
    if path.exists():
        return f"or complete {path}, which exists and was left as it is, and pass it with --spec"
    try:
        write_whole(path, text)
    except OSError as error:
        return f"{path}: cannot write a spec file to fill: {error.strerror}"
    return f"or complete {path}, just written for you, and verify again"


def _targets(where: str) -> list[Any]:
    from cu2mlx.runtime.verify import TARGETS

    names = [name.strip() for name in where.split(",") if name.strip()]
    for name in names:
        if name not in TARGETS:
            raise click.BadParameter(f"{name!r} is none of {', '.join(TARGETS)}", param_hint="--on")
    return [TARGETS[name] for name in dict.fromkeys(names)]


def _numbers(arguments: tuple[str, ...]) -> dict[str, tuple[int | float, ...]]:
    """`n=1000`, `grid=4,2`."""
    found: dict[str, tuple[int | float, ...]] = {}
    for each in arguments:
        name, _, value = each.partition("=")
        try:
            numbers = tuple(_number(part) for part in value.split(","))
        except ValueError:
            raise click.BadParameter(f"{each!r}: say NAME=NUMBER", param_hint="--arg") from None
        found[name.strip()] = numbers
    return found


def _number(text: str) -> int | float:
    try:
        return int(text, 0)
    except ValueError:
        return float(text)
