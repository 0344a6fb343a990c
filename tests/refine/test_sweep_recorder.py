"""bench/sweep.py without a GPU: what is measured, in which order, what is kept when it is cut short."""

import importlib.util
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, cast

import pytest
from fake_gpu import FakeDriver
from landscapes import recorded
from questions import task

from cu2mlx.refine.evaluate.binding import kernel_text, launch_of
from cu2mlx.refine.evaluate.cuda_device import CudaLauncher
from cu2mlx.refine.propose.tune.lattice import Lattice
from cu2mlx.refine.propose.tune.tuner import lattice_of
from cu2mlx.refine.simulate.sweep import Result, read_sweep
from cu2mlx.refine.task import Task
from cu2mlx.runtime.cuda.driver import CudaError, Driver
from cu2mlx.runtime.cuda.nvrtc import Cubin

BENCH = Path(__file__).parents[2] / "bench"


def loaded(name: str) -> ModuleType:
    """A script of bench/ as a module, by the name under which the other one imports it."""
    spec = importlib.util.spec_from_file_location(name, BENCH / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


gauge = loaded("gauge")
sweep = loaded("sweep")

LATTICE = Lattice(("a", "b"), ((1, 2), (1, 2, 4)), ((1, 1), (1, 2), (1, 4), (2, 1), (2, 2)), (1, 2))
CODE = Cubin(b"", "k")


@dataclass
class Clock:
    """Takes a + b seconds for a point, and faults at (2, 1)."""

    seen: list[tuple[int, int]] = field(default_factory=list)

    def start(self, cubin: Cubin, numbers: Mapping[str, int]) -> Result:
        return Result(float(numbers["a"] + numbers["b"]))

    def measure(self, cubin: Cubin, numbers: Mapping[str, int]) -> Result:
        self.seen.append((numbers["a"], numbers["b"]))
        if self.seen[-1] == (2, 1):
            raise CudaError("cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS")
        return Result(float(numbers["a"] + numbers["b"]))


def results(clock: Clock, done: Mapping[Any, Result]) -> dict[Any, Result]:
    first, *others = sweep.left_of(LATTICE, done)
    points = [first, *sorted(others)]
    codes = ["error: no such function" if point == (1, 4) else CODE for point in points]
    made: list[tuple[Any, Result]] = []
    rows = ((p, sweep.numbers_of(LATTICE, p), code) for p, code in zip(points, codes, strict=True))
    try:
        made.extend(gauge.results_of(clock, rows))
    except CudaError:
        made.append(("ended", Result(None, "fault")))
    return dict(made)


def test_the_task_s_own_numbers_come_first_and_failures_are_results() -> None:
    made = results(Clock(), {})
    assert list(made) == [(1, 2), (1, 1), (1, 4), (2, 1), "ended"]
    assert made[1, 2] == Result(3.0) and made[1, 1] == Result(2.0)
    assert made[1, 4].failure == "compiler: error: no such function"
    assert made[2, 1].failure.startswith("fault: cuCtxSynchronize")


def test_what_is_done_is_not_measured_again() -> None:
    clock = Clock()
    made = results(clock, results(Clock(), {}))
    assert clock.seen == [(2, 2)] and made[2, 2] == Result(4.0)


def test_a_file_holds_the_points_in_the_order_of_the_space(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "made.json"
    sweep.save(path, recorded(LATTICE, {(2, 1): 1.0, (1, 2): 2.0}), LATTICE)
    assert list(read_sweep(path).results) == [(1, 2), (2, 1)]
    assert [each.name for each in path.parent.iterdir()] == ["made.json"]


def test_a_part_of_a_space() -> None:
    part = sweep.chosen_points(LATTICE, ["b=2,1"])
    assert part.points == ((1, 1), (1, 2), (2, 1), (2, 2)) and part.values == ((1, 2), (1, 2))
    with pytest.raises(SystemExit, match="leaves out the task's own numbers"):
        sweep.chosen_points(LATTICE, ["b=1"])
    with pytest.raises(SystemExit, match="tunables are a, b"):
        sweep.chosen_points(LATTICE, ["c=1"])


def test_cases_by_name() -> None:
    softmax = task()
    assert sweep.case_of(softmax, "half").name == "half"
    assert sweep.case_of(softmax, None) == (*softmax.timed, *softmax.shown)[0]
    with pytest.raises(SystemExit, match="no case 'none'"):
        sweep.case_of(softmax, "none")
    assert lattice_of(softmax, softmax.seed) is not None


def test_points_come_in_an_order_by_chance_that_is_the_same_again() -> None:
    wide = lattice_of(task(), task().seed)
    assert wide is not None
    first, *others = sweep.left_of(wide, {})
    assert first == wide.start and others != sorted(others) and {first, *others} == set(wide.points)
    assert sweep.left_of(wide, {}) == [first, *others]


def test_a_sweep_whose_own_numbers_fail_is_none() -> None:
    with pytest.raises(SystemExit, match="own numbers fail: compiler: no such function"):
        list(gauge.results_of(Clock(), [((1, 2), {}, "no such function")]))


def test_a_file_of_another_kernel_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "made.json"
    mine = recorded(LATTICE, {(1, 2): 2.0})
    assert sweep.begun(path, mine) == {}
    sweep.save(path, mine, LATTICE)
    assert sweep.begun(path, mine) == {(1, 2): Result(2.0)}
    with pytest.raises(SystemExit, match="is of another kernel"):
        sweep.begun(path, replace(mine, kernel="another"))
    path.write_text("{}")
    with pytest.raises(SystemExit, match="no sweep"):
        sweep.begun(path, mine)


def test_what_is_measured_in_time_is_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "made.json"
    made = iter([((1, 2), Result(2.0)), ((1, 1), Result(1.0))])
    sweep.record(path, recorded(LATTICE, {}), LATTICE, made, end=0.0)
    assert dict(read_sweep(path).results) == {(1, 2): Result(2.0)}
    assert "goes on with 4 more" in capsys.readouterr().out


@pytest.fixture
def point(monkeypatch: pytest.MonkeyPatch) -> "Point":
    monkeypatch.setattr("cu2mlx.refine.evaluate.cuda_device.compile_kernel", lambda text, architecture: text)
    return Point(FakeDriver(), task())


@dataclass
class Point:
    """The gauge of softmax's first case on a GPU that the CPU machine stands in for."""

    driver: FakeDriver
    task: Task

    def __post_init__(self) -> None:
        self.case = self.task.shown[0]
        self.gauge = gauge.Gauge(CudaLauncher(cast(Driver, self.driver)), self.task, self.case)

    def code(self, numbers: Mapping[str, int], body: str | None = None) -> Any:
        candidate = (self.task.seed if body is None else replace(self.task.seed, body=body)).with_numbers(
            numbers
        )
        return kernel_text(self.task, candidate, launch_of(self.task, candidate, self.case)[1])[1]

    def start(self) -> Result:
        found: Result = self.gauge.start(self.code({}), {})
        return found

    def measure(self, body: str | None = None) -> Result:
        found: Result = self.gauge.measure(self.code({"BLOCK": 128}, body), {"BLOCK": 128})
        return found


def test_right_points_are_timed_beside_the_task_s_own_numbers(point: Point) -> None:
    own = point.start()
    assert own.seconds is not None and own.seconds == point.gauge.first
    point.driver.pace /= 2
    assert point.measure() == Result(own.seconds / 2)


def test_a_drift_of_the_clock_is_taken_out(point: Point, monkeypatch: pytest.MonkeyPatch) -> None:
    own = point.start()
    monkeypatch.setattr(gauge, "DRIFT", 0.0)
    point.driver.pace *= 1.5
    assert point.measure() == own


def test_wrong_points_and_refused_launches_are_not_timed(point: Point) -> None:
    point.start()
    assert point.measure(";") == Result(None, "wrong")

    def refuse(*_: object) -> None:
        raise CudaError("cuLaunchKernel: CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES")

    point.driver.launch = refuse  # type: ignore[method-assign]
    assert point.measure().failure.startswith("launch: cuLaunchKernel")


def test_a_hopeless_point_is_launched_twice_alone(point: Point) -> None:
    point.start()
    point.driver.launches.clear()
    point.driver.pace = 1.0
    assert point.measure() == Result(1.0)
    assert len(point.driver.launches) == 2
