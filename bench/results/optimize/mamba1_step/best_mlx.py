"""MLX operations translated from mamba1_scan.cu by cu2mlx.

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


_METAL_HEADER = """namespace cu {

// a + b and a * b exactly, as (rounded, rest).
inline float2 two_sum(float a, float b) {
#pragma METAL fp contract(off)
    float sum = a + b;
    float part = sum - a;
    return float2(sum, (a - (sum - part)) + (b - part));
}

// __fmul_rn: fma with -0 rounds the product once and keeps its sign of zero; it cannot be fused again.
inline float fmul_rn(float a, float b) {
    return metal::fma(a, b, -0.0f);
}

// The same for |a| >= |b|, or a = 0.
inline float2 fast_two_sum(float a, float b) {
#pragma METAL fp contract(off)
    float sum = a + b;
    return float2(sum, b - (sum - a));
}

// log1pf
inline float log1p(float x) {
    if (!(x > -1.0f)) return x == -1.0f ? -INFINITY : NAN;
    if (metal::fabs(x) < 5.9604645e-8f || x == INFINITY) return x;
    int e = as_type<int>(as_type<uint>(1.0f + x) - 0x3f400000u) >> 23;  // 1 + x = 2^e (1 + f), f in -1/4 ... 1/2
    float scaled = as_type<float>(as_type<uint>(x) - (uint(e) << 23));
    float2 f = two_sum(scaled, as_type<float>(uint(metal::max(127 - e, 0)) << 23) - 1.0f);
    float half_f = 0.5f * f.x;
    float square = fmul_rn(half_f, f.x);
    float square_rest = metal::fma(half_f, f.x, -square);
    float q = 0.037672818f;  // log(1 + f) = f - f^2 / 2 + f^3 q
    q = metal::fma(q, f.x, -0.091161795f);
    q = metal::fma(q, f.x, 0.1170066f);
    q = metal::fma(q, f.x, -0.1272778f);
    q = metal::fma(q, f.x, 0.1427624f);
    q = metal::fma(q, f.x, -0.16655296f);
    q = metal::fma(q, f.x, 0.19999605f);
    q = metal::fma(q, f.x, -0.25000164f);
    q = metal::fma(q, f.x, 0.3333334f);
    float2 near = fast_two_sum(f.x, -square);
    float low = metal::fma(f.y, 1.0f - f.x, near.y - square_rest);
    low = metal::fma(2.0f * square * f.x, q, low);
    float2 sum = fast_two_sum(float(e) * 0.693145752f, near.x);
    return sum.x + (sum.y + metal::fma(float(e), 1.42860677e-6f, low));
}

}  // namespace cu

inline float softplus(float x) {
    // log1p(exp(x)) overflows long after it has become x
    return x <= 20.0f ? cu::log1p(precise::exp(x)) : x;
}

