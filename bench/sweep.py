"""Times every point of a task's tunables on an NVIDIA GPU, for refine/simulate: the data that searches are judged by.

python bench/sweep.py TASK [--case NAME] [--out FILE] [--only NAME=V,V]… [--jobs N] [--seconds S] [--compile-only]

Each point is compiled by NVRTC in a pool of processes, its results are compared with the task's reference on the
case that is timed, and it is measured between two measurements of the task's own numbers, which take out the drift
of the clock. Inputs are used in turns, so that no cache holds them. What is done is written every few seconds:
after Ctrl-C, --seconds or a kernel that faults, the same command goes on where it stopped.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any, Protocol

import numpy as np

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.binding import Bound, bind, kernel_text, launch_of
from cu2mlx.refine.evaluate.oracle import Oracle
from cu2mlx.refine.propose.tune.lattice import Lattice, Point
from cu2mlx.refine.propose.tune.tuner import lattice_of
from cu2mlx.refine.simulate.sweep import Result, Sweep, read_sweep
from cu2mlx.refine.task import Task, load_task
from cu2mlx.runtime.compare import compare_outputs, tolerances
from cu2mlx.runtime.cuda.compile import compile_kernel
from cu2mlx.runtime.cuda.driver import Argument, CudaError, Driver, NoDriverError, Pointer, open_driver
from cu2mlx.runtime.cuda.executor import values
from cu2mlx.runtime.cuda.graph import Graph, Work, graph
from cu2mlx.runtime.cuda.nvrtc import Cubin
from cu2mlx.runtime.inputs import Inputs, make_inputs
from cu2mlx.runtime.protocol import CompileError, Launch, Value
from cu2mlx.runtime.spec import Case

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "bench" / "results" / "sweeps"
HOW = (
    "median of {rounds} measurements of {count} launches in a CUDA graph, each on inputs of its own, divided by the "
    "task's own numbers measured before and after it and multiplied by their first time"
)
ROUNDS = 5
HOPELESS = 20  # times slower than the task's own numbers: measured once
ROTATED_BYTES = 256 << 20  # more than any cache holds
MOST_SETS = 8
SEED = 1
NOT_A_NUMBER = 0xFF
SAVED_EVERY = 5.0  # seconds


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


class Measures(Protocol):
    """Who measures points; `reference` is set once the task's own numbers are."""

    reference: Any

    def start(self, cubin: Cubin, numbers: Mapping[str, int]) -> float: ...
    def measure(self, cubin: Cubin, numbers: Mapping[str, int]) -> Result: ...


