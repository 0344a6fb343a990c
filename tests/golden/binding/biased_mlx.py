"""MLX operations translated from biased.cu by cu2mlx.

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


_CUDA_HEADER = """template <typename T>
__device__ void biased(const T* bias, const float* scale, float* state, float* y, float* sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = (scale ? scale[i] : 1.0f) + (bias ? float(bias[i]) : 0.0f);
  if (state) state[i] += y[i];
  if (sums) sums[i] = 2.0f * y[i];
}
"""

_BIASED = _Kernel(
    name="biased",
    digest="8c87ab9f",
    inputs=("bias", "scale", "state_in", "cu_size_of_state", "n"),
    outputs=("state", "y", "sums"),
    metal_header="",
    metal_body="""if (!cu_has_bias) bias = nullptr;
if (!cu_has_scale) scale = nullptr;
if (thread_position_in_grid.x < cu_size_of_state) state[thread_position_in_grid.x] = state_in[thread_position_in_grid.x];
if (!cu_has_state) state = nullptr;
if (!cu_has_sums) sums = nullptr;
uint i = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
if (i >= n) return;
y[i] = (scale ? scale[i] : 1.0f) + (bias ? float(bias[i]) : 0.0f);
if (state) state[i] += y[i];
if (sums) sums[i] = 2.0f * y[i];
""",
    cuda_header=_CUDA_HEADER,
    cuda_body="""const T* bias = cu_has_bias ? (const T*)bias_argument : nullptr;
const float* scale = cu_has_scale ? (const float*)scale_argument : nullptr;
float* state = cu_has_state ? (float*)state_in_argument : nullptr;
float* y = (float*)y_argument;
float* sums = cu_has_sums ? (float*)sums_argument : nullptr;
int n = *n_argument;
const auto cu_size_of_state = *cu_size_of_state_argument;
biased<T>(bias, scale, state, y, sums, n);
""",
    in_place=(2,),
    fresh=("y", "sums"),
    launch="; the CUDA source has <<<(scale.numel() + 31) / 32, 32>>>(bias.data_ptr<scalar_t>(), scale.data_ptr<float>(), state.data_ptr<float>(), y.data_ptr<float>(), sums.data_ptr<float>(), n)",
)


def biased(
    bias: mx.array | None,
    scale: mx.array | None,
    state: mx.array | None,
    n: Scalar,
    *,
    grid: Size | None = None,
    block: Size | None = None,
    sums: bool = True,
    T: mx.Dtype | None = None,
    y_shape: Size | None = None,
    sums_shape: Size | None = None,
    init_value: float | None = None,
    stream: Stream = None,
) -> tuple[mx.array | None, mx.array, mx.array | None]:
    """`biased`, line 40 of the CUDA source.

    bias: `const T*` (T) or None, read
    scale: `const float*` (float32) or None, read
    state: `float*` (float32) or None, read and written: the new array is returned
    y: `float*` (float32), written: returned, not passed
    sums: `float*` (float32), written: returned, not passed; sums=False: None
    n: `int` (int32), value
    y_shape: shape of y; default (int(n),)
    sums_shape: shape of sums; default scale.shape
    init_value: what elements hold that the kernel does not write; None leaves them undefined
    T: template type; default: the dtype of its arrays
    CUDA launch, line 50: <<<(scale.numel() + 31) / 32, 32>>>(bias.data_ptr<scalar_t>(), scale.data_ptr<float>(), state.data_ptr<float>(), y.data_ptr<float>(), sums.data_ptr<float>(), n)
    """
    if T is None and bias is not None:
        T = _array("biased", "bias", bias).dtype
    if T is None:
        raise ValueError("biased: pass T=, the dtype of arrays that are all None")
    has_bias = bias is not None
    bias = _nullable("biased", "bias", bias, T)
    has_scale = scale is not None
    scale = _nullable("biased", "scale", scale, mx.float32)
    has_state = state is not None
    state = _nullable("biased", "state", state, mx.float32)
    if y_shape is None:
        y_shape = (int(n),)
    y_shape = _shape("biased", "y_shape", y_shape)
    if sums_shape is None and sums and has_scale:
        sums_shape = scale.shape
    sums_shape = _shape("biased", "sums_shape", sums_shape) if sums else (0,)
    if grid is None and block is None and has_scale:
        grid = ((scale.size + 31) // 32, 1, 1)
    if block is None:
        block = (32, 1, 1)
    results = _launch(
        _BIASED,
        [
            _buffer(bias),
            _buffer(scale),
            _buffer(state),
            _scalar("biased", "state.size", state.size, mx.uint32),
            _scalar("biased", "n", n, mx.int32),
        ],
        [
            _Output(state.shape, mx.float32, state, "owned"),
            _Output(y_shape, mx.float32),
            _Output(sums_shape, mx.float32),
        ],
        grid=grid,
        block=block,
        stream=stream,
        template=[
            ("T", T),
            ("cu_has_bias", has_bias),
            ("cu_has_scale", has_scale),
            ("cu_has_state", has_state),
            ("cu_has_sums", sums),
        ],
        init_value=init_value,
    )
    return results[0] if has_state else None, results[1], results[2] if sums else None


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


def _nullable(kernel: str, name: str, value: Any, dtype: mx.Dtype, lanes: int = 1) -> mx.array:
    """An array argument, checked; None, CUDA's nullptr, as an array without elements."""
    return mx.zeros((0,), dtype) if value is None else _array(kernel, name, value, dtype, lanes)


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
