"""MLX operations translated from selective_scan.cu by cu2mlx.

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

// log(x) as (rounded, rest), good to about 2^-30 of the larger of log(x) and its error, for 0 < x < infinity.
inline float2 log_parts(float x) {
    int exponent = 0;
    if (x < 1.17549435e-38f) {
        x *= 8388608.0f;
        exponent = -23;
    }
    uint bits = as_type<uint>(x) - 0x3f3504f3u;  // sqrt(1/2)
    exponent += as_type<int>(bits) >> 23;
    float m = as_type<float>((bits & 0x7fffffu) + 0x3f3504f3u);
    float f = m - 1.0f;
    float t = f + 2.0f;
    float s = metal::fast::divide(f, t);
    float rest = metal::fast::divide(metal::fma(-s, t, f) - s * (f - (t - 2.0f)), t);
    float z = s * s;
    float p = 0.22589917f;
    p = metal::fma(p, z, 0.28589216f);
    p = metal::fma(p, z, 0.39999554f);
    p = metal::fma(p, z, 0.6666667f);
    float e = float(exponent);
    float2 sum = two_sum(e * 0.693145752f, 2.0f * s);
    float low = metal::fma(e, 1.42860677e-6f, metal::fma(s * z, p, metal::fma(2.0f, rest, sum.y)));
    return two_sum(sum.x, low);
}

// log1pf
inline float log1p(float x) {
    if (!(x > -1.0f)) return x == -1.0f ? -INFINITY : NAN;
    if (metal::fabs(x) < 5.9604645e-8f || x == INFINITY) return x;
    float2 u = two_sum(1.0f, x);
    float2 l = log_parts(u.x);
    return l.x + (l.y + metal::fast::divide(u.y, u.x));
}

}  // namespace cu

inline float softplus(float x) {
    // log1p(exp(x)) overflows long after it has become x
    return x <= 20.0f ? cu::log1p(fast::exp(x)) : x;
}

inline float silu(float x) { return x / (1.0f + fast::exp(-x)); }
"""

_CUDA_HEADER = """#if __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#endif
__device__ __forceinline__ float softplus(float x)
{
    // log1p(exp(x)) overflows long after it has become x
    return x <= 20.0f ? log1pf(expf(x)) : x;
}
__device__ __forceinline__ float silu(float x) { return x / (1.0f + expf(-x)); }
template <typename T, int STATES>
__device__ void selective_scan_fwd(const T* __restrict__ u, const T* __restrict__ delta,
                                   const float* __restrict__ A, const T* __restrict__ B,
                                   const T* __restrict__ C, const float* __restrict__ D, const T* __restrict__ z,
                                   const float* __restrict__ delta_bias, T* __restrict__ y,
                                   float* __restrict__ last_state, int length, int channels)
{
    __shared__ float b_shared[STATES];
    __shared__ float c_shared[STATES];

    const int batch = blockIdx.y;
    const int channel = blockIdx.x * blockDim.x + threadIdx.x;
    const bool active = channel < channels;

    float a[STATES], h[STATES];
#pragma unroll
    for (int n = 0; n < STATES; ++n) {
        a[n] = active ? A[channel * STATES + n] : 0.0f;
        h[n] = 0.0f;
    }
    const float d = active ? D[channel] : 0.0f;
    const float bias = (active && delta_bias) ? delta_bias[channel] : 0.0f;

    for (int t = 0; t < length; ++t) {
        const size_t step = (size_t)batch * length + t;
        // B and C are the same for all channels of the block
        if (threadIdx.x < STATES) {
            b_shared[threadIdx.x] = static_cast<float>(B[step * STATES + threadIdx.x]);
            c_shared[threadIdx.x] = static_cast<float>(C[step * STATES + threadIdx.x]);
        }
        __syncthreads();

        if (active) {
            const size_t at = step * channels + channel;
            const float ut = static_cast<float>(u[at]);
            const float dt = softplus(static_cast<float>(delta[at]) + bias);
            const float du = dt * ut;
            float out = d * ut;
#pragma unroll
            for (int n = 0; n < STATES; ++n) {
                h[n] = expf(dt * a[n]) * h[n] + du * b_shared[n];
                out += c_shared[n] * h[n];
            }
            if (z != nullptr)
                out *= silu(static_cast<float>(z[at]));
            y[at] = static_cast<T>(out);
        }
        __syncthreads();
    }

    if (active) {
#pragma unroll
        for (int n = 0; n < STATES; ++n)
            last_state[((size_t)batch * channels + channel) * STATES + n] = h[n];
    }
}
"""

