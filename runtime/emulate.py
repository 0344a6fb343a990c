"""mx.fast.metal_kernel without Metal: the same constructor and call, run by the CPU machine.

Emitted modules use it where CU2MLX_DEVICE=cpu is set. What runs is the text that MLX would generate for
Metal. Unlike Metal's it runs at once, so it does not work inside mx.compile.
"""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, cast

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.protocol import KernelText, Launch, Status
from cu2mlx.transpiler.binding.generator import (
    SHAPE_ARGUMENTS,
    Input,
    Output,
    function_name,
    metal_source,
)
from cu2mlx.transpiler.binding.signature import TemplateValue

if TYPE_CHECKING:
    import mlx.core as mx
    import numpy as np

    Array = np.ndarray[Any, Any]


# What generated kernels use of the text that MLX puts before them.
PREAMBLE = """#include <metal_stdlib>
using namespace metal;
typedef half float16_t;
typedef bfloat bfloat16_t;
#line 1
"""


def metal_kernel(
    name: str,
    input_names: Sequence[str],
    output_names: Sequence[str],
    source: str,
    header: str = "",
    ensure_row_contiguous: bool = True,
    atomic_outputs: bool = False,
    compile_options: object = None,
) -> "Callable[..., list[mx.array]]":
    """As mx.fast.metal_kernel; inputs are always made contiguous, and the mathematics is always precise."""

    def call(
        *,
        inputs: "Sequence[mx.array]",
        output_shapes: Sequence[tuple[int, ...]],
        output_dtypes: "Sequence[mx.Dtype]",
        grid: tuple[int, int, int],
        threadgroup: tuple[int, int, int],
        template: "Sequence[tuple[str, int | bool | mx.Dtype]] | None" = None,
        init_value: float | None = None,
        verbose: bool = False,
        stream: object = None,
    ) -> "list[mx.array]":
        """`grid` in threads. Raises RuntimeError where the kernel does not run to its end."""
        bound = [
            Input(input_name, _dtype_name(array.dtype), array.size, array.ndim)
            for input_name, array in zip(input_names, inputs, strict=True)
        ]
        made = [
            Output(output_name, _dtype_name(dtype))
            for output_name, dtype in zip(output_names, output_dtypes, strict=True)
        ]
        values = [(key, _template_value(value)) for key, value in template or ()]
        text = metal_source(name, bound, made, values, header, source, atomic_outputs=atomic_outputs)
        if verbose:
            print(text)
        arguments: list[Array] = []
        for item, array in zip(bound, inputs, strict=True):
            arguments += [_to_numpy(array), *_shape_arguments(item, array, source)]
        shapes = zip(output_shapes, output_dtypes, strict=True)
        results = [_output(shape, dtype, init_value) for shape, dtype in shapes]
        block = tuple(min(size, threads) for size, threads in zip(threadgroup, grid, strict=True))
        groups = tuple(-(-threads // size) for size, threads in zip(block, grid, strict=True))
        launch = Launch((groups[0], groups[1], groups[2]), (block[0], block[1], block[2]), threads=grid)
        entry = function_name(name, bound, made, values)
        kernel = CpuExecutor().load(KernelText("msl", PREAMBLE + text, entry))
        outcome = kernel.run([*arguments, *results], launch)
        if outcome.status is not Status.OK:
            raise RuntimeError(f"{name}: {outcome.status}: {outcome.message}")
        arrays = [_to_mlx(result, dtype) for result, dtype in zip(results, output_dtypes, strict=True)]
        return _without_gradient(name, inputs, arrays)

    return call


def _without_gradient(name: str, inputs: "Sequence[mx.array]", outputs: "list[mx.array]") -> "list[mx.array]":
    """The outputs, made from the inputs as far as MLX knows, but by no operation that it can differentiate."""
    import mlx.core as mx

    def refuse(*_: object) -> NoReturn:
        raise ValueError(f"{name}: MLX has no gradient of a kernel; cu2mlx translate --gradient makes one")

    @mx.custom_function
    def kernel(*_: mx.array) -> tuple[mx.array, ...]:
        return tuple(outputs)

    kernel.vjp(refuse)
    kernel.jvp(refuse)
    return list(cast("tuple[mx.array, ...]", kernel(*inputs))) if inputs else outputs


def _dtype_name(dtype: "mx.Dtype") -> str:
    return str(dtype).removeprefix("mlx.core.")


def _template_value(value: "int | bool | mx.Dtype") -> TemplateValue:
    return value if isinstance(value, int) else _dtype_name(value)


def _to_numpy(array: "mx.array") -> "Array":
    """The elements as the kernel reads them, never written to; bfloat16 as its bits."""
    import mlx.core as mx
    import numpy as np

    values = np.array(array.view(mx.uint16) if array.dtype == mx.bfloat16 else array)
    values.flags.writeable = False
    return values


def _to_mlx(values: "Array", dtype: "mx.Dtype") -> "mx.array":
    import mlx.core as mx

    array = mx.array(values)
    return array.view(dtype) if dtype == mx.bfloat16 else array


def _output(shape: tuple[int, ...], dtype: "mx.Dtype", init_value: float | None) -> "Array":
    """A buffer as MLX would allocate it: what nobody sets has every bit set, which is NaN for floats."""
    import mlx.core as mx
    import numpy as np

    values = _to_numpy(mx.full(shape, init_value or 0, dtype=dtype)).copy()
    if init_value is None:
        values.reshape(-1).view(np.uint8)[...] = 0xFF
    return values


def _shape_arguments(item: Input, array: "mx.array", source: str) -> "list[Array]":
    """The arrays that MLX binds for `NAME_shape`, `NAME_strides` and `NAME_ndim` where the body has them."""
    import numpy as np

    if item.ndim == 0:
        return []
    strides = np.cumprod([1, *reversed(array.shape[1:])])[::-1]
    found: dict[str, Array] = {
        "_shape": np.array(array.shape, np.int32),
        "_strides": strides.astype(np.int64),
        "_ndim": np.array([array.ndim], np.int32),
    }
    return [found[suffix] for suffix, _ in SHAPE_ARGUMENTS if item.name + suffix in source]