inline float silu(float x) { return x / (1.0f + precise::exp(-x)); }
"""

_CUDA_HEADER = """#if __has_include(<cuda_bf16.h>)
#include <cuda_bf16.h>
#endif
#if __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#endif
#define FULL_MASK 0xffffffffu
__device__ __forceinline__ float softplus(float x)
{
    // log1p(exp(x)) overflows long after it has become x
    return x <= 20.0f ? log1pf(expf(x)) : x;
}
__device__ __forceinline__ float silu(float x) { return x / (1.0f + expf(-x)); }
template <typename T, int STATES, int THREADS = 128, int LANES = 1>
__device__ void mamba1_step(const float* __restrict__ state, const T* __restrict__ u, const T* __restrict__ delta,
                            const float* __restrict__ A, const T* __restrict__ B, const T* __restrict__ C,
                            const float* __restrict__ D, const T* __restrict__ z,
                            const float* __restrict__ delta_bias, T* __restrict__ y,
                            float* __restrict__ next_state, int batch, int channels)
{
    const int index = blockIdx.x * (THREADS / LANES) + threadIdx.x / LANES;
    const int lane = threadIdx.x % LANES;
    const bool active = index < batch * channels;
    const int safe_index = active ? index : 0;
    const int b = safe_index / channels;
    const int channel = safe_index % channels;

    const float ut = static_cast<float>(u[safe_index]);
    const float dt = softplus(static_cast<float>(delta[safe_index]) + delta_bias[channel]);
    float sum = 0.0f;
#pragma unroll
    for (int n = lane; n < STATES; n += LANES) {
        const float decay = expf(dt * A[channel * STATES + n]);
        const float next = decay * state[(size_t)safe_index * STATES + n] +
                           dt * ut * static_cast<float>(B[b * STATES + n]);
        sum += static_cast<float>(C[b * STATES + n]) * next;
        if (active)
            next_state[(size_t)index * STATES + n] = next;
    }
#pragma unroll
    for (int mask = LANES / 2; mask > 0; mask >>= 1)
        sum += __shfl_xor_sync(FULL_MASK, sum, mask);
    if (active && lane == 0)
        y[index] = static_cast<T>((sum + D[channel] * ut) * silu(static_cast<float>(z[index])));
}
"""

_MAMBA1_STEP = _Kernel(
    name="mamba1_step",
    digest="459e438a",
    inputs=("state", "u", "delta", "A", "B", "C", "D", "z", "delta_bias", "batch", "channels"),
    outputs=("y", "next_state"),
    metal_header=_METAL_HEADER,
    metal_body="""const int index = threadgroup_position_in_grid.x * (THREADS / LANES) + thread_position_in_threadgroup.x / LANES;
const int lane = thread_position_in_threadgroup.x % LANES;
const bool active = index < batch * channels;
const int safe_index = active ? index : 0;
const int b = safe_index / channels;
const int channel = safe_index % channels;

const float ut = static_cast<float>(u[safe_index]);
const float dt = softplus(static_cast<float>(delta[safe_index]) + delta_bias[channel]);
float sum = 0.0f;
#pragma unroll
for (int n = lane; n < STATES; n += LANES) {
    const float decay = precise::exp(dt * A[channel * STATES + n]);
    const float next = decay * state[(ulong)safe_index * STATES + n] +
                       dt * ut * static_cast<float>(B[b * STATES + n]);
    sum += static_cast<float>(C[b * STATES + n]) * next;
    if (active)
        next_state[(ulong)index * STATES + n] = next;
}
#pragma unroll
for (int mask = LANES / 2; mask > 0; mask >>= 1)
    sum += simd_shuffle_xor(sum, mask & 31);
if (active && lane == 0)
    y[index] = static_cast<T>((sum + D[channel] * ut) * silu(static_cast<float>(z[index])));
""",
    cuda_header=_CUDA_HEADER,
    cuda_body="""const float* state = (const float*)state_argument;
