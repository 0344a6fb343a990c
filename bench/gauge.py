"""Checks and times the points of one case on an NVIDIA GPU, for bench/sweep.py."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Protocol

from cu2mlx.refine.evaluate.binding import launch_of
from cu2mlx.refine.evaluate.cuda_device import CudaCall, CudaLauncher
from cu2mlx.refine.evaluate.device import ROTATED_BYTES
from cu2mlx.refine.evaluate.oracle import Oracle
from cu2mlx.refine.propose.tune.lattice import Point
from cu2mlx.refine.simulate.sweep import Result
from cu2mlx.refine.task import Task
from cu2mlx.runtime.cuda.driver import CudaError
from cu2mlx.runtime.cuda.graph import Graph, Work, graph
from cu2mlx.runtime.cuda.nvrtc import Cubin
from cu2mlx.runtime.inputs import Inputs, make_inputs
from cu2mlx.runtime.protocol import Launch
from cu2mlx.runtime.spec import Case

ROUNDS = 5
HOPELESS = 5  # times slower than the fastest so far: launched alone is measured enough
SHORTEST = 1e-3  # seconds; the start of a single launch takes a part of less
DRIFT = 2.0  # seconds after which the task's own numbers are measured again
MOST_SETS = 8
SEED = 1
HOW = (
    f"median of {ROUNDS} measurements of {{count}} launches in a CUDA graph, each on inputs of its own; put right by "
    f"the task's own numbers, measured every {DRIFT:g} s, for the drift of the clock. What took over {HOPELESS} times "
    "as long as the fastest so far was launched alone"
)


@dataclass(slots=True)
class Gauge:
    """All points share the inputs: numbers change the launch only. `first`: seconds of the task's own numbers when
    they were measured first, 0.0 before."""

    launcher: CudaLauncher
    task: Task
    case: Case
    data: Inputs = field(init=False, repr=False)
    calls: list[CudaCall] = field(init=False, repr=False)
    first: float = field(init=False, default=0.0)
    _oracle: Oracle = field(init=False, default_factory=Oracle, repr=False)
    _fastest: float = field(init=False, default=float("inf"))
    _own: Graph = field(init=False, repr=False)
    _drift: float = field(init=False, default=1.0)
    _looked: float = field(init=False, default=0.0)  # when the drift was measured, by this machine's clock

    def __post_init__(self) -> None:
        """Makes the inputs and what is right of them. Raises CompileError, OracleError; ValueError for a case that
        launches nothing."""
        self.data = make_inputs(self.task.spec, self.case, SEED)
        self._oracle.outputs(self.task, self.data)
        size = sum(array.nbytes for array in self.data.buffers.values())
        count = max(2, min(MOST_SETS, -(-ROTATED_BYTES // max(size, 1))))
        made = [self.launcher.call(self.task, self.task.seed, self.case, self.data) for _ in range(count)]
        self.calls = [each for each in made if each is not None]
        if not self.calls:
            raise ValueError(f"case {self.case.name!r} launches nothing")

    @property
    def how(self) -> str:
        return HOW.format(count=len(self.calls))

    def start(self, cubin: Cubin, numbers: Mapping[str, int]) -> Result:
        """The task's own numbers, which every point is put beside."""
        calls = self._calls(cubin, numbers)
        self._alone(calls[0])
        if not self._is_right(calls[0]):
            return Result(None, "wrong")
        self._own = self._graph(calls)
        self.first = self._fastest = median(self._own.seconds() for _ in range(ROUNDS))
        self._looked = time.monotonic()
        return Result(self.first)

    def measure(self, cubin: Cubin, numbers: Mapping[str, int]) -> Result:
        """Raises CudaError where a fault of the kernel has ended the context."""
        calls = self._calls(cubin, numbers)
        try:
            alone = self._alone(calls[0])
        except CudaError as error:
            if "cuLaunchKernel" in str(error):
                return Result(None, f"launch: {error}")
            raise
        if not self._is_right(calls[0]):
            return Result(None, "wrong")
        if alone > (limit := max(SHORTEST, HOPELESS * self._fastest)):
            alone = min(alone, self._alone(calls[0]))  # now it is loaded
            if alone > limit:
                return Result(alone)
        mine = self._graph(calls)
        measured = median(mine.seconds() for _ in range(ROUNDS)) / self._current_drift()
        mine.free()
        self._fastest = min(self._fastest, measured)
        return Result(measured)

    def _calls(self, cubin: Cubin, numbers: Mapping[str, int]) -> list[CudaCall]:
        launch, _ = launch_of(self.task, self.task.seed.with_numbers(numbers), self.case)
        function = self.launcher.driver.function(cubin)
        plain = Launch(launch.grid, launch.block)
        return [replace(each, work=Work(function, plain, each.work.arguments)) for each in self.calls]

    def _alone(self, call: CudaCall) -> float:
        """Seconds of one launch that finds no old outputs. Raises CudaError."""
        call.reset()
        return self.launcher.driver.seconds(call.work.function, call.work.launch, call.work.arguments, 1)

    def _graph(self, calls: list[CudaCall]) -> Graph:
        return graph(self.launcher.driver, [each.work for each in calls])

    def _is_right(self, launched: CudaCall) -> bool:
        """Of what its launch has left in the outputs."""
        return self._oracle.difference(self.task, self.data, launched.outputs()) is None

    def _current_drift(self) -> float:
        """How much slower the GPU is now than at first."""
        if time.monotonic() - self._looked > DRIFT:
            self._drift = median(self._own.seconds() for _ in range(ROUNDS)) / self.first
            self._looked = time.monotonic()
        return self._drift


class Measures(Protocol):
    """Who measures points, the task's own numbers first."""

    def start(self, cubin: Cubin, numbers: Mapping[str, int]) -> Result: ...
    def measure(self, cubin: Cubin, numbers: Mapping[str, int]) -> Result: ...


def results_of(
    gauge: Measures, points: Iterable[tuple[Point, Mapping[str, int], Cubin | str]]
) -> Iterator[tuple[Point, Result]]:
    """Each point as soon as it is measured. Raises CudaError after the point that has ended the context, and
    SystemExit where the task's own numbers, with which all others are compared, fail."""
    first = True
    for point, numbers, code in points:
        try:
            if isinstance(code, str):
                result = Result(None, f"compiler: {code}")
            else:
                result = gauge.start(code, numbers) if first else gauge.measure(code, numbers)
        except CudaError as error:
            if first:
                raise SystemExit(f"error: the task's own numbers fail: {error}") from None
            yield point, Result(None, f"fault: {error}")
            raise
        if first and result.seconds is None:
            raise SystemExit(f"error: the task's own numbers fail: {result.failure}")
        first = False
        yield point, result
