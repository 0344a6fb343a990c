"""MLX operations translated from histogram.cu by cu2mlx.

Needs mlx alone: Metal runs the translation, MLX's CUDA back end the original text. Every function takes the CUDA
kernel's arguments in its order, without the buffers it only writes, and returns the buffers it writes. `grid`
counts blocks and `block` threads, as in CUDA. Where an argument does not fit, a ValueError says what to do.

With CU2MLX_DEVICE=cpu in the environment (and cu2mlx installed) the kernels run on cu2mlx's CPU machine:
`cu2mlx.runtime.emulate.metal_kernel` has the signature and the call of mx.fast.metal_kernel.
"""

# ruff: noqa: E501, N802, N803, N806, RUF100, W291, W293

import math
import os
from collections.abc import Callable, Sequence
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
    in_place: tuple[int, ...] = ()
    fresh: tuple[str, ...] = ()
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


_CUDA_HEADER = """template <int BINS>
__device__ void histogram(const unsigned char* in, unsigned int* bins, int* last, long long n) {
  extern __shared__ unsigned int counts[];
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) counts[b] = 0;
  __syncthreads();
  long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&counts[in[i]], 1u);
  if (i == n - 1) last[0] += in[i];
  __syncthreads();
  for (int b = threadIdx.x; b < BINS; b += blockDim.x) atomicAdd(&bins[b], counts[b]);
}
"""

_HISTOGRAM = _Kernel(
    name="histogram",
    digest="c81ff329",
    inputs=("in", "last_in", "n"),
    outputs=("bins", "last_delta"),
    metal_header="",
    metal_body="""uint i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
threadgroup uint counts[dynamic_shared_bytes / 4];
if (i < n) last_delta[0] = last_in[0] ^ int(in[i]);
""",
    cuda_header=_CUDA_HEADER,
    cuda_body="""const unsigned char* in = (const unsigned char*)in_argument;
unsigned int* bins = (unsigned int*)bins_argument;
int* last = (int*)last_in_argument;
long long n = *n_argument;
histogram<BINS>(in, bins, last, n);
""",
    dynamic_shared=True,
    in_place=(1,),
    fresh=("bins",),
    launch="; the CUDA source has <<<min((n + 255) / 256, 1024LL), 256, BINS * sizeof(unsigned int)>>>(data, bins, last, n)",
)


