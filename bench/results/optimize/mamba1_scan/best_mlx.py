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

template <typename T, typename Bits>
struct traveller_as {
    using type = Bits;
    static Bits pack(T value) {
        return as_type<Bits>(value);
    }
    static T unpack(Bits value) {
        return as_type<T>(value);
    }
};

// What a value travels as: Metal's shuffles take no bool, bfloat or 64-bit type.
template <typename T>
struct traveller {
    using type = T;
    static T pack(T value) {
        return value;
    }
    static T unpack(T value) {
        return value;
    }
};

template <>
struct traveller<bool> {
    using type = ushort;
    static ushort pack(bool value) {
        return value;
    }
    static bool unpack(ushort value) {
        return value != 0;
    }
};

template <>
struct traveller<bfloat> : traveller_as<bfloat, ushort> {};

template <>
struct traveller<bfloat2> : traveller_as<bfloat2, uint> {};

template <>
struct traveller<long> : traveller_as<long, uint2> {};

template <>
struct traveller<ulong> : traveller_as<ulong, uint2> {};

// The value that lane `source` holds, for every type a CUDA shuffle takes and for vectors of them.
template <typename T>
inline T lane_value(T value, uint source) {
    return traveller<T>::unpack(metal::simd_shuffle(traveller<T>::pack(value), ushort(source)));
}

// __shfl_sync: lane `source` of the segment of `width` lanes, modulo the width.
template <typename T>
inline T shfl_sync(T value, int source, int width, uint lane) {
    uint inside = uint(width) - 1u;
    return lane_value(value, (lane & ~inside) | (uint(source) & inside));
}

}  // namespace cu

inline float softplus(float x) {
    // log1p(exp(x)) overflows long after it has become x
    return x <= 20.0f ? cu::log1p(precise::exp(x)) : x;
}

inline float silu(float x) { return x / (1.0f + precise::exp(-x)); }

// N elements that are loaded at once.
template <typename T, int N>
struct alignas(sizeof(T) * N) Pack {
    T at[N];
};

template <int N, typename T>
inline Pack<T, N> load(const device T* p) {
    return *reinterpret_cast<const device Pack<T, N>*>(p);
}

// Which state a lane's n-th one is: VEC neighbours, then VEC neighbours LANES * VEC further on.
template <int LANES, int VEC>
inline int state_of(int n, int lane) {
    return (n / VEC * LANES + lane) * VEC + n % VEC;
}

// One channel's inputs, from the beginning of its sequence; `stride` is the distance of two steps.
template <typename T>
struct Channel {
    const device T* u;
    const device T* delta;
    const device T* z;
    ulong stride;
    float bias;
    float d;
};