_SELECTIVE_SCAN_FWD = _Kernel(
    name="selective_scan_fwd",
    digest="f33c7d41",
    inputs=("u", "delta", "A", "B", "C", "D", "z", "delta_bias", "length", "channels"),
    outputs=("y", "last_state"),
    metal_header=_METAL_HEADER,
    metal_body="""threadgroup float b_shared[STATES];
threadgroup float c_shared[STATES];

const int batch = threadgroup_position_in_grid.y;
const int channel = threadgroup_position_in_grid.x * threads_per_threadgroup.x + thread_position_in_threadgroup.x;
const bool active = channel < channels;

float a[STATES], h[STATES];
#pragma unroll
for (int n = 0; n < STATES; ++n) {
    a[n] = active ? A[channel * STATES + n] : 0.0f;
    h[n] = 0.0f;
}
const float d = active ? D[channel] : 0.0f;
const float bias = (active && delta_bias) ? delta_bias[channel] : 0.0f;

for (int t = 0; t < length; ++t) {
    const ulong step = (ulong)batch * length + t;
    // B and C are the same for all channels of the block
    if (thread_position_in_threadgroup.x < STATES) {
        b_shared[thread_position_in_threadgroup.x] = static_cast<float>(B[step * STATES + thread_position_in_threadgroup.x]);
        c_shared[thread_position_in_threadgroup.x] = static_cast<float>(C[step * STATES + thread_position_in_threadgroup.x]);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);

    if (active) {
        const ulong at = step * channels + channel;
        const float ut = static_cast<float>(u[at]);
        const float dt = softplus(static_cast<float>(delta[at]) + bias);
        const float du = dt * ut;
        float out = d * ut;
#pragma unroll
        for (int n = 0; n < STATES; ++n) {
            h[n] = fast::exp(dt * a[n]) * h[n] + du * b_shared[n];
            out += c_shared[n] * h[n];
        }
        if (z != nullptr)
            out *= silu(static_cast<float>(z[at]));
        y[at] = static_cast<T>(out);
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
}

if (active) {
#pragma unroll
    for (int n = 0; n < STATES; ++n)
        last_state[((ulong)batch * channels + channel) * STATES + n] = h[n];
}
""",
    cuda_header=_CUDA_HEADER,
    cuda_body="""const T* u = (const T*)u_argument;
const T* delta = (const T*)delta_argument;
const float* A = (const float*)A_argument;
const T* B = (const T*)B_argument;
const T* C = (const T*)C_argument;
const float* D = (const float*)D_argument;
const T* z = (const T*)z_argument;
const float* delta_bias = (const float*)delta_bias_argument;
T* y = (T*)y_argument;
float* last_state = (float*)last_state_argument;
int length = *length_argument;
int channels = *channels_argument;
selective_scan_fwd<T, STATES>(u, delta, A, B, C, D, z, delta_bias, y, last_state, length, channels);
""",
    launch="; the CUDA source has <<<dim3((channels + SCAN_THREADS - 1) / SCAN_THREADS, batch), SCAN_THREADS, 0>>>(u, delta, A, B, C, D, z, delta_bias, y, last_state, length, channels)",
)


def selective_scan_fwd(
    u: mx.array,
    delta: mx.array,
    A: mx.array,
    B: mx.array,
    C: mx.array,
    D: mx.array,
    z: mx.array,
    delta_bias: mx.array,
    length: Scalar,
    channels: Scalar,
    *,
    grid: Size | None = None,
    block: Size | None = None,
    T: mx.Dtype | None = None,
    STATES: int = 16,
    y_shape: Size | None = None,
    last_state_shape: Size | None = None,
    init_value: float | None = None,
    stream: Stream = None,
) -> tuple[mx.array, mx.array]:
    """`selective_scan_fwd`, line 22 of the CUDA source.

    Launch it with grid = (ceildiv(channels, 128), batch), block = (128).

    u: `const T*` (T), read
    delta: `const T*` (T), read
    A: `const float*` (float32), read
    B: `const T*` (T), read
    C: `const T*` (T), read
    D: `const float*` (float32), read
    z: `const T*` (T), read
    delta_bias: `const float*` (float32), read
    y: `T*` (T), written: returned, not passed
    last_state: `float*` (float32), written: returned, not passed
    length: `int` (int32), value
    channels: `int` (int32), value
    y_shape: shape of y
    last_state_shape: shape of last_state
    init_value: what elements hold that the kernel does not write; None leaves them undefined
    T: template type; default: the dtype of its arrays
    STATES: template int
    CUDA launch, line 112: <<<dim3((channels + SCAN_THREADS - 1) / SCAN_THREADS, batch), SCAN_THREADS, 0>>>(u, delta, A, B, C, D, z, delta_bias, y, last_state, length, channels)
    """
    if T is None:
        T = _array("selective_scan_fwd", "u", u).dtype
    _array("selective_scan_fwd", "u", u, T)
    _array("selective_scan_fwd", "delta", delta, T)
    _array("selective_scan_fwd", "A", A, mx.float32)
    _array("selective_scan_fwd", "B", B, T)
    _array("selective_scan_fwd", "C", C, T)
    _array("selective_scan_fwd", "D", D, mx.float32)
    _array("selective_scan_fwd", "z", z, T)
    _array("selective_scan_fwd", "delta_bias", delta_bias, mx.float32)
    y_shape = _shape("selective_scan_fwd", "y_shape", y_shape)
    last_state_shape = _shape("selective_scan_fwd", "last_state_shape", last_state_shape)
    if block is None:
        block = (128, 1, 1)
    results = _launch(
        _SELECTIVE_SCAN_FWD,
        [
            _buffer(u),
            _buffer(delta),
            _buffer(A),
            _buffer(B),
            _buffer(C),
            _buffer(D),
            _buffer(z),
            _buffer(delta_bias),
            _scalar("selective_scan_fwd", "length", length, mx.int32),
            _scalar("selective_scan_fwd", "channels", channels, mx.int32),
        ],
        [
            _Output(y_shape, T),
            _Output(last_state_shape, mx.float32),
        ],
        grid=grid,
        block=block,
        stream=stream,
        template=[
            ("T", T),
            ("STATES", STATES),
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
