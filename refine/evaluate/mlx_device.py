"""Correctness and time of candidates on a device, through mx.fast.metal_kernel.

Written for Apple's GPUs and tested with the CPU machine in Metal's place; it has not run on Apple hardware.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import TYPE_CHECKING, Any

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate import statistics
from cu2mlx.refine.evaluate.binding import Bound, bind, launch_of
from cu2mlx.refine.evaluate.oracle import Oracle
from cu2mlx.refine.evaluate.verdict import Status, Timing, Verdict
from cu2mlx.refine.task import Task
from cu2mlx.runtime.compare import compare_outputs, render, tolerances
from cu2mlx.runtime.dtypes import storage
from cu2mlx.runtime.inputs import make_inputs
from cu2mlx.runtime.protocol import Value
from cu2mlx.runtime.spec import Case
from cu2mlx.transpiler.binding.interface import Role
from cu2mlx.transpiler.binding.signature import SMALLEST_DEVICE_ARRAY, Buffer, TemplateValue

if TYPE_CHECKING:
    import mlx.core as mx
    import numpy as np

    Array = np.ndarray[Any, Any]

FIRST_SEED = 40_011
ROTATED_BYTES = 256 << 20  # distinct inputs per case: more than any cache holds
MAXIMUM_ROTATION = 16
NOT_A_NUMBER = 0xFF


@dataclass(frozen=True, slots=True)
class MlxDevice:
    """`metal_kernel` is mx.fast.metal_kernel or what stands in for it; `pairs` measurements per case."""

    device: str
    metal_kernel: Callable[..., Any]
    oracle: Oracle
    pairs: int = 30

    def check(self, task: Task, candidate: Candidate) -> Verdict | None:
        """Every shown and timed case on the device, on fresh data, against the oracle; None where all is right."""
        for case in (*task.shown, *task.timed):
            calls = self._calls(task, candidate, case, 1)
            verdict = None if calls is None else self._compare(task, case, calls[0])
            if verdict is not None:
                return verdict
        return None

    def time(self, task: Task, candidate: Candidate) -> Timing:
        """Candidate and baseline in turns, A-B-B-A; each call has other inputs and ends before the clock stops."""
        seconds = baseline = 0.0
        lows, highs, noises = [], [], []
        for case in task.timed or task.shown:
            count = _rotation(task, case)
            mine, seeds = (self._calls(task, each, case, count) for each in (candidate, task.seed))
            if mine is None or seeds is None:
                continue
            first, second = _stopwatch(seeds), _stopwatch(mine)
            for _ in range(2 * count):  # compilation and warm-up
                first(), second()
            noises.append(statistics.noise_floor(first, self.pairs))
            of_seed, of_candidate = statistics.interleaved(first, second, self.pairs)
            found = statistics.ratio(of_seed, of_candidate)
            lows.append(found.low)
            highs.append(found.high)
            baseline += statistics.median(of_seed)
            seconds += statistics.median(of_candidate)
        return Timing(self.device, seconds, baseline, max(noises), min(lows), max(highs))

    def _calls(self, task: Task, candidate: Candidate, case: Case, count: int) -> "list[_Call] | None":
        """The same launch on `count` sets of inputs; None where a case launches nothing."""
        import mlx.core as mx

        launch, template = launch_of(task, candidate, case)
        if 0 in launch.grid:
            return None
        binding = task.binding
        kernel = self.metal_kernel(
            name=f"candidate_{candidate.key}",
            input_names=[each.name for each in binding.inputs],
            output_names=[each.name for each in binding.outputs],
            source=candidate.body,
            header=candidate.header,
        )
        grid = [groups * size for groups, size in zip(launch.grid, launch.block, strict=True)]
        values = [(name, _template_value(template[name])) for name in binding.template]
        zeroed = any(each.parameter.role in (Role.INOUT, Role.ACCUMULATED) for each in binding.outputs)
        calls = []
        for number in range(count):
            bound = bind(task, make_inputs(task.spec, case, FIRST_SEED + number), fill=NOT_A_NUMBER)
            arrays = [
                _to_mlx(argument, buffer, template)
                for argument, buffer in zip(bound.arguments, binding.inputs, strict=False)
            ]
            mx.eval(arrays)
            options = {
                "inputs": arrays,
                "output_shapes": [(array.size,) for array in bound.written.values()],
                "output_dtypes": [getattr(mx, each.dtype(template)) for each in binding.outputs],
                "grid": tuple(grid),
                "threadgroup": launch.block,
                "template": values or None,
                "init_value": 0 if zeroed else None,
            }
            calls.append(_Call(kernel, options, bound))
        return calls

    def _compare(self, task: Task, case: Case, call: "_Call") -> Verdict | None:
        data = call.bound.data
        results = call.results()
        allowed = tolerances(task.spec, data.dtypes)
        comparison = compare_outputs(self.oracle.outputs(task, data), results, data.dtypes, allowed)
        if comparison.same:
            return None
        return Verdict(Status.WRONG, "device", f"case {case.name!r} on {self.device}:\n{render(comparison)}")


@dataclass(frozen=True, slots=True)
class _Call:
    kernel: "Callable[..., list[mx.array]]"
    options: dict[str, Any]
    bound: Bound

    def run(self) -> "list[mx.array]":
        """Runs to the end: lazily made results would be timed as nothing."""
        import mlx.core as mx

        outputs = self.kernel(**self.options)
        mx.eval(outputs)
        return outputs

    def results(self) -> "dict[str, Array]":
        import mlx.core as mx
        import numpy as np

        for array, made in zip(self.bound.written.values(), self.run(), strict=True):
            bits = made.view(mx.uint16) if made.dtype == mx.bfloat16 else made
            array[...] = np.array(bits).view(array.dtype).reshape(array.shape)
        return self.bound.results()


def _stopwatch(calls: "Sequence[_Call]") -> Callable[[], float]:
    """Measures one call after the other, in seconds, round and round."""
    turn = cycle(calls)

    def measure() -> float:
        call = next(turn)
        start = time.perf_counter()
        call.run()
        return time.perf_counter() - start

    return measure


def _rotation(task: Task, case: Case) -> int:
    """How many sets of inputs it takes to pass the caches."""
    data = make_inputs(task.spec, case, FIRST_SEED)
    size = sum(array.nbytes for array in data.buffers.values())
    return max(2, min(MAXIMUM_ROTATION, ROTATED_BYTES // max(size, 1)))


def _template_value(value: TemplateValue) -> "int | bool | mx.Dtype":
    import mlx.core as mx

    if isinstance(value, str):
        dtype: mx.Dtype = getattr(mx, "bool_" if value == "bool" else value)
        return dtype
    return value


def _to_mlx(argument: "Array | Value", buffer: Buffer, template: dict[str, TemplateValue]) -> "mx.array":
    """As the emitted module passes it: buffers flat and of at least SMALLEST_DEVICE_ARRAY elements."""
    import mlx.core as mx
    import numpy as np

    dtype = buffer.dtype(template)
    if isinstance(argument, Value):
        values = np.frombuffer(argument.data, storage(dtype))
        flat = values[0] if buffer.lanes == 1 else values
    elif buffer.is_size:
        flat = argument
    else:
        values = argument.reshape(-1)
        flat = np.zeros(max(values.size, SMALLEST_DEVICE_ARRAY), values.dtype)
        flat[: values.size] = values
    array = mx.array(np.asarray(flat))
    return array.view(mx.bfloat16) if dtype == "bfloat16" else array


def device_here() -> MlxDevice | None:
    """Apple's GPU through MLX, None where there is none."""
    try:
        import mlx.core as mx
    except ImportError:
        return None
    if not mx.metal.is_available():
        return None
    name = str(mx.device_info().get("device_name", "Apple GPU"))
    return MlxDevice(name, mx.fast.metal_kernel, Oracle())
