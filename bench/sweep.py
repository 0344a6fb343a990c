"""Times every point of a task's tunables on an NVIDIA GPU, for refine/simulate: the data that searches are judged by.

python bench/sweep.py TASK [--case NAME] [--out FILE] [--only NAME=V,V]… [--jobs N] [--seconds S]
python bench/sweep.py TASK --compile-only sm_90        # no GPU: compiles all points, says what fails

Each point is compiled by NVRTC in a pool of processes, its results are compared with the task's reference on the
case that is timed, and it is measured (bench/gauge.py). Inputs are used in turns, so that no cache holds them.
Points come in an order by chance, so that good ones are known soon and a part is a fair sample. What is done is
written every few seconds: after Ctrl-C, --seconds or a kernel that faults, the same command goes on where it stopped.
"""

import argparse
import os
import random
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from multiprocessing import get_context
from pathlib import Path

from gauge import Gauge, results_of

from cu2mlx.refine.evaluate.binding import kernel_text, launch_of
from cu2mlx.refine.evaluate.cuda_device import launcher_here
from cu2mlx.refine.propose.tune.lattice import Lattice, Point
from cu2mlx.refine.propose.tune.tuner import lattice_of
from cu2mlx.refine.simulate.sweep import Result, Sweep, SweepError, read_sweep
from cu2mlx.refine.task import Task, TaskError, load_task
from cu2mlx.runtime.cuda.compile import compile_kernel
from cu2mlx.runtime.cuda.driver import CudaError
from cu2mlx.runtime.cuda.nvrtc import Cubin
from cu2mlx.runtime.protocol import CompileError
from cu2mlx.runtime.spec import Case

FOLDER = Path(__file__).resolve().parent / "results" / "sweeps"
SAVED_EVERY = 5.0  # seconds
ORDER = 0  # seed of the order by chance


@dataclass(frozen=True, slots=True)
class Job:
    """What a process of the pool needs to compile a point."""

    task: Path
    case: str
    architecture: str


@cache
def _loaded(path: Path) -> Task:
    return load_task(path)


def case_of(task: Task, name: str | None) -> Case:
    """By name; else the first timed case, or the first shown one."""
    cases = (*task.timed, *task.shown, *task.held_out)
    found = cases[0] if name is None else next((case for case in cases if case.name == name), None)
    if found is None:
        raise SystemExit(
            f"error: {task.name} has no case {name!r}; there are {[each.name for each in cases]}"
        )
    return found


def compiled(job: Job, numbers: Mapping[str, int]) -> Cubin | str:
    """A point's code, or why there is none. Runs in the pool."""
    task = _loaded(job.task)
    candidate = task.seed.with_numbers(numbers)
    _, template = launch_of(task, candidate, case_of(task, job.case))
    try:
        return compile_kernel(kernel_text(task, candidate, template)[1], job.architecture)
    except CompileError as error:
        return " ".join(str(error).split())[:300]


def chosen_points(lattice: Lattice, only: Sequence[str]) -> Lattice:
    """The part of a space where some numbers have one of the values given ("VEC=1,2")."""
    values, points = dict(zip(lattice.names, lattice.values, strict=True)), lattice.points
    for each in only:
        name, _, wish = each.partition("=")
        if name not in values:
            raise SystemExit(f"error: --only {each}: tunables are {', '.join(values)}")
        kept = {int(number) for number in wish.split(",")}
        place = lattice.names.index(name)
        values[name] = tuple(value for value in values[name] if value in kept)
        points = tuple(point for point in points if point[place] in kept)
    if lattice.start not in points:
        raise SystemExit(f"error: --only leaves out the task's own numbers, {lattice.start}")
    return replace(lattice, values=tuple(values.values()), points=points)


def numbers_of(lattice: Lattice, point: Point) -> dict[str, int]:
    return dict(zip(lattice.names, point, strict=True))


def left_of(lattice: Lattice, done: Mapping[Point, Result]) -> list[Point]:
    """What is to be measured, the task's own numbers first, in any case."""
    others = [point for point in lattice.points if point not in done and point != lattice.start]
    random.Random(ORDER).shuffle(others)
    return [lattice.start, *others]


def begun(path: Path, fresh: Sweep) -> dict[Point, Result]:
    """What a file holds of the same sweep. Raises SystemExit for another one's."""
    if not path.exists():
        return {}
    try:
        old = read_sweep(path)
    except SweepError as error:
        raise SystemExit(f"error: {error}; name another file with --out") from None
    for what in ("task", "case", "kernel", "device", "tunables", "start"):
        if getattr(old, what) != getattr(fresh, what):
            raise SystemExit(f"error: {path}: is of another {what}; name another file with --out")
    return dict(old.results)


