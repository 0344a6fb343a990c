"""Launches candidates through mx.fast.metal_kernel.

Written for Apple's GPUs and tested with the CPU machine in Metal's place; it has not run on Apple hardware.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.binding import Bound, bind, launch_of
from cu2mlx.refine.evaluate.device import NOT_A_NUMBER, LaunchError
from cu2mlx.refine.evaluate.head_start import HeadStart
from cu2mlx.refine.evaluate.mlx_operation import arrays_of, from_mlx, metal_operation
from cu2mlx.refine.evaluate.mlx_timing import Applied, Chain, link
from cu2mlx.refine.task import Task
from cu2mlx.runtime.inputs import Inputs
from cu2mlx.runtime.spec import Case

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class MlxLauncher:
    """`metal_kernel` is mx.fast.metal_kernel or what stands in for it; `head_start` is None where that is not lazy."""

    device: str
    metal_kernel: Callable[..., Any]
    head_start: HeadStart | None

    def call(
        self, task: Task, candidate: Candidate, case: Case, data: Inputs, beside: "MlxCall | None" = None
    ) -> "MlxCall | None":
        """None where the case launches nothing."""

        launch, _ = launch_of(task, candidate, case)
        if 0 in launch.grid:
            return None
        bound = bind(task, data, fill=NOT_A_NUMBER, beside=None if beside is None else beside.bound)
        operation = metal_operation(self.metal_kernel, task, candidate, case, bound)
        arrays = arrays_of(data) if beside is None else beside.applied.arrays
        return MlxCall(Applied(operation, arrays), bound)

    def compile(self, task: Task, candidate: Candidate, cases: Sequence[Case]) -> None:
        """MLX compiles a kernel when it first runs."""

    def stopwatch(self, calls: "Sequence[MlxCall]") -> Chain:
        bound = calls[0].bound
        return Chain([each.applied for each in calls], link(bound.task, bound.data), self.head_start)


@dataclass(frozen=True, slots=True)
class MlxCall:
    applied: Applied
    bound: Bound

    def results(self) -> "dict[str, Array]":
        """Of one launch: MLX's outputs are fresh each time. Raises LaunchError."""
        import mlx.core as mx

        made = self.applied.operation(self.applied.arrays)
        try:
            mx.eval(list(made.values()))
        except (RuntimeError, ValueError) as error:  # what MLX says of a text or a launch that Metal refuses
            raise LaunchError(str(error)[:2000]) from None
        for name, array in self.bound.written.items():
            array[...] = from_mlx(made[name]).view(array.dtype).reshape(array.shape)
        return self.bound.results()

    def changed_inputs(self) -> list[str]:
        """Buffers whose contents are no longer what they were made of."""
        buffers = self.bound.data.buffers
        return [
            name
            for name, array in self.applied.arrays.items()
            if from_mlx(array).tobytes() != buffers[name].tobytes()
        ]

    def free(self) -> None:
        """MLX frees arrays by itself."""


def launcher_here() -> MlxLauncher | None:
    """Apple's GPU, None where there is none."""
    try:
        import mlx.core as mx
    except ImportError:
        return None
    if not mx.metal.is_available():
        return None
    return MlxLauncher(
        str(mx.device_info().get("device_name", "Apple GPU")), mx.fast.metal_kernel, HeadStart()
    )
