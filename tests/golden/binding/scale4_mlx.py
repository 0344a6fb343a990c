"""MLX operations translated from scale4.cu by cu2mlx.

Needs mlx alone: Metal runs the translation, MLX's CUDA back end the original text. Every function takes the CUDA
kernel's arguments in its order, without the buffers it only writes, and returns the buffers it writes. `grid`
counts blocks and `block` threads, as in CUDA. Where an argument does not fit, a ValueError says what to do.

With CU2MLX_DEVICE=cpu in the environment (and cu2mlx installed) the kernels run on cu2mlx's CPU machine:
`cu2mlx.runtime.emulate.metal_kernel` has the signature and the call of mx.fast.metal_kernel.
"""

# ruff: noqa: E501, N802, N803, N806, RUF100, W291, W293

import math
import os
from collections.abc import Sequence
from functools import cache, partial
from importlib import import_module
from typing import Any, NamedTuple

import mlx.core as mx

Scalar = bool | int | float | mx.array
Size = int | Sequence[int]
Stream = mx.Stream | mx.Device | mx.DeviceType | None


class _Kernel(NamedTuple):
    """Both texts of a kernel, what MLX binds to them, and the largest block it may be launched with."""

    name: str
    digest: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    metal_header: str
    metal_body: str
    cuda_header: str
    cuda_body: str
    max_threads: int = 1024
    dynamic_shared: bool = False
    launch: str = ""