def save(path: Path, sweep: Sweep, lattice: Lattice) -> None:
    """Whole or not at all; points in the order of the space."""
    ordered = {point: sweep.results[point] for point in lattice.points if point in sweep.results}
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(replace(sweep, results=ordered).dump(), encoding="utf-8")
    part.replace(path)


def record(
    path: Path, sweep: Sweep, lattice: Lattice, results: Iterator[tuple[Point, Result]], end: float
) -> None:
    """Fills the sweep with results until `end` (time.monotonic) and writes it, also when it is cut short."""
    done = dict(sweep.results)
    saved = time.monotonic()
    try:
        for point, result in results:
            done.setdefault(point, result)
            if time.monotonic() - saved > SAVED_EVERY:
                save(path, replace(sweep, results=done), lattice)
                saved = time.monotonic()
            if time.monotonic() > end:
                break
    except KeyboardInterrupt:
        pass
    finally:
        if done:
            save(path, replace(sweep, results=done), lattice)
    rest = len(lattice.points) - len(done)
    best = f", best {replace(sweep, results=done).best * 1e6:.1f} µs" if done else ""
    print(
        f"{path}: {len(done)} points{best}" + (f"; the same command goes on with {rest} more" if rest else "")
    )


def compile_all(job: Job, lattice: Lattice, pool: ProcessPoolExecutor, end: float) -> int:
    """Compiles every point until `end`; the exit code."""
    numbers = [numbers_of(lattice, point) for point in left_of(lattice, {})]
    codes: list[Cubin | str] = []
    for each, code in zip(numbers, pool.map(compiled, [job] * len(numbers), numbers), strict=True):
        codes.append(code)
        if isinstance(code, str):
            print(each, code)
        if time.monotonic() > end:
            break
    pool.shutdown(wait=False, cancel_futures=True)
    failed = sum(isinstance(code, str) for code in codes)
    print(f"{len(codes) - failed} of {len(codes)} points compile; the space has {len(numbers)}")
    return 1 if failed else 0


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", type=Path)
    parser.add_argument("--case", help="by its name; default: the task's first timed case")
    parser.add_argument("--out", type=Path, help="default: bench/results/sweeps/TASK.json")
    parser.add_argument("--only", action="append", default=[], metavar="NAME=V,V")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop and save after this time")
    parser.add_argument("--compile-only", metavar="ARCH", help="no GPU: compile all points, say what fails")
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    try:
        task = _loaded(options.task)
    except TaskError as error:
        raise SystemExit(f"error: {error}") from None
    case = case_of(task, options.case)
    whole = lattice_of(task, task.seed)
    if whole is None:
        raise SystemExit(f"error: {options.task} has no tunables")
    lattice = chosen_points(whole, options.only)
    pool = ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn"))
    if options.compile_only:
        return compile_all(Job(options.task, case.name, options.compile_only), lattice, pool, end)
    launcher = launcher_here()
    if launcher is None:
        raise SystemExit("error: no NVIDIA GPU with NVRTC here; --compile-only needs none")
    sweep = Sweep(
        task=task.name,
        case={"name": case.name, **dict(case.sizes), **dict(case.template)},
        kernel=task.seed.key,
        device=launcher.driver.name,
        when=datetime.now(UTC).isoformat(timespec="seconds"),
        how="",
        tunables=dict(zip(lattice.names, lattice.values, strict=True)),
        start=lattice.start,
        results={},
    )
    path = options.out or FOLDER / f"{task.name}.json"
    sweep = replace(sweep, results=begun(path, sweep))
    left = left_of(lattice, sweep.results)
    numbers = [numbers_of(lattice, point) for point in left]
    job = Job(options.task, case.name, launcher.driver.architecture)
    codes = pool.map(compiled, [job] * len(numbers), numbers)  # they start now
    gauge = Gauge(launcher, task, case)
    results = results_of(gauge, zip(left, numbers, codes, strict=True))
    try:
        record(path, replace(sweep, how=gauge.how), lattice, results, end)
    except CudaError as error:
        print(f"{error}: starting again", flush=True)
        pool.shutdown(cancel_futures=True)
        # A fault ends the context of the process.
        rest = [*sys.argv, "--seconds", str(max(end - time.monotonic(), 1.0))]
        os.execv(sys.executable, [sys.executable, *rest])
    pool.shutdown(cancel_futures=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
