"""cu2mlx bench: time a task's kernels against its baselines."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cu2mlx.cli.options import JSON
from cu2mlx.cli.output import CannotRun, NotCorrect, Stop, print_json

if TYPE_CHECKING:
    from rich.table import Table

    from cu2mlx.refine.measure import ShapeResult


@click.command()
@click.argument("task", type=click.Path(path_type=Path))
@click.option(
    "--candidate",
    type=click.Path(path_type=Path),
    metavar="FILE_mlx.py|RUN",
    help="What to time instead of the naive translation: a module, a run folder, or a candidate's JSON file.",
)
@JSON
def bench(task: Path, candidate: Path | None, as_json: bool) -> None:
    """Time TASK's kernels and baselines in turns on this machine's GPU, on its large shapes.

    TASK is a folder with task.toml or a spec file. Exit code 1: the candidate is not correct, 2: unusable input,
    3: no device here.
    """
    from cu2mlx.refine.evaluate.device import device_here
    from cu2mlx.refine.evaluate.lock import device_lock
    from cu2mlx.refine.measure import measure_shapes
    from cu2mlx.refine.stored import StoredError, stored_candidate
    from cu2mlx.refine.task import TaskError, load_task

    try:
        loaded = load_task(task)
        chosen = loaded.seed if candidate is None else stored_candidate(loaded, candidate)
        broken = loaded.space.violated(dict(chosen.numbers))
        if broken is not None:
            raise Stop(f"its numbers break what {task} requires: {broken}", path=str(candidate))
        device = device_here()
        if device is None:
            raise CannotRun("no GPU to time on: needs MLX on Apple silicon, or an NVIDIA GPU with NVRTC")
        with device_lock():
            wrong = device.check(loaded, chosen) or device.check_held_out(loaded, chosen)
            if wrong is not None:
                raise NotCorrect(f"not timed, since it is {wrong.status}: {wrong.message}")
            shapes = measure_shapes(loaded, chosen, device)
    except (TaskError, StoredError) as error:
        raise Stop(str(error)) from None
    if as_json:
        print_json(
            {"task": loaded.name, "candidate": chosen.key, "shapes": [each.as_json() for each in shapes]}
        )
        return
    _print(shapes)


def _print(shapes: "tuple[ShapeResult, ...]") -> None:
    from rich.console import Console

    console = Console()
    for shape in shapes:
        console.print(_table(shape))
        for line in _notes(shape):
            console.print(line, highlight=False, markup=False)


def _table(shape: "ShapeResult") -> "Table":
    from rich import box
    from rich.markup import escape
    from rich.table import Table

    table = Table(title=escape(f"{shape.case} on {shape.device}"), title_justify="left", box=box.SIMPLE)
    table.add_column("what", overflow="fold")
    table.add_column("µs", justify="right", no_wrap=True)
    table.add_column("/ candidate (95 %)", justify="right", no_wrap=True)
    table.add_column("memory, MB", justify="right", no_wrap=True)
    for row in shape.rows:
        peak = "unknown" if row.peak_bytes is None else f"{row.peak_bytes / 1e6:.1f}"
        ratio = f"{row.ratio:.3g} ({row.low:.3g} to {row.high:.3g})"
        table.add_row(escape(row.name), f"{row.seconds * 1e6:.1f}", ratio, peak)
    return table


def _notes(shape: "ShapeResult") -> Iterator[str]:
    for limit in shape.limits:
        yield (
            f"at least {limit.seconds * 1e6:.1f} µs for {limit.amount:.3g} {limit.what.replace('_', '-')}, at the "
            f"{limit.rate:.3g} a second measured here"
        )
    yield f"the candidate reaches {shape.reached:.0%} of what that allows; noise {shape.noise:.1%}"
    for reason in shape.skipped:
        yield f"left out: {reason}"
