"""cu2mlx optimize: search for a faster kernel."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cu2mlx.cli.options import DEFINE, INCLUDE, JSON
from cu2mlx.cli.output import DIFFERS, OK, UNUSABLE, CannotRun, Stop, parse_defines, print_json

if TYPE_CHECKING:
    from cu2mlx.refine.outcome import Outcome
    from cu2mlx.refine.propose.protocol import Proposer
    from cu2mlx.refine.run import Progress
    from cu2mlx.refine.settings import Settings


@click.command()
@click.argument("task", required=False, type=click.Path(path_type=Path))
@click.option("--kernel", metavar="K", help="Which kernel of a .cu file.")
@click.option(
    "--arg", "numbers", multiple=True, metavar="NAME=VALUE", help="A number that a .cu file's kernel takes."
)
@INCLUDE
@DEFINE
@click.option(
    "--proposer",
    default=None,
    metavar="rules|openai|command:PROGRAM",
    help="Who proposes kernels (default: rules, or openai where --model is given).",
)
@click.option(
    "--model",
    "models",
    multiple=True,
    metavar="NAME[@WEIGHT[:USD_IN:USD_OUT]]",
    help="A model, its share of the questions, its prices per million tokens; may be given several times.",
)
@click.option("--base-url", metavar="U", help="An OpenAI-compatible endpoint; its key is in OPENAI_API_KEY.")
@click.option("--rounds", type=click.IntRange(min=1), help="Attempts in all (default: 30; the rules: 300).")
@click.option(
    "--stagnation",
    type=click.IntRange(min=1),
    default=5,
    show_default=True,
    help="Attempts at one decision without a better kernel.",
)
@click.option("--budget-usd", type=click.FloatRange(min=0, min_open=True), help="Stop before this is spent.")
@click.option("--budget-tokens", type=click.IntRange(min=1), help="Stop when so many tokens are spent.")
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    help="Stop after this time of asking and evaluating. Judging the baseline before and the report's measurements "
    "after come on top.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of the draws between models.")
@click.option(
    "--hardware",
    metavar="NAME",
    help="Which hardware prompts describe (default: this machine's GPU, apple-m1-m2 without one).",
)
@click.option("--resume", type=click.Path(path_type=Path, file_okay=False), help="Go on with a run folder.")
@click.option(
    "--replay", type=click.Path(path_type=Path, file_okay=False), help="Run a journal again, without a model."
)
@click.option("-o", "--output", type=click.Path(path_type=Path, file_okay=False), help="The run folder.")
@click.option("--audit", is_flag=True, help="Run cheating candidates through the evaluation instead.")
@JSON
def optimize(
    task: Path | None,
    kernel: str | None,
    numbers: tuple[str, ...],
    include: tuple[Path, ...],
    define: tuple[str, ...],
    proposer: str | None,
    models: tuple[str, ...],
    base_url: str | None,
    rounds: int | None,
    stagnation: int,
    budget_usd: float | None,
    budget_tokens: int | None,
    seconds: float | None,
    seed: int,
    hardware: str | None,
    resume: Path | None,
    replay: Path | None,
    output: Path | None,
    audit: bool,
    as_json: bool,
) -> None:
    """Search for a faster kernel of TASK: a folder with task.toml, a spec file, or a .cu file.

    Ctrl-C keeps what was done; --resume goes on. Exit code 0: the baseline or better, 1: no correct kernel (or
    a cheat that was not caught), 2: unusable input, or a proposer that gives nothing to try, 3: nothing can run
    here.
    """
    from cu2mlx.refine.budget import ROUNDS, ROUNDS_OF_RULES, Options
    from cu2mlx.refine.evaluate.oracle import OracleError
    from cu2mlx.refine.journal import JournalError
    from cu2mlx.refine.propose.hardware import HARDWARE, hardware_here
    from cu2mlx.refine.propose.protocol import ProposerError
    from cu2mlx.refine.run import continued, replayed, started
    from cu2mlx.refine.settings import Settings
    from cu2mlx.refine.task import TaskError
    from cu2mlx.runtime.cpu.executor import CpuExecutor

    # A shell has what it starts in the background ignore the signal, and Python leaves that so.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if replay is None and (reason := CpuExecutor().unavailable()) is not None:
        raise CannotRun(reason)
    if audit:
        sys.exit(_audit(as_json=as_json))
    if sum(each is not None for each in (task, resume, replay)) != 1:
        raise click.UsageError("give either TASK, --resume RUN or --replay RUN")
    if hardware is not None and hardware not in HARDWARE:
        raise click.BadParameter(f"{hardware!r}: there are {', '.join(HARDWARE)}", param_hint="--hardware")

    def raised(options: Options) -> Options:
        """A resumed run's budgets, where the command line gives new ones."""
        return replace(
            options,
            rounds=rounds or options.rounds,
            budget_usd=budget_usd or options.budget_usd,
            budget_tokens=budget_tokens or options.budget_tokens,
            seconds=seconds or options.seconds,
        )

    try:
        with _progress(as_json=as_json) as progress:
            if replay is not None:
                outcome = replayed(replay, output, progress)
            elif resume is not None:
                outcome = continued(resume, raised, _proposer, progress)
            else:
                assert task is not None
                proposer = proposer or ("openai" if models else "rules")
                rounds = rounds or (ROUNDS_OF_RULES if proposer == "rules" else ROUNDS)
                settings = Settings(
                    task=str(_task(task, kernel, numbers, parse_defines(define), include)),
                    proposer=proposer,
                    models=models,
                    base_url=base_url,
                    hardware=hardware or hardware_here(),
                    seed=seed,
                    options=Options(rounds, stagnation, budget_usd, budget_tokens, seconds),
                )
                outcome = started(settings, _proposer(settings), output, progress)
    except (TaskError, ProposerError, JournalError, OracleError) as error:
        raise Stop(str(error)) from None
    _report(outcome, as_json=as_json)
    if not outcome.is_correct:
        sys.exit(DIFFERS)
    sys.exit(UNUSABLE if outcome.is_untried else OK)