// Moves STATES / LANES states over steps [begin, end) and writes y where WRITE. Returns the sum of dt.
template <typename T, int STATES, int LANES, int STEPS, int VEC, bool WRITE>
inline float advance(uint thread_index_in_simdgroup, Channel<T> at, device T* y, const device T* B, const device T* C, const thread float* a, thread float* h, int begin, int end, int most, bool active, int lane) {
    constexpr int kStates = STATES / LANES;
    constexpr int kOwn = (STEPS + LANES - 1) / LANES;  // steps that a lane loads and writes for all
    float total = 0.0f;

    // every thread of a warp goes round as often, since lanes exchange values
    for (int ahead = 0; ahead < most; ahead += STEPS) {
        const int first = begin + ahead;
        float u[kOwn], dt[kOwn], out[kOwn];
#pragma unroll
        for (int i = 0; i < kOwn; ++i) {
            // past the end the last step is loaded again, and dt is 0, which changes nothing
            const int step = first + i * LANES + lane;
            const ulong place = min(step, end - 1) * at.stride;
            u[i] = static_cast<float>(at.u[place]);
            dt[i] = softplus(static_cast<float>(at.delta[place]) + at.bias);
            dt[i] = step < end ? dt[i] : 0.0f;
            out[i] = at.d * u[i];
        }
#pragma unroll
        for (int s = 0; s < STEPS; ++s) {
            const float this_dt = LANES == 1 ? dt[s / LANES] : cu::shfl_sync(dt[s / LANES], s % LANES, LANES, thread_index_in_simdgroup);
            const float this_u = LANES == 1 ? u[s / LANES] : cu::shfl_sync(u[s / LANES], s % LANES, LANES, thread_index_in_simdgroup);
            const int row = min(first + s, end - 1) * STATES;
            float sum = 0.0f;
#pragma unroll
            for (int n = 0; n < kStates; n += VEC) {
                const int state = state_of<LANES, VEC>(n, lane);
                const Pack<T, VEC> b = load<VEC>(B + row + state);
                const Pack<T, VEC> c = load<VEC>(C + row + state);
#pragma unroll
                for (int e = 0; e < VEC; ++e) {
                    h[n + e] = precise::exp(this_dt * a[n + e]) * h[n + e] + this_dt * this_u * static_cast<float>(b.at[e]);
                    sum += static_cast<float>(c.at[e]) * h[n + e];
                }
            }
            total += this_dt;
            if (WRITE) {
#pragma unroll
                for (int mask = LANES / 2; mask > 0; mask >>= 1)
                    sum += simd_shuffle_xor(sum, mask & 31);
                if (s % LANES == lane)
                    out[s / LANES] += sum;
            }
        }
        if (WRITE) {
#pragma unroll
            for (int i = 0; i < kOwn; ++i) {
                const int step = first + i * LANES + lane;
                if (active && step < end && i * LANES + lane < STEPS) {
                    const ulong place = step * at.stride;
                    y[place] = static_cast<T>(out[i] * silu(static_cast<float>(at.z[place])));
                }
            }
        }
    }
    return total;
}
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
template <typename T, int N>
struct alignas(sizeof(T) * N) Pack {
    T at[N];
};
template <int N, typename T>
__device__ __forceinline__ Pack<T, N> load(const T* p)
{
    return *reinterpret_cast<const Pack<T, N>*>(p);
}
template <int LANES, int VEC>
__device__ __forceinline__ int state_of(int n, int lane)
{
    return (n / VEC * LANES + lane) * VEC + n % VEC;
}
template <typename T>
struct Channel {
    const T* u;
    const T* delta;
    const T* z;
    size_t stride;
    float bias;
    float d;
};
template <typename T, int STATES, int LANES, int STEPS, int VEC, bool WRITE>
__device__ float advance(Channel<T> at, T* y, const T* B, const T* C, const float* a, float* h, int begin,
                         int end, int most, bool active, int lane)
{
    constexpr int kStates = STATES / LANES;
    constexpr int kOwn = (STEPS + LANES - 1) / LANES;  // steps that a lane loads and writes for all
    float total = 0.0f;

    // every thread of a warp goes round as often, since lanes exchange values
    for (int ahead = 0; ahead < most; ahead += STEPS) {
        const int first = begin + ahead;
        float u[kOwn], dt[kOwn], out[kOwn];
#pragma unroll
        for (int i = 0; i < kOwn; ++i) {
            // past the end the last step is loaded again, and dt is 0, which changes nothing
            const int step = first + i * LANES + lane;
            const size_t place = min(step, end - 1) * at.stride;
            u[i] = static_cast<float>(at.u[place]);
            dt[i] = softplus(static_cast<float>(at.delta[place]) + at.bias);
            dt[i] = step < end ? dt[i] : 0.0f;
            out[i] = at.d * u[i];
        }
#pragma unroll
        for (int s = 0; s < STEPS; ++s) {
            const float this_dt = LANES == 1 ? dt[s / LANES] : __shfl_sync(FULL_MASK, dt[s / LANES], s % LANES, LANES);
            const float this_u = LANES == 1 ? u[s / LANES] : __shfl_sync(FULL_MASK, u[s / LANES], s % LANES, LANES);
            const int row = min(first + s, end - 1) * STATES;
            float sum = 0.0f;
#pragma unroll
            for (int n = 0; n < kStates; n += VEC) {
                const int state = state_of<LANES, VEC>(n, lane);
                const Pack<T, VEC> b = load<VEC>(B + row + state);
                const Pack<T, VEC> c = load<VEC>(C + row + state);
#pragma unroll
                for (int e = 0; e < VEC; ++e) {
                    h[n + e] = expf(this_dt * a[n + e]) * h[n + e] + this_dt * this_u * static_cast<float>(b.at[e]);
                    sum += static_cast<float>(c.at[e]) * h[n + e];
                }
            }
            total += this_dt;
            if (WRITE) {
#pragma unroll
                for (int mask = LANES / 2; mask > 0; mask >>= 1)
                    sum += __shfl_xor_sync(FULL_MASK, sum, mask);
                if (s % LANES == lane)
                    out[s / LANES] += sum;
            }
        }
        if (WRITE) {
#pragma unroll
            for (int i = 0; i < kOwn; ++i) {
                const int step = first + i * LANES + lane;
                if (active && step < end && i * LANES + lane < STEPS) {
                    const size_t place = step * at.stride;
                    y[place] = static_cast<T>(out[i] * silu(static_cast<float>(at.z[place])));
                }
            }
        }
    }
    return total;
}
template <typename T, int STATES, int LANES = 1, int CHANNELS = 128, int SEGMENTS = 1, int STEPS = 1, int VEC = 1>
__device__ void mamba1_scan(const T* __restrict__ u, const T* __restrict__ delta, const float* __restrict__ A,
                            const T* __restrict__ B, const T* __restrict__ C, const float* __restrict__ D,
                            const T* __restrict__ z, const float* __restrict__ delta_bias, T* __restrict__ y,
                            float* __restrict__ last_state, int length, int channels)
{
    constexpr int kStates = STATES / LANES;
    __shared__ float segment_state[SEGMENTS][CHANNELS][STATES];
    __shared__ float segment_dt[SEGMENTS][CHANNELS];

    const int lane = threadIdx.x % LANES;
    const int place = threadIdx.x / LANES % CHANNELS;
    const int segment = threadIdx.x / (LANES * CHANNELS);
    const int channel = blockIdx.x * CHANNELS + place;
    const bool active = channel < channels;
    const int safe_channel = active ? channel : 0;
    const size_t row = (size_t)blockIdx.y * length;

    const size_t start = row * channels + safe_channel;
    const Channel<T> at = {u + start, delta + start, z + start, (size_t)channels, delta_bias[safe_channel],
                           D[safe_channel]};
    const int most = (length + SEGMENTS - 1) / SEGMENTS;
    const int begin = min(segment * most, length);
    const int end = min(begin + most, length);

    float a[kStates], h[kStates];
#pragma unroll
    for (int n = 0; n < kStates; ++n) {
        a[n] = A[safe_channel * STATES + state_of<LANES, VEC>(n, lane)];
        h[n] = 0.0f;
    }

    if (SEGMENTS > 1) {
        const float dt = advance<T, STATES, LANES, STEPS, VEC, false>(at, y + start, B + row * STATES, C + row * STATES,
                                                                 a, h, begin, end, most, active, lane);
#pragma unroll
        for (int n = 0; n < kStates; ++n)
            segment_state[segment][place][state_of<LANES, VEC>(n, lane)] = h[n];
        if (lane == 0)
            segment_dt[segment][place] = dt;
        __syncthreads();
#pragma unroll
        for (int n = 0; n < kStates; ++n) {
            h[n] = 0.0f;
            for (int before = 0; before < segment; ++before)
                h[n] = expf(a[n] * segment_dt[before][place]) * h[n] +
                       segment_state[before][place][state_of<LANES, VEC>(n, lane)];
        }
    }
    advance<T, STATES, LANES, STEPS, VEC, true>(at, y + start, B + row * STATES, C + row * STATES, a, h, begin, end, most,
                                           active, lane);

    if (active && segment == SEGMENTS - 1) {
#pragma unroll
        for (int n = 0; n < kStates; ++n)
            last_state[((size_t)blockIdx.y * channels + channel) * STATES + state_of<LANES, VEC>(n, lane)] = h[n];
    }
}
"""

_MAMBA1_SCAN = _Kernel(
    name="mamba1_scan",
    digest="78ba0908",
    inputs=("u", "delta", "A", "B", "C", "D", "z", "delta_bias", "length", "channels"),
    outputs=("y", "last_state"),
    metal_header=_METAL_HEADER,
    metal_body="""constexpr int kStates = STATES / LANES;