@dataclass
class Gauge:
    """Checks and times points of one case on the GPU. All points share the inputs: numbers change the launch only."""

    driver: Driver
    task: Task
    case: Case
    data: Inputs
    expected: Mapping[str, Any]
    sets: list[list[Argument]] = field(default_factory=list)
    bound: Bound = field(init=False)
    reference: Graph | None = None
    first: float = 0.0  # seconds of the task's own numbers when they were measured first

    def __post_init__(self) -> None:
        seed = self.task.seed
        _, text = kernel_text(self.task, seed, launch_of(self.task, seed, self.case)[1])
        by_value = values(text)
        self.bound = bind(self.task, self.data, fill=NOT_A_NUMBER)
        size = sum(array.nbytes for array in self.data.buffers.values())
        for _ in range(max(2, min(MOST_SETS, -(-ROTATED_BYTES // max(size, 1))))):
            arguments: list[Argument] = []
            for index, each in enumerate(self.bound.arguments):
                content = each.data if isinstance(each, Value) else each.tobytes()
                arguments.append(content if index in by_value else self.driver.upload(content))
            self.sets.append(arguments)

    def work(self, cubin: Cubin, numbers: Mapping[str, int], arguments: list[Argument]) -> Work:
        candidate: Candidate = self.task.seed.with_numbers(numbers)
        launch, _ = launch_of(self.task, candidate, self.case)
        return Work(self.driver.function(cubin), Launch(launch.grid, launch.block), arguments)

    def start(self, cubin: Cubin, numbers: Mapping[str, int]) -> float:
        """Seconds of the task's own numbers, which every point is put beside."""
        self.reference = graph(self.driver, [self.work(cubin, numbers, each) for each in self.sets])
        self.first = median(self.reference.seconds() for _ in range(ROUNDS))
        return self.first

    def measure(self, cubin: Cubin, numbers: Mapping[str, int]) -> Result:
        """Raises CudaError where a fault of the kernel has ended the context."""
        try:
            outputs = self.launched(cubin, numbers)
        except CudaError as error:
            if "cuLaunchKernel" in str(error):
                return Result(None, f"launch: {error}")
            raise
        allowed = tolerances(self.task.spec, self.data.dtypes)
        if not compare_outputs(self.expected, outputs, self.data.dtypes, allowed).same:
            return Result(None, "wrong")
        return Result(self.seconds(cubin, numbers))

    def launched(self, cubin: Cubin, numbers: Mapping[str, int]) -> Mapping[str, Any]:
        """The outputs of one launch that finds them as they were bound."""
        written = {id(array): array for array in self.bound.written.values()}
        fresh = list(self.sets[0])
        for index, array in enumerate(self.bound.arguments):
            if id(array) in written:
                fresh[index] = self.driver.upload(array.tobytes())
        try:
            each = self.work(cubin, numbers, fresh)
            self.driver.launch(each.function, each.launch, each.arguments)
            self.driver.synchronize()
            results: dict[str, Any] = {}
            for name, array in self.bound.written.items():
                place = next(i for i, other in enumerate(self.bound.arguments) if other is array)
                pointer = fresh[place]
                assert isinstance(pointer, Pointer)
                data = self.driver.download(pointer, array.nbytes)
                results[name] = np.frombuffer(data, array.dtype).reshape(array.shape)
        finally:
            for index, array in enumerate(self.bound.arguments):
                pointer = fresh[index]
                if id(array) in written and isinstance(pointer, Pointer):
                    self.driver.free(pointer)
        return replace(self.bound, written=results).results()

    def seconds(self, cubin: Cubin, numbers: Mapping[str, int]) -> float:
        assert self.reference is not None
        mine = graph(self.driver, [self.work(cubin, numbers, each) for each in self.sets])
        before = self.reference.seconds()
        measured = [mine.seconds()]
        if measured[0] < HOPELESS * before:
            measured = [mine.seconds() for _ in range(ROUNDS)]
        after = self.reference.seconds()
        mine.free()
        return median(measured) / ((before + after) / 2) * self.first


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
    """What is to be measured, the task's own numbers first."""
    return [
        lattice.start,
        *(point for point in lattice.points if point not in done and point != lattice.start),
    ]


def results_of(
    gauge: "Measures", points: Iterable[tuple[Point, Mapping[str, int], Cubin | str]]
) -> Iterator[tuple[Point, Result]]:
    """Each point as soon as it is measured. Raises CudaError after the point that has ended the context."""
    for point, numbers, code in points:
        if isinstance(code, str):
            yield point, Result(None, f"compiler: {code}")
        elif gauge.reference is None:
            yield point, Result(gauge.start(code, numbers))
        else:
            try:
                yield point, gauge.measure(code, numbers)
            except CudaError as error:
                yield point, Result(None, f"fault: {error}")
                raise


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
    started = time.monotonic()
    task = _loaded(options.task)
    case = case_of(task, options.case)
    whole = lattice_of(task, task.seed)
    if whole is None:
        raise SystemExit(f"error: {options.task} has no tunables")
    lattice = chosen_points(whole, options.only)
    if options.compile_only:
        return compile_all(Job(options.task, case.name, options.compile_only), lattice, options.jobs)
    path = options.out or FOLDER / f"{task.name}.json"
    done = dict(read_sweep(path).results) if path.exists() else {}
    try:
        driver = open_driver()
    except NoDriverError as error:
        raise SystemExit(f"error: {error}") from None
    data = make_inputs(task.spec, case, SEED)
    gauge = Gauge(driver, task, case, data, Oracle().outputs(task, data))
    sweep = Sweep(
        task=task.name,
        case={"name": case.name, **dict(case.sizes), **dict(case.template)},
        device=driver.name,
        when=datetime.now(UTC).isoformat(timespec="seconds"),
        how=HOW.format(rounds=ROUNDS, count=len(gauge.sets)),
        tunables=dict(zip(lattice.names, lattice.values, strict=True)),
        start=lattice.start,
        results=done,
    )
    saved = time.monotonic()
    left = left_of(lattice, done)
    numbers = [numbers_of(lattice, point) for point in left]
    job = Job(options.task, case.name, driver.architecture)
    pool = ProcessPoolExecutor(options.jobs, mp_context=get_context("spawn"))
    try:
        codes = pool.map(compiled, [job] * len(numbers), numbers)
        for point, result in results_of(gauge, zip(left, numbers, codes, strict=True)):
            done.setdefault(point, result)
            if time.monotonic() - saved > SAVED_EVERY:
                save(path, sweep, lattice)
                saved = time.monotonic()
            if time.monotonic() - started > options.seconds:
                print("out of time; the same command goes on")
                break
    except KeyboardInterrupt:
        print("interrupted; the same command goes on")
    except CudaError as error:
        print(f"{error}: starting again", flush=True)
        save(path, sweep, lattice)
        pool.shutdown(wait=False, cancel_futures=True)
        os.execv(sys.executable, [sys.executable, *sys.argv])  # a fault ends the context of the process
    pool.shutdown(wait=False, cancel_futures=True)
    save(path, sweep, lattice)
    timed = sum(each.seconds is not None for each in done.values())
    print(
        f"{path}: {len(done)} of {len(lattice.points)} points, {timed} timed, best {sweep.best * 1e6:.1f} µs, the "
        f"task's own {gauge.first * 1e6:.1f} µs; {time.monotonic() - started:.0f} s"
    )
    return 0


def save(path: Path, sweep: Sweep, lattice: Lattice) -> None:
    """Whole or not at all; points in the order of the space."""
    ordered = {point: sweep.results[point] for point in lattice.points if point in sweep.results}
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(".part")
    part.write_text(replace(sweep, results=ordered).dump(), encoding="utf-8")
    part.replace(path)


def compile_all(job: Job, lattice: Lattice, jobs: int) -> int:
    numbers = [numbers_of(lattice, point) for point in lattice.points]
    failed = 0
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool:
        for each, code in zip(numbers, pool.map(compiled, [job] * len(numbers), numbers), strict=True):
            if isinstance(code, str):
                failed += 1
                print(each, code)
    print(f"{len(numbers) - failed} of {len(numbers)} points compile")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