class _Output(NamedTuple):
    """An array to make. What `before` is to it:

    owned: each element is read and written by one thread; inout: the kernel reads and writes it at will, so on
    Metal it gives the bits that changed; accumulated: the kernel gives what is added to it.
    """

    shape: tuple[int, ...]
    dtype: mx.Dtype
    before: mx.array | None = None
    role: str = "out"

    @property
    def made(self) -> mx.Dtype:
        """The dtype that the Metal kernel writes."""
        if self.role != "inout":
            return self.dtype
        return {1: mx.uint8, 2: mx.uint16, 4: mx.uint32, 8: mx.uint64}[self.dtype.size]

    @property
    def room(self) -> tuple[int, ...]:
        """The shape that the kernel writes: an element at least, since MLX's CUDA back end crashes on an output
        without any; whole words where the kernel may update 8 and 16-bit elements atomically."""
        size = math.prod(self.shape)
        room = max(size, 1)
        if self.role in ("inout", "accumulated"):
            room += -room % max(1, 4 // self.dtype.size)
        return self.shape if room == size else (room,)

    def result(self, made: mx.array) -> mx.array:
        """The array after the kernel, from what the kernel made."""
        if 0 in self.shape:
            return self.unchanged
        if made.shape != self.shape:
            made = made[: math.prod(self.shape)].reshape(self.shape)
        if self.before is None or self.role == "owned":
            return made
        if self.role == "accumulated":
            return self.before + made
        return (self.before.view(made.dtype) ^ made).view(self.dtype)

    @property
    def unchanged(self) -> mx.array:
        """The array where nothing is written."""
        return mx.zeros(self.shape, self.dtype) if self.before is None else self.before


_SCALE4 = _Kernel(
    name="scale4",
    digest="e7aef076",
    inputs=("x", "factor"),
    outputs=("grid",),
    metal_header="",
    metal_body="""uint i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
((device float4*)grid)[i] = ((const device float4*)x)[i] * *(const constant float4*)factor;
""",
    cuda_header="",
    cuda_body="",
)


def scale4(
    x: mx.array,
    factor: Sequence[float] | mx.array,
    *,
    grid: Size | None = None,
    block: Size | None = None,
    grid_shape: Size | None = None,
    init_value: float | None = None,
    stream: Stream = None,
) -> mx.array:
    """`scale4`, line 30 of the CUDA source.

    x: `const float4*` (4 x float32), read
    factor: `float4` (4 x float32), value
    grid_: `float4*` (4 x float32), written: returned, not passed
    grid: needed
    block: needed
    grid_shape: shape of grid; needed
    init_value: what elements hold that the kernel does not write; None leaves them undefined
    """
    _array("scale4", "x", x, mx.float32, 4)
    grid_shape = _shape("scale4", "grid_shape", grid_shape)
    results = _launch(
        _SCALE4,
        [
            _buffer(x),
            _vector("scale4", "factor", factor, mx.float32, 4),
        ],
        [
            _Output(grid_shape, mx.float32),
        ],
        grid=grid,
        block=block,
        stream=stream,
        init_value=init_value,
    )
    return results[0]


def _array(kernel: str, name: str, value: Any, dtype: mx.Dtype | None = None, lanes: int = 1) -> mx.array:
    """An array argument, checked."""
    if value is None:
        raise ValueError(
            f"{kernel}: {name} is None, but neither the kernel nor a launch in its file allows for that; "
            "pass an array, of any size where nothing is read from it"
        )
    if not isinstance(value, mx.array):
        raise ValueError(
            f"{kernel}: {name} must be an mx.array, not {type(value).__name__}; pass mx.array({name})"
        )
    if dtype is not None and value.dtype != dtype:
        wanted = _spelled(dtype)
        raise ValueError(
            f"{kernel}: {name} is {_spelled(value.dtype)}, expected {wanted}; convert it with {name}.astype({wanted})"
        )
    if value.size % lanes:
        raise ValueError(f"{kernel}: {name} holds {lanes}-vectors, so its size cannot be {value.size}")
    return value


def _spelled(dtype: mx.Dtype) -> str:
    """As a program that imports mlx.core as mx writes it."""
    return str(dtype).replace("mlx.core", "mx")


def _buffer(value: mx.array) -> mx.array:
    """MLX binds arrays of fewer than 8 elements as `constant`; the kernels take `device` buffers."""
    if value.size >= 8 and value.ndim > 0:
        return value
    return mx.pad(value.flatten(), (0, max(0, 8 - value.size)))


def _vector(kernel: str, name: str, value: Any, dtype: mx.Dtype, lanes: int) -> mx.array:
    """A vector passed by value: a sequence or an array of its lanes."""
    vector = mx.array(value, dtype=dtype) if not isinstance(value, mx.array) else value.astype(dtype)
    if vector.shape != (lanes,):
        raise ValueError(
            f"{kernel}: {name} has shape {vector.shape}, expected ({lanes},): one vector by value"
        )
    return vector


def _shape(kernel: str, name: str, value: Size | None) -> tuple[int, ...]:
    """The shape of an output that the kernel only writes."""
    if value is None:
        raise ValueError(f"{kernel}: pass {name}=(...), the shape of that output")
    shape = (value,) if isinstance(value, int) else tuple(value)
    if any(length < 0 for length in shape):
        raise ValueError(f"{kernel}: {name}={shape} has a negative length")
    return shape


def _dimensions(kernel: _Kernel, name: str, value: Size | None, smallest: int) -> tuple[int, int, int]:
    """A dim3: one to three numbers, the missing ones 1."""
    if value is None:
        raise ValueError(f"{kernel.name}: pass {name}=(x, y, z) as in <<<grid, block>>>{kernel.launch}")
    sizes = (value,) if isinstance(value, int) else tuple(value)
    if not 1 <= len(sizes) <= 3 or any(not isinstance(size, int) or size < smallest for size in sizes):
        raise ValueError(f"{kernel.name}: {name}={sizes} must be one to three integers from {smallest} on")
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z


def _device() -> str:
    if os.environ.get("CU2MLX_DEVICE") == "cpu":
        return "cpu"
    return "cuda" if mx.cuda.is_available() else "metal"


@cache
def _build(kernel: _Kernel, device: str, shared_bytes: int) -> Any:
    """What MLX makes of a kernel, at its first use."""
    if device == "cuda":
        if not kernel.cuda_body:
            raise NotImplementedError(f"{kernel.name} has no text for MLX's CUDA back end")
        return mx.fast.cuda_kernel(
            name=f"{kernel.name}_{kernel.digest}",
            input_names=[f"{name}_argument" for name in kernel.inputs],
            output_names=[f"{name}_argument" for name in kernel.outputs],
            source=kernel.cuda_body,
            header=kernel.cuda_header,
            shared_memory=shared_bytes,
        )
    make = import_module("cu2mlx.runtime.emulate").metal_kernel if device == "cpu" else mx.fast.metal_kernel
    return make(
        name=f"{kernel.name}_{kernel.digest}",
        input_names=list(kernel.inputs),
        output_names=list(kernel.outputs),
        source=kernel.metal_body,
        header=kernel.metal_header,
    )


def _launch(
    kernel: _Kernel,
    inputs: Sequence[mx.array],
    outputs: Sequence[_Output],
    *,
    grid: Size | None,
    block: Size | None,
    stream: Stream,
    template: Sequence[tuple[str, int | mx.Dtype]] = (),
    shared_bytes: int | None = 0,
    threadgroup_bytes: int = 0,
    init_value: float | None = None,
) -> list[mx.array]:
    """Check the launch against the limits of the hardware, and make it part of MLX's graph."""
    device = _device()
    block = _dimensions(kernel, "block", block, 1)
    grid = _dimensions(kernel, "grid", grid, 0)
    threads = block[0] * block[1] * block[2]
    if threads > kernel.max_threads:
        raise ValueError(f"{kernel.name}: block {block} has {threads} threads, over {kernel.max_threads}")
    if shared_bytes is None or shared_bytes < 0:
        raise ValueError(f"{kernel.name}: pass shared_bytes=, dynamic shared memory in bytes{kernel.launch}")
    if device != "cuda":
        if len(inputs) + len(outputs) > 31:
            raise ValueError(f"{kernel.name}: {len(inputs) + len(outputs)} buffers; Metal binds 31")
        if threadgroup_bytes + shared_bytes > 32768:
            raise ValueError(
                f"{kernel.name}: {threadgroup_bytes + shared_bytes} bytes of shared memory; "
                "Metal has 32768 for a threadgroup: use a smaller block or tile"
            )
        if kernel.dynamic_shared:
            # C++ knows no empty array.
            template = [*template, ("dynamic_shared_bytes", max(shared_bytes, 16))]
    total = (grid[0] * block[0], grid[1] * block[1], grid[2] * block[2])
    if max(total) >= 2**31:
        raise ValueError(f"{kernel.name}: {total} threads; MLX counts fewer than 2**31 in each dimension")
    if 0 in total or all(0 in output.shape for output in outputs):
        return [output.unchanged for output in outputs]
    run = partial(
        _build(kernel, device, shared_bytes),
        grid=total,
        threadgroup=block,
        template=list(template) or None,
        init_value=init_value,
        stream=stream,
    )
    try:
        made = run(
            inputs=list(inputs),
            output_shapes=[output.room for output in outputs],
            output_dtypes=[output.made if device != "cuda" else output.dtype for output in outputs],
        )
    except RuntimeError as error:
        if device == "metal" and not mx.metal.is_available():
            error.add_note("No GPU here: CU2MLX_DEVICE=cpu runs it on cu2mlx's CPU machine.")
        raise
    return [output.result(array) for output, array in zip(outputs, made, strict=True)]
