"""Where a candidate meets what it is compared with: inside MLX, or with the GPU's driver alone."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

from cu2mlx.refine.baselines import Baseline, declared, load_baselines
from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.binding import Bound, bind
from cu2mlx.refine.evaluate.cuda_clock import cuda_clock
from cu2mlx.refine.evaluate.cuda_device import COPIED_BYTES, CudaLauncher
from cu2mlx.refine.evaluate.device import NOT_A_NUMBER, Stopwatch, TimedDevice
from cu2mlx.refine.evaluate.head_start import HeadStart
from cu2mlx.refine.evaluate.mlx_device import MlxLauncher
from cu2mlx.refine.evaluate.mlx_operation import (
    arrays_of,
    cuda_operation,
    from_mlx,
    metal_operation,
    original_operation,
)
from cu2mlx.refine.evaluate.mlx_timing import Applied, Chain, link, peak_bytes
from cu2mlx.refine.evaluate.statistics import median
from cu2mlx.refine.task import Task
from cu2mlx.runtime.compare import Tolerance, agree, tolerances
from cu2mlx.runtime.dtypes import EPSILON
from cu2mlx.runtime.inputs import Inputs
from cu2mlx.runtime.spec import Case

if TYPE_CHECKING:
    from cu2mlx.refine.evaluate.mlx_operation import Arrays, Operation

CANDIDATE, NAIVE, ORIGINAL = "candidate", "naive translation", "CUDA original"
BASELINE_SLACK = 8.0  # of a kernel's tolerance
# Of the largest value, in the output's type: MLX's own operations round to it in between.
BASELINE_ROUNDINGS = 2


@dataclass(frozen=True, slots=True)
class Contender:
    """`peak_bytes`: the memory that one call needs, None where nobody counts it."""

    name: str
    stopwatch: Stopwatch
    peak_bytes: int | None
    free: Callable[[], None]


class Arena(Protocol):
    @property
    def device(self) -> str: ...

    def contenders(self, task: Task, candidate: Candidate, case: Case) -> Iterator[Contender | str]:
        """The candidate first; a text says why one is left out. None at all where the case launches nothing."""
        ...

    def copy_bandwidth(self) -> float:
        """Bytes read and written per second by a copy, measured here and now."""
        ...


def baseline_tolerances(task: Task, data: Inputs) -> dict[str, Tolerance]:
    """Of each output: wider than a kernel's, which may sum half results in float and round them once."""
    found = {}
    for name, row in tolerances(task.spec, data.dtypes).items():
        rounded = BASELINE_ROUNDINGS * EPSILON.get(data.dtypes[name], 0.0)
        found[name] = replace(row.times(BASELINE_SLACK), scale=row.scale * BASELINE_SLACK + rounded)
    return found


def arena(device: TimedDevice) -> Arena:
    """Inside MLX where it has a back end for this device."""
    from cu2mlx.runtime.cuda import mlx_operation

    launcher = device.launcher
    if isinstance(launcher, MlxLauncher):
        return MlxArena(device, launcher, launcher.head_start)
    assert isinstance(launcher, CudaLauncher)
    reason = mlx_operation.unavailable()
    return (
        MlxArena(device, None, HeadStart(cuda_clock))
        if reason is None
        else DriverArena(device, launcher, reason)
    )


@dataclass(frozen=True, slots=True)
class MlxArena:
    """`metal`: who launches Metal's text, None on NVIDIA's GPUs. `head_start`: as Chain's."""

    timed: TimedDevice
    metal: MlxLauncher | None
    head_start: HeadStart | None

    @property
    def device(self) -> str:
        from importlib.metadata import version

        return f"{self.timed.device.split(' (')[0]} (inside MLX {version('mlx')})"

    def contenders(self, task: Task, candidate: Candidate, case: Case) -> Iterator[Contender | str]:
        sets = self.timed.rotated(task, case)
        if 0 in sets[0].launch.grid:
            return
        arrays = [arrays_of(each) for each in sets]
        bound = bind(task, sets[0], fill=NOT_A_NUMBER)

        def contender(name: str, operation: "Operation") -> Contender:
            applied = [Applied(operation, each) for each in arrays]
            chain = Chain(applied, link(task, sets[0]), self.head_start)
            return Contender(name, chain, peak_bytes(applied[0]), chain.free)

        yield contender(CANDIDATE, self._kernel(task, candidate, case, bound))
        if candidate.key != task.seed.key:
            yield contender(NAIVE, self._kernel(task, task.seed, case, bound))
        if self.metal is None:
            yield contender(ORIGINAL, original_operation(task, sets[0]))
        for baseline in load_baselines(task):
            wrong = self._difference(task, baseline, sets[0])
            yield contender(baseline.name, baseline.operation(sets[0])) if wrong is None else wrong

    def _kernel(self, task: Task, candidate: Candidate, case: Case, bound: Bound) -> "Operation":
        if self.metal is not None:
            return metal_operation(self.metal.metal_kernel, task, candidate, case, bound)
        return cuda_operation(task, candidate, case, bound)

    def _difference(self, task: Task, baseline: Baseline, data: Inputs) -> str | None:
        """Why a baseline does not count: it computes something else."""
        outputs = baseline.operation(data)(arrays_of(data))
        found = {name: from_mlx(outputs[name]) for name in task.spec.outputs if name in data.buffers}
        expected = self.timed.oracle.outputs(task, data)
        if agree(expected, found, data.dtypes, baseline_tolerances(task, data)):
            return None
        return f"{baseline.name}: its results differ from the reference's on {data.resolved.case.name!r}"

    def copy_bandwidth(self) -> float:
        """Of the driver's, where there is one; else of MLX's own: one more than each number of an array."""
        if isinstance(self.timed.launcher, CudaLauncher):
            return self.timed.launcher.copy_bandwidth()
        import mlx.core as mx

        def copy(arrays: "Arrays") -> "Arrays":
            return {"y": arrays["x"] + 1}

        numbers = mx.zeros(COPIED_BYTES // 4, mx.float32)
        mx.eval(numbers)
        chain = Chain([Applied(copy, {"x": numbers})], ("y", "x"), self.head_start)
        return 2 * COPIED_BYTES / median([chain.seconds() for _ in range(5)])


@dataclass(frozen=True, slots=True)
class DriverArena:
    """Without MLX there are no baselines; `reason` says why."""

    timed: TimedDevice
    launcher: CudaLauncher
    reason: str

    @property
    def device(self) -> str:
        return self.launcher.device

    def contenders(self, task: Task, candidate: Candidate, case: Case) -> Iterator[Contender | str]:
        mine = self.timed.calls(task, candidate, case)
        if not mine:
            return
        yield self._contender(CANDIDATE, mine)
        if candidate.key != task.seed.key:
            yield self._contender(NAIVE, self.timed.calls(task, task.seed, case))
        originals = (self.launcher.original(task, each) for each in self.timed.rotated(task, case))
        yield self._contender(ORIGINAL, [each for each in originals if each is not None])
        for name, _ in declared(task):
            yield f"{name}: {self.reason}"

    def _contender(self, name: str, calls: Sequence[Any]) -> Contender:
        stopwatch = self.launcher.stopwatch(calls)

        def free() -> None:
            stopwatch.free()
            for call in calls:
                call.free()

        return Contender(name, stopwatch, None, free)

    def copy_bandwidth(self) -> float:
        return self.launcher.copy_bandwidth()