threadgroup float segment_state[SEGMENTS][CHANNELS][STATES];
threadgroup float segment_dt[SEGMENTS][CHANNELS];

const int lane = thread_position_in_threadgroup.x % LANES;
const int place = thread_position_in_threadgroup.x / LANES % CHANNELS;
const int segment = thread_position_in_threadgroup.x / (LANES * CHANNELS);
const int channel = threadgroup_position_in_grid.x * CHANNELS + place;
const bool active = channel < channels;
const int safe_channel = active ? channel : 0;
const ulong row = (ulong)threadgroup_position_in_grid.y * length;

const ulong start = row * channels + safe_channel;
const Channel<T> at = {u + start, delta + start, z + start, (ulong)channels, delta_bias[safe_channel],
                       D[safe_channel]};
const int most = (length + SEGMENTS - 1) / SEGMENTS;
const int begin = min(segment * most, length);
const int end = min(begin + most, length);

float a[kStates], h[kStates];
#pragma unroll
for (int n = 0; n < kStates; ++n) {
    a[n] = A[safe_channel * STATES + state_of<LANES, VEC>(n, lane)];
    h[n] = 0.0f;
}

if (SEGMENTS > 1) {
    const float dt = advance<T, STATES, LANES, STEPS, VEC, false>(thread_index_in_simdgroup, at, y + start, B + row * STATES, C + row * STATES, a, h, begin, end, most, active, lane);
#pragma unroll
    for (int n = 0; n < kStates; ++n)
        segment_state[segment][place][state_of<LANES, VEC>(n, lane)] = h[n];
    if (lane == 0)
        segment_dt[segment][place] = dt;
    threadgroup_barrier(mem_flags::mem_threadgroup);
#pragma unroll
    for (int n = 0; n < kStates; ++n) {
        h[n] = 0.0f;
        for (int before = 0; before < segment; ++before)
            h[n] = precise::exp(a[n] * segment_dt[before][place]) * h[n] +
                   segment_state[before][place][state_of<LANES, VEC>(n, lane)];
    }
}
advance<T, STATES, LANES, STEPS, VEC, true>(thread_index_in_simdgroup, at, y + start, B + row * STATES, C + row * STATES, a, h, begin, end, most, active, lane);