def _task(
    path: Path,
    kernel: str | None,
    numbers: tuple[str, ...],
    defines: dict[str, str],
    include: tuple[Path, ...],
) -> Path:
    """The task itself, or one derived from a .cu file, under tasks/. Raises TaskError."""
    if path.suffix not in (".cu", ".cuh"):
        return path
    from cu2mlx.refine.derive import derived_task
    from cu2mlx.refine.task import TaskError

    given: dict[str, list[float]] = {}
    for each in numbers:
        name, _, value = each.partition("=")
        try:
            given.setdefault(name, []).append(int(value) if value.lstrip("-").isdigit() else float(value))
        except ValueError:
            raise TaskError(f"--arg {each}: write NAME=NUMBER") from None
    name = path.stem if kernel is None else f"{path.stem}-{kernel}"
    return derived_task(path, kernel, given, defines, include, Path("tasks") / name)


def _proposer(settings: "Settings") -> "Proposer":
    """Raises ProposerError."""
    from cu2mlx.refine.propose.protocol import ProposerError

    if settings.proposer != "openai" and settings.options.budget_usd is not None:
        raise ProposerError(f"--budget-usd: {settings.proposer} has no price; only models do")
    if settings.proposer == "rules":
        from cu2mlx.refine.propose.rules import RulesProposer

        return RulesProposer()
    if settings.proposer == "openai":
        from cu2mlx.refine.propose.openai_client import Model, OpenAIProposer

        models = [Model.parse(each) for each in settings.models]
        budget = settings.options.budget_usd
        return OpenAIProposer(models, settings.base_url, seed=settings.seed, budget_usd=budget)
    if settings.proposer.startswith("command:"):
        from cu2mlx.refine.propose.command import CommandProposer

        return CommandProposer(settings.proposer.removeprefix("command:"))
    raise ProposerError(f"--proposer {settings.proposer}: say rules, openai or command:PROGRAM")


def _audit(*, as_json: bool) -> int:
    from cu2mlx.refine.audit.run import audit

    findings = []
    for finding in audit():
        findings.append(finding)
        if not as_json:
            mark = "ok  " if finding.as_expected else "FAIL"
            exhibit = finding.exhibit
            click.echo(f"{mark} {exhibit.name:<20} {finding.verdict.status:<10} {exhibit.description}")
    failed = [finding for finding in findings if not finding.as_expected]
    if as_json:
        print_json(
            [
                {
                    "name": each.exhibit.name,
                    "description": each.exhibit.description,
                    "expected": each.exhibit.expected,
                    "verdict": each.verdict.as_json(),
                }
                for each in findings
            ]
        )
    else:
        click.echo(f"{len(findings) - len(failed)} of {len(findings)} verdicts as expected")
    return DIFFERS if failed else OK


def _quiet(line: str | None, status: str) -> None:
    """Progress where the output is for a program."""


def _plain(line: str | None, status: str) -> None:
    """Progress where nobody sits: one line for each thing that happens."""
    if line is not None:
        click.echo(f"[{status}] {line}" if status else line, err=True)


@contextmanager
def _progress(*, as_json: bool) -> "Iterator[Progress]":
    """On a terminal the last state stays in view below the lines."""
    if as_json or not sys.stderr.isatty():
        yield _quiet if as_json else _plain
        return
    from rich.console import Console
    from rich.markup import escape

    console = Console(stderr=True)
    with console.status("checking the baseline translation") as view:

        def show(line: str | None, status: str) -> None:
            if line is not None:
                console.print(escape(line), highlight=False)
            view.update(escape(status))

        yield show


def _report(outcome: "Outcome", *, as_json: bool) -> None:
    if as_json:
        print_json({"folder": str(outcome.folder), **outcome.as_json()})
        return
    for line in outcome.lines():
        click.echo(line)