const T* u = (const T*)u_argument;
const T* delta = (const T*)delta_argument;
const float* A = (const float*)A_argument;
const T* B = (const T*)B_argument;
const T* C = (const T*)C_argument;
const float* D = (const float*)D_argument;
const T* z = (const T*)z_argument;
const float* delta_bias = (const float*)delta_bias_argument;
T* y = (T*)y_argument;
float* next_state = (float*)next_state_argument;
int batch = *batch_argument;
int channels = *channels_argument;
mamba1_step<T, STATES, THREADS, LANES>(state, u, delta, A, B, C, D, z, delta_bias, y, next_state, batch, channels);
""",
    launch="; the CUDA source has <<<blocks, 128, 0>>>(state, u, delta, A, B, C, D, z, delta_bias, y, next_state, batch, channels)",
)


def mamba1_step(
    state: mx.array,
    u: mx.array,
    delta: mx.array,
    A: mx.array,
    B: mx.array,
    C: mx.array,
    D: mx.array,
    z: mx.array,
    delta_bias: mx.array,
    batch: Scalar,
    channels: Scalar,
    *,
    grid: Size | None = None,
    block: Size | None = None,
    T: mx.Dtype | None = None,
    STATES: int = 16,
    THREADS: int = 128,
    LANES: int = 1,
    y_shape: Size | None = None,
    next_state_shape: Size | None = None,
    init_value: float | None = None,
    stream: Stream = None,
) -> tuple[mx.array, mx.array]:
    """`mamba1_step`, line 181 of the CUDA source.

    One token. state and next_state are [batch, channels, STATES]; u, delta, z, y [batch, channels]; B, C [batch, STATES].
    Launch it with grid = (ceildiv(batch * channels * LANES, THREADS)), block = (THREADS).

    state: `const float*` (float32), read
    u: `const T*` (T), read
    delta: `const T*` (T), read
    A: `const float*` (float32), read
    B: `const T*` (T), read
    C: `const T*` (T), read
    D: `const float*` (float32), read
    z: `const T*` (T), read
    delta_bias: `const float*` (float32), read
    y: `T*` (T), written: returned, not passed
    next_state: `float*` (float32), written: returned, not passed
    batch: `int` (int32), value
    channels: `int` (int32), value
    y_shape: shape of y
    next_state_shape: shape of next_state
    init_value: what elements hold that the kernel does not write; None leaves them undefined
    T: template type; default: the dtype of its arrays
    STATES: template int
    THREADS: template int
    LANES: template int
    CUDA launch, line 229: <<<blocks, 128, 0>>>(state, u, delta, A, B, C, D, z, delta_bias, y, next_state, batch, channels)
    """
    if T is None:
        T = _array("mamba1_step", "u", u).dtype
    _array("mamba1_step", "state", state, mx.float32)
    _array("mamba1_step", "u", u, T)
    _array("mamba1_step", "delta", delta, T)
    _array("mamba1_step", "A", A, mx.float32)
    _array("mamba1_step", "B", B, T)
    _array("mamba1_step", "C", C, T)
    _array("mamba1_step", "D", D, mx.float32)
    _array("mamba1_step", "z", z, T)
    _array("mamba1_step", "delta_bias", delta_bias, mx.float32)
    y_shape = _shape("mamba1_step", "y_shape", y_shape)
    next_state_shape = _shape("mamba1_step", "next_state_shape", next_state_shape)
    if grid is None and block is None:
        grid = ((int(batch) * int(channels) + 127) // 128, 1, 1)
    if block is None:
        block = (128, 1, 1)
    results = _launch(
        _MAMBA1_STEP,
        [
            _buffer(state),
            _buffer(u),
            _buffer(delta),
            _buffer(A),
            _buffer(B),
            _buffer(C),
            _buffer(D),
            _buffer(z),
            _buffer(delta_bias),
            _scalar("mamba1_step", "batch", batch, mx.int32),
            _scalar("mamba1_step", "channels", channels, mx.int32),
        ],
        [
            _Output(y_shape, T),
            _Output(next_state_shape, mx.float32),
        ],
        grid=grid,
        block=block,
        stream=stream,
        template=[
            ("T", T),
            ("STATES", STATES),
            ("THREADS", THREADS),
            ("LANES", LANES),
        ],
        init_value=init_value,
    )
    return results[0], results[1]


def _array(kernel: str, name: str, value: Any, dtype: mx.Dtype | None = None, lanes: int = 1) -> mx.array:
    """An array argument, checked."""
    if not isinstance(value, mx.array):
        raise ValueError(f"{kernel}: {name} must be an mx.array, not {type(value).__name__}")
    if dtype is not None and value.dtype != dtype:
        raise ValueError(
            f"{kernel}: {name} is {value.dtype}, expected {dtype}; convert it with {name}.astype({dtype})"
        )
    if value.size % lanes:
        raise ValueError(f"{kernel}: {name} holds {lanes}-vectors, so its size cannot be {value.size}")
    return value


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
        raise ValueError(f"{kernel}: pass {name}=(...), the shape of the output it names")
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
    made = run(
        inputs=list(inputs),
        output_shapes=[output.room for output in outputs],
        output_dtypes=[output.made if device != "cuda" else output.dtype for output in outputs],
    )
    return [output.result(array) for output, array in zip(outputs, made, strict=True)]
