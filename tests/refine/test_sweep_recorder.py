"""bench/sweep.py without a GPU: what is measured, in which order, what is kept when it is cut short."""

import importlib.util
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from landscapes import recorded
from questions import task

from cu2mlx.refine.propose.tune.lattice import Lattice
from cu2mlx.refine.propose.tune.tuner import lattice_of
from cu2mlx.refine.simulate.sweep import Result, read_sweep
from cu2mlx.runtime.cuda.driver import CudaError
from cu2mlx.runtime.cuda.nvrtc import Cubin


@pytest.fixture(scope="module")
def sweep() -> ModuleType:
    path = Path(__file__).parents[2] / "bench" / "sweep.py"
    spec = importlib.util.spec_from_file_location("bench_sweep", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


LATTICE = Lattice(("a", "b"), ((1, 2), (1, 2, 4)), ((1, 1), (1, 2), (1, 4), (2, 1), (2, 2)), (1, 2))
CODE = Cubin(b"", "k")


@dataclass
class Clock:
    """Takes a + b seconds for a point, and faults at (2, 1)."""

    reference: Any = None
    seen: list[tuple[int, int]] = field(default_factory=list)

    def start(self, cubin: Cubin, numbers: Mapping[str, int]) -> float:
        self.reference = "running"
        return float(numbers["a"] + numbers["b"])

    def measure(self, cubin: Cubin, numbers: Mapping[str, int]) -> Result:
        self.seen.append((numbers["a"], numbers["b"]))
        if self.seen[-1] == (2, 1):
            raise CudaError("cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS")
        return Result(float(numbers["a"] + numbers["b"]))


def results(sweep: ModuleType, clock: Clock, done: Mapping[Any, Result]) -> dict[Any, Result]:
    points = sweep.left_of(LATTICE, done)
    codes = ["error: no such function" if point == (1, 4) else CODE for point in points]
    made: list[tuple[Any, Result]] = []
    rows = ((p, sweep.numbers_of(LATTICE, p), code) for p, code in zip(points, codes, strict=True))
    try:
        made.extend(sweep.results_of(clock, rows))
    except CudaError:
        made.append(("ended", Result(None, "fault")))
    return dict(made)


def test_the_task_s_own_numbers_come_first_and_failures_are_results(sweep: ModuleType) -> None:
    made = results(sweep, Clock(), {})
    assert list(made) == [(1, 2), (1, 1), (1, 4), (2, 1), "ended"]
    assert made[1, 2] == Result(3.0) and made[1, 1] == Result(2.0)
    assert made[1, 4].failure == "compiler: error: no such function"
    assert made[2, 1].failure.startswith("fault: cuCtxSynchronize")


def test_what_is_done_is_not_measured_again(sweep: ModuleType) -> None:
    clock = Clock()
    made = results(sweep, clock, results(sweep, Clock(), {}))
    assert clock.seen == [(2, 2)] and made[2, 2] == Result(4.0)


def test_a_file_holds_the_points_in_the_order_of_the_space(sweep: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "made.json"
    sweep.save(path, recorded(LATTICE, {(2, 1): 1.0, (1, 2): 2.0}), LATTICE)
    assert list(read_sweep(path).results) == [(1, 2), (2, 1)]
    assert [each.name for each in path.parent.iterdir()] == ["made.json"]


def test_a_part_of_a_space(sweep: ModuleType) -> None:
    part = sweep.chosen_points(LATTICE, ["b=2,1"])
    assert part.points == ((1, 1), (1, 2), (2, 1), (2, 2)) and part.values == ((1, 2), (1, 2))
    with pytest.raises(SystemExit, match="leaves out the task's own numbers"):
        sweep.chosen_points(LATTICE, ["b=1"])
    with pytest.raises(SystemExit, match="tunables are a, b"):
        sweep.chosen_points(LATTICE, ["c=1"])


def test_cases_by_name(sweep: ModuleType) -> None:
    softmax = task()
    assert sweep.case_of(softmax, "half").name == "half"
    assert sweep.case_of(softmax, None) == (*softmax.timed, *softmax.shown)[0]
    with pytest.raises(SystemExit, match="no case 'none'"):
        sweep.case_of(softmax, "none")
    assert lattice_of(softmax, softmax.seed) is not None