def histogram(
    in_: mx.array,
    bins: mx.array,
    last: mx.array,
    n: Scalar,
    *,
    grid: Size | None = None,
    block: Size | None = None,
    shared_bytes: int | None = None,
    BINS: int = 256,
    stream: Stream = None,
) -> tuple[mx.array, mx.array]:
    """`histogram`, line 12 of the CUDA source.

    in_: `const unsigned char*` (uint8), read
    bins: `unsigned int*` (uint32), added to: the sum is returned
    last: `int*` (int32), read and written: the new array is returned
    n: `long long` (int64), value
    BINS: template int
    CUDA launch, line 41: <<<min((n + 255) / 256, 1024LL), 256, BINS * sizeof(unsigned int)>>>(data, bins, last, n)
    """
    _array("histogram", "in_", in_, mx.uint8)
    _array("histogram", "bins", bins, mx.uint32)
    _array("histogram", "last", last, mx.int32)
    if grid is None and block is None:
        grid = (min((int(n) + 255) // 256, 1024), 1, 1)
    if block is None:
        block = (256, 1, 1)
    if shared_bytes is None:
        shared_bytes = BINS * 4
    results = _launch(
        _HISTOGRAM,
        [
            _buffer(in_),
            _buffer(last),
            _scalar("histogram", "n", n, mx.int64),
        ],
        [
            _Output(bins.shape, mx.uint32, bins, "accumulated"),
            _Output(last.shape, mx.int32, last, "inout"),
        ],
        grid=grid,
        block=block,
        stream=stream,
        template=[
            ("BINS", BINS),
        ],
        shared_bytes=shared_bytes,
        threadgroup_bytes=4 * BINS,
        init_value=0,
    )
    return results[0], results[1]


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


def _scalar(kernel: str, name: str, value: Any, dtype: mx.Dtype) -> mx.array:
    """A value as the 0-d array of its dtype; nothing is rounded to an integer or wrapped silently."""
    whole = not mx.issubdtype(dtype, mx.floating)
    if isinstance(value, mx.array):
        if value.size != 1:
            raise ValueError(f"{kernel}: {name} is one value, not an array of shape {value.shape}")
        if whole and mx.issubdtype(value.dtype, mx.inexact):
            raise ValueError(f"{kernel}: {name} is {value.dtype}, expected {dtype}; use .astype({dtype})")
        return value.reshape(()).astype(dtype)
    if not isinstance(value, (bool, int, float)):
        raise ValueError(f"{kernel}: {name} must be a number or a 0-d mx.array, not {type(value).__name__}")
    if whole and isinstance(value, float):
        raise ValueError(f"{kernel}: {name} is a float, expected {dtype}; pass int({name})")
    if whole and dtype != mx.bool_:
        limits = mx.iinfo(dtype)
        if not limits.min <= value <= min(limits.max, 2**63 - 1):
            raise ValueError(f"{kernel}: {name}={value} does not fit in {dtype}")
    return mx.array(value, dtype=dtype)


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
            output_names=[
                f"{name}_argument"
                for name in ([*kernel.fresh, "done"] if kernel.in_place else kernel.outputs)
            ],
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
    if device == "cuda" and kernel.in_place:
        return _run_in_place(kernel, run, inputs, outputs, stream)
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


def _run_in_place(
    kernel: _Kernel,
    run: Callable[..., list[mx.array]],
    inputs: Sequence[mx.array],
    outputs: Sequence[_Output],
    stream: Stream,
) -> list[mx.array]:
    """Run the original on copies that nobody else has, and copy them once more when it is done.

    MLX knows no buffer that a kernel reads and writes. The copies are inputs to it; the second copy waits for
    the kernel by reading `done`, one of its outputs.
    """
    changed = [output for output in outputs if output.role in ("owned", "inout")]
    fresh = [output for output in outputs if output.role not in ("owned", "inout")]
    start = mx.zeros((1,), mx.uint8)
    copies = {place: _copied(inputs[place], inputs[place].shape, start, stream) for place in kernel.in_place}
    *made, done = run(
        inputs=[copies.get(place, array) for place, array in enumerate(inputs)],
        output_shapes=[*(output.room for output in fresh), (1,)],
        output_dtypes=[*(output.dtype for output in fresh), mx.uint8],
    )
    pairs = zip(copies.values(), changed, strict=True)
    copied = iter(
        [
            output.unchanged if 0 in output.shape else _copied(copy, output.shape, done, stream)
            for copy, output in pairs
        ]
    )
    others = iter([output.result(array) for output, array in zip(fresh, made, strict=True)])
    return [next(copied if output.role in ("owned", "inout") else others) for output in outputs]


def _copied(source: mx.array, shape: tuple[int, ...], after: mx.array, stream: Stream) -> mx.array:
    """The first elements of `source` as a new array of this shape, read once `after` is there."""
    size = math.prod(shape)
    results: list[mx.array] = _copy_kernel()(
        inputs=[source, mx.array(size, dtype=mx.uint32), after],
        output_shapes=[shape],
        output_dtypes=[source.dtype],
        grid=(max(size, 1), 1, 1),
        threadgroup=(min(max(size, 1), 256), 1, 1),
        template=[("T", source.dtype)],
        stream=stream,
    )
    return results[0]


@cache
def _copy_kernel() -> Any:
    return mx.fast.cuda_kernel(
        name="cu2mlx_copy",
        input_names=["source", "size", "after"],
        output_names=["target"],
        source="auto i = cooperative_groups::this_grid().thread_rank();\nif (i < *size) target[i] = source[i];",
    )
