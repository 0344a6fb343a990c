"""Launches candidates through mx.fast.metal_kernel.

Written for Apple's GPUs and tested with the CPU machine in Metal's place; it has not run on Apple hardware.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.binding import Bound, bind, launch_of
from cu2mlx.refine.evaluate.device import NOT_A_NUMBER
from cu2mlx.refine.task import Task
from cu2mlx.runtime.dtypes import storage
from cu2mlx.runtime.inputs import Inputs
from cu2mlx.runtime.protocol import Value
from cu2mlx.runtime.spec import Case
from cu2mlx.transpiler.binding.interface import Role
from cu2mlx.transpiler.binding.signature import SMALLEST_DEVICE_ARRAY, Buffer, TemplateValue

if TYPE_CHECKING:
    import mlx.core as mx
    import numpy as np

    Array = np.ndarray[Any, Any]


@dataclass(frozen=True, slots=True)
class MlxLauncher:
    """`metal_kernel` is mx.fast.metal_kernel or what stands in for it."""

    device: str
    metal_kernel: Callable[..., Any]

    def call(self, task: Task, candidate: Candidate, case: Case, data: Inputs) -> "MlxCall | None":
        """None where the case launches nothing."""
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
        bound = bind(task, data, fill=NOT_A_NUMBER)
        arrays = [
            _to_mlx(argument, buffer, template)
            for argument, buffer in zip(bound.arguments, binding.inputs, strict=False)
        ]
        mx.eval(arrays)
        zeroed = any(each.parameter.role in (Role.INOUT, Role.ACCUMULATED) for each in binding.outputs)
        options = {
            "inputs": arrays,
            "output_shapes": [(array.size,) for array in bound.written.values()],
            "output_dtypes": [_dtype(each.dtype(template)) for each in binding.outputs],
            "grid": tuple(groups * size for groups, size in zip(launch.grid, launch.block, strict=True)),
            "threadgroup": launch.block,
            "template": [(name, _template_value(template[name])) for name in binding.template] or None,
            "init_value": 0 if zeroed else None,
        }
        return MlxCall(kernel, options, bound)


@dataclass(frozen=True, slots=True)
class MlxCall:
    kernel: "Callable[..., list[mx.array]]"
    options: dict[str, Any]
    bound: Bound

    def seconds(self) -> float:
        """By this machine's clock, to the end of the launch: lazily made results would be timed as nothing."""
        start = time.perf_counter()
        self._run()
        return time.perf_counter() - start

    def results(self) -> "dict[str, Array]":
        import mlx.core as mx
        import numpy as np

        for array, made in zip(self.bound.written.values(), self._run(), strict=True):
            bits = made.view(mx.uint16) if made.dtype == mx.bfloat16 else made
            array[...] = np.array(bits).view(array.dtype).reshape(array.shape)
        return self.bound.results()

    def free(self) -> None:
        """MLX frees arrays by itself."""

    def _run(self) -> "list[mx.array]":
        import mlx.core as mx

        outputs = self.kernel(**self.options)
        mx.eval(outputs)
        return outputs


def _dtype(name: str) -> "mx.Dtype":
    import mlx.core as mx

    dtype: mx.Dtype = getattr(mx, "bool_" if name == "bool" else name)
    return dtype


def _template_value(value: TemplateValue) -> "int | bool | mx.Dtype":
    return _dtype(value) if isinstance(value, str) else value


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


def launcher_here() -> MlxLauncher | None:
    """Apple's GPU, None where there is none."""
    try:
        import mlx.core as mx
    except ImportError:
        return None
    if not mx.metal.is_available():
        return None
    return MlxLauncher(str(mx.device_info().get("device_name", "Apple GPU")), mx.fast.metal_kernel)