if (active && segment == SEGMENTS - 1) {
#pragma unroll
    for (int n = 0; n < kStates; ++n)
        last_state[((ulong)threadgroup_position_in_grid.y * channels + channel) * STATES + state_of<LANES, VEC>(n, lane)] = h[n];
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
mamba1_scan<T, STATES, LANES, CHANNELS, SEGMENTS, STEPS, VEC>(u, delta, A, B, C, D, z, delta_bias, y, last_state, length, channels);
""",
)


def mamba1_scan(
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
    STATES: int,
    LANES: int = 4,
    CHANNELS: int = 8,
    SEGMENTS: int = 16,
    STEPS: int = 16,
    VEC: int = 1,
    y_shape: Size | None = None,
    last_state_shape: Size | None = None,
    init_value: float | None = None,
    stream: Stream = None,
) -> tuple[mx.array, mx.array]:
    """`mamba1_scan`, line 121 of the CUDA source.

    A block takes CHANNELS channels of one sequence.
    Launch it with grid = (ceildiv(channels, CHANNELS), batch), block = (LANES * CHANNELS * SEGMENTS).
    There, CHANNELS = 8, LANES = 4, SEGMENTS = 16, STEPS = 16, VEC = 1.

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
    LANES: template int
    CHANNELS: template int
    SEGMENTS: template int
    STEPS: template int
    VEC: template int
    """
    if T is None:
        T = _array("mamba1_scan", "u", u).dtype
    _array("mamba1_scan", "u", u, T)
    _array("mamba1_scan", "delta", delta, T)
    _array("mamba1_scan", "A", A, mx.float32)
    _array("mamba1_scan", "B", B, T)
    _array("mamba1_scan", "C", C, T)
    _array("mamba1_scan", "D", D, mx.float32)
    _array("mamba1_scan", "z", z, T)
    _array("mamba1_scan", "delta_bias", delta_bias, mx.float32)
    y_shape = _shape("mamba1_scan", "y_shape", y_shape)
    last_state_shape = _shape("mamba1_scan", "last_state_shape", last_state_shape)
    results = _launch(
        _MAMBA1_SCAN,
        [
            _buffer(u),
            _buffer(delta),
            _buffer(A),
            _buffer(B),
            _buffer(C),
            _buffer(D),
            _buffer(z),
            _buffer(delta_bias),
            _scalar("mamba1_scan", "length", length, mx.int32),
            _scalar("mamba1_scan", "channels", channels, mx.int32),
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
            ("LANES", LANES),
            ("CHANNELS", CHANNELS),
            ("SEGMENTS", SEGMENTS),
            ("STEPS", STEPS),
            ("VEC", VEC),
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
