"""MLX operations translated from attention_decode.cu by cu2mlx.

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


_METAL_HEADER = """namespace cu {

// An unsigned type of a given size in bytes.
template <uint Size>
struct bits_of_size;

template <typename T>
struct inout_ref;

template <typename T>
struct inout_ptr;

// Atomics: loops on the word of `delta`, whose bits are the value's XOR the base's. By size of the value.
template <typename Op, typename T, uint Size>
struct inout_update;

template <>
struct bits_of_size<1> {
    using type = uchar;
};

template <>
struct bits_of_size<2> {
    using type = ushort;
};

template <>
struct bits_of_size<4> {
    using type = uint;
};

template <>
struct bits_of_size<8> {
    using type = uint2;
};

template <>
struct bits_of_size<16> {
    using type = uint4;
};

// CUDA's 3-vectors of 12 bytes.
struct three_words {
    uint x;
    uint y;
    uint z;
    three_words operator^(three_words other) const {
        return three_words{x ^ other.x, y ^ other.y, z ^ other.z};
    }
};

template <typename Packed, typename Vector>
struct bit_value_of_three {
    using type = three_words;
    static type pack(Packed value) {
        uint3 words = as_type<uint3>(Vector(value));
        return three_words{words.x, words.y, words.z};
    }
    static Packed unpack(type bits) {
        return Packed(as_type<Vector>(uint3(bits.x, bits.y, bits.z)));
    }
};

// A value's bits as an unsigned type of its size, and back.
template <typename T>
struct bit_value {
    using type = typename bits_of_size<sizeof(T)>::type;
    static type pack(T value) {
        return as_type<type>(value);
    }
    static T unpack(type bits) {
        return as_type<T>(bits);
    }
};

template <>
struct bit_value<bool> {
    using type = uchar;
    static uchar pack(bool value) {
        return value ? 1 : 0;
    }
    static bool unpack(uchar bits) {
        return bits != 0;
    }
};

template <>
struct bit_value<packed_float3> : bit_value_of_three<packed_float3, float3> {};

template <>
struct bit_value<packed_int3> : bit_value_of_three<packed_int3, int3> {};

template <>
struct bit_value<packed_uint3> : bit_value_of_three<packed_uint3, uint3> {};

// An operand's value: what an inout_ref reads, or itself.
template <typename V>
inline V inout_value(V value) {
    return value;
}

template <typename T>
inline T inout_value(inout_ref<T> value) {
    return value.get();
}

// What *p and p[i] are: reads as T, takes assignments.
template <typename T>
struct inout_ref {
    using bits = typename bit_value<T>::type;
    const device T* base;
    device bits* delta;

    inout_ref(const device T* base_, device bits* delta_) : base(base_), delta(delta_) {}
    inout_ref(const thread inout_ref<T>& other) : base(other.base), delta(other.delta) {}

    T get() const {
        return bit_value<T>::unpack(bits(bit_value<T>::pack(*base) ^ *delta));
    }
    operator T() const {
        return get();
    }
    T operator=(T value) const {
        *delta = bits(bit_value<T>::pack(*base) ^ bit_value<T>::pack(value));
        return value;
    }
    T operator=(const thread inout_ref<T>& other) const {
        return *this = other.get();
    }
    inout_ptr<T> operator&() const {
        return inout_ptr<T>(base, delta);
    }
    template <typename V>
    T operator+=(V value) const {
        return *this = T(get() + inout_value(value));
    }
    template <typename V>
    T operator-=(V value) const {
        return *this = T(get() - inout_value(value));
    }
    template <typename V>
    T operator*=(V value) const {
        return *this = T(get() * inout_value(value));
    }
    template <typename V>
    T operator/=(V value) const {
        return *this = T(get() / inout_value(value));
    }
    template <typename V>
    T operator%=(V value) const {
        return *this = T(get() % inout_value(value));
    }
    template <typename V>
    T operator&=(V value) const {
        return *this = T(get() & inout_value(value));
    }
    template <typename V>
    T operator|=(V value) const {
        return *this = T(get() | inout_value(value));
    }
    template <typename V>
    T operator^=(V value) const {
        return *this = T(get() ^ inout_value(value));
    }
    template <typename V>
    T operator<<=(V value) const {
        return *this = T(get() << inout_value(value));
    }
    template <typename V>
    T operator>>=(V value) const {
        return *this = T(get() >> inout_value(value));
    }
    T operator++() const {
        return *this = T(get() + T(1));
    }
    T operator--() const {
        return *this = T(get() - T(1));
    }
    T operator++(int) const {
        T old = get();
        *this = T(old + T(1));
        return old;
    }
    T operator--(int) const {
        T old = get();
        *this = T(old - T(1));
        return old;
    }
};

template <typename T>
struct inout_ptr {
    using bits = typename bit_value<T>::type;
    const device T* base;
    device bits* delta;

    inout_ptr() = default;
    inout_ptr(const device T* base_, device bits* delta_) : base(base_), delta(delta_) {}

    // The same memory as elements of another type (CUDA: reinterpret_cast<U*>(p)).
    template <typename U>
    inout_ptr<U> as() const {
        return inout_ptr<U>((const device U*)base, (device typename bit_value<U>::type*)delta);
    }
    // As bytes, which stand for CUDA's void.
    operator inout_ptr<uchar>() const {
        return as<uchar>();
    }
    inout_ref<T> operator*() const {
        return inout_ref<T>(base, delta);
    }
    template <typename Index>
    inout_ref<T> operator[](Index i) const {
        return inout_ref<T>(base + i, delta + i);
    }
    template <typename Index>
    inout_ptr<T> operator+(Index i) const {
        return inout_ptr<T>(base + i, delta + i);
    }
    template <typename Index>
    inout_ptr<T> operator-(Index i) const {
        return inout_ptr<T>(base - i, delta - i);
    }
    long operator-(inout_ptr<T> other) const {
        return long(base - other.base);
    }
    template <typename Index>
    inout_ptr<T> operator+=(Index i) {
        base += i;
        delta += i;
        return inout_ptr<T>(base, delta);
    }
    template <typename Index>
    inout_ptr<T> operator-=(Index i) {
        base -= i;
        delta -= i;
        return inout_ptr<T>(base, delta);
    }
    inout_ptr<T> operator++() {
        return *this += 1;
    }
    inout_ptr<T> operator--() {
        return *this -= 1;
    }
    inout_ptr<T> operator++(int) {
        inout_ptr<T> old = inout_ptr<T>(base, delta);
        *this += 1;
        return old;
    }
    inout_ptr<T> operator--(int) {
        inout_ptr<T> old = inout_ptr<T>(base, delta);
        *this -= 1;
        return old;
    }
    bool operator==(inout_ptr<T> other) const {
        return base == other.base;
    }
    bool operator!=(inout_ptr<T> other) const {
        return base != other.base;
    }
    bool operator<(inout_ptr<T> other) const {
        return base < other.base;
    }
};

// T itself, in a place from which it is not deduced: the pointer decides.
template <typename T>
struct plain {
    using type = T;
};

// Replaces the 32-bit value in `word` and returns the old one. `Word` is a pointer to atomic_uint in device or
// threadgroup memory; the value's bits are the word's XOR `flip` (0 for plain memory, see inout_ptr).
template <typename Op, typename T, typename Word>
inline T atomic_update(Word word, T value, uint flip) {
    uint old = metal::atomic_load_explicit(word, metal::memory_order_relaxed);
    uint next;
    do {
        next = as_type<uint>(Op::apply(as_type<T>(old ^ flip), value)) ^ flip;
    } while (!metal::atomic_compare_exchange_weak_explicit(
        word, &old, next, metal::memory_order_relaxed, metal::memory_order_relaxed));
    return as_type<T>(old ^ flip);
}

// The same for a 16-bit value in the upper or lower half of the word.
template <typename Op, typename T, typename Word>
inline T atomic_update_half(Word word, bool upper, T value, ushort flip) {
    uint shift = upper ? 16u : 0u;
    uint old = metal::atomic_load_explicit(word, metal::memory_order_relaxed);
    uint next;
    do {
        T changed = Op::apply(as_type<T>(ushort(ushort(old >> shift) ^ flip)), value);
        next = (old & ~(0xffffu << shift)) | (uint(ushort(as_type<ushort>(changed) ^ flip)) << shift);
    } while (!metal::atomic_compare_exchange_weak_explicit(
        word, &old, next, metal::memory_order_relaxed, metal::memory_order_relaxed));
    return as_type<T>(ushort(ushort(old >> shift) ^ flip));
}

template <typename Op, typename T>
struct inout_update<Op, T, 4> {
    static T apply(inout_ptr<T> p, T value) {
        return atomic_update<Op>((device metal::atomic_uint*)p.delta, value, as_type<uint>(*p.base));
    }
};

template <typename Op, typename T>
struct inout_update<Op, T, 2> {
    static T apply(inout_ptr<T> p, T value) {
        bool upper = (ulong(p.delta) & 2u) != 0u;
        device metal::atomic_uint* word = (device metal::atomic_uint*)(p.delta - upper);
        return atomic_update_half<Op>(word, upper, value, as_type<ushort>(*p.base));
    }
};

// What an atomic writes, from the old value and its operand.
struct atomic_plus {
    template <typename T>
    static T apply(T old, T value) {
        return old + value;
    }
    static half apply(half old, half value) {
        return half(old + value);
    }
    static bfloat apply(bfloat old, bfloat value) {
        return bfloat(float(old) + float(value));
    }
    static bfloat2 apply(bfloat2 old, bfloat2 value) {
        return bfloat2(apply(bfloat(old.x), bfloat(value.x)), apply(bfloat(old.y), bfloat(value.y)));
    }
};

template <typename T>
inline T atomic_add(inout_ptr<T> p, typename plain<T>::type value) {
    return inout_update<atomic_plus, T, sizeof(T)>::apply(p, value);
}

// An inout_ptr from the two buffers that MLX hands over, whatever unsigned type the second has.
template <typename T, typename Bits>
inline inout_ptr<T> inout(const device T* base, device Bits* delta) {
    return inout_ptr<T>(base, (device typename inout_ptr<T>::bits*)delta);
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

// __shfl_xor_sync: lane ^ lane_mask; a source in a later segment is refused, one in an earlier is read.
template <typename T>
inline T shfl_xor_sync(T value, int lane_mask, int width, uint lane) {
    uint inside = uint(width) - 1u;
    uint source = lane ^ (uint(lane_mask) & 31u);
    return lane_value(value, source <= (lane | inside) ? source : lane);
}

// __threadfence, and __threadfence_system as far as Metal goes: the device.
// Metal 3.2
inline void threadfence() {
    metal::atomic_thread_fence(metal::mem_flags::mem_device | metal::mem_flags::mem_threadgroup,
                               metal::memory_order_seq_cst, metal::thread_scope_device);
}

}  // namespace cu

#define WARP_SIZE 32

#define MAX_SPLITS 32

#define NO_SCORE -3.0e38f

inline float as_float(float v) { return v; }

inline float as_float(half v) { return float(v); }

inline float as_float(bfloat v) { return float(v); }

inline void store(device float* p, float v) { *p = v; }

inline void store(device half* p, float v) { *p = half(v); }

inline void store(device bfloat* p, float v) { *p = bfloat(v); }

// N elements that are loaded at once.
template <typename T, int N>
struct alignas(sizeof(T) * N) Pack {
    T at[N];
};

template <int N, typename T>
inline Pack<T, N> load(const device T* p) {
    return *reinterpret_cast<const device Pack<T, N>*>(p);
}

// The running softmax of one query over the keys that a group of LANES lanes has seen. A lane holds VEC dimensions
// out of every LANES * VEC.
template <int D, int LANES, int VEC>
struct OnlineSoftmax {
    static constexpr constant int kChunks = (D + LANES * VEC - 1) / (LANES * VEC);
    float m;
    float l;
    float acc[kChunks * VEC];

    void clear() {
        m = NO_SCORE;
        l = 0.0f;
        for (int i = 0; i < kChunks * VEC; ++i)
            acc[i] = 0.0f;
    }

    void rescale(float m_new) {
        const float factor = fast::exp(m - m_new);
        l *= factor;
#pragma unroll
        for (int i = 0; i < kChunks * VEC; ++i)
            acc[i] *= factor;
        m = m_new;
    }

    // Takes in what the lanes at a distance of `mask` have.
    void merge(uint thread_index_in_simdgroup, int mask) {
        rescale(fmax(m, cu::shfl_xor_sync(m, mask, 32, thread_index_in_simdgroup)));
        l += cu::shfl_xor_sync(l, mask, 32, thread_index_in_simdgroup);
#pragma unroll
        for (int i = 0; i < kChunks * VEC; ++i)
            acc[i] += cu::shfl_xor_sync(acc[i], mask, 32, thread_index_in_simdgroup);
    }
};

// Runs a block of WARPS warps over keys [begin, end) for `heads` <= HEADS queries that share them. Each group of
// LANES lanes takes KEYS keys at a time. Leaves per warp and head the unnormalised result, its maximum and its sum.
template <typename T, int D, int WARPS, int LANES, int VEC, int KEYS, int HEADS>
inline void attend(uint3 thread_position_in_threadgroup, uint thread_index_in_simdgroup, const device T* q, const device T* k, const device T* v, int heads, int begin, int end, float scale, threadgroup float (*warp_acc)[D], threadgroup float* warp_m, threadgroup float* warp_l) {
    constexpr int kChunks = OnlineSoftmax<D, LANES, VEC>::kChunks;
    constexpr int kGroups = WARPS * WARP_SIZE / LANES;
    const int warp = thread_position_in_threadgroup.x / WARP_SIZE;
    const int group = thread_position_in_threadgroup.x / LANES;
    const int lane = thread_position_in_threadgroup.x % LANES;

    float query[HEADS][kChunks * VEC];
    OnlineSoftmax<D, LANES, VEC> state[HEADS];
#pragma unroll
    for (int h = 0; h < HEADS; ++h) {
        state[h].clear();
#pragma unroll
        for (int i = 0; i < kChunks * VEC; ++i) {
            const int d = (i / VEC * LANES + lane) * VEC + i % VEC;
            query[h][i] = h < heads && d < D ? as_float(q[h * D + d]) * scale : 0.0f;
        }
    }

    for (int first = begin + group; first - group < end; first += kGroups * KEYS) {
        Pack<T, VEC> key_parts[KEYS][kChunks], value_parts[KEYS][kChunks];
#pragma unroll
        for (int j = 0; j < KEYS; ++j) {
            // past the end the last key is loaded again, and does not count
            const ulong row = (ulong)min(first + j * kGroups, end - 1) * D;
#pragma unroll
            for (int c = 0; c < kChunks; ++c) {
                const int d = (c * LANES + lane) * VEC;
                key_parts[j][c] = load<VEC>(k + row + (d < D ? d : 0));
                value_parts[j][c] = load<VEC>(v + row + (d < D ? d : 0));
            }
        }
#pragma unroll
        for (int h = 0; h < HEADS; ++h) {
            float score[KEYS];
            float m_new = state[h].m;
#pragma unroll
            for (int j = 0; j < KEYS; ++j) {
                score[j] = 0.0f;
#pragma unroll
                for (int i = 0; i < kChunks * VEC; ++i)
                    score[j] += query[h][i] * as_float(key_parts[j][i / VEC].at[i % VEC]);
#pragma unroll
                for (int mask = LANES / 2; mask > 0; mask >>= 1)
                    score[j] += simd_shuffle_xor(score[j], mask & 31);
                if (first + j * kGroups < end)
                    m_new = fmax(m_new, score[j]);
            }
            state[h].rescale(m_new);
#pragma unroll
            for (int j = 0; j < KEYS; ++j) {
                const float p = first + j * kGroups < end ? fast::exp(score[j] - m_new) : 0.0f;
                state[h].l += p;
#pragma unroll
                for (int i = 0; i < kChunks * VEC; ++i)
                    state[h].acc[i] += p * as_float(value_parts[j][i / VEC].at[i % VEC]);
            }
        }
    }

#pragma unroll
    for (int h = 0; h < HEADS; ++h) {
#pragma unroll
        for (int mask = LANES; mask < WARP_SIZE; mask <<= 1)
            state[h].merge(thread_index_in_simdgroup, mask);
        if (thread_position_in_threadgroup.x % WARP_SIZE < LANES) {
#pragma unroll
            for (int i = 0; i < kChunks * VEC; ++i) {
                const int d = (i / VEC * LANES + lane) * VEC + i % VEC;
                if (d < D)
                    warp_acc[warp * HEADS + h][d] = state[h].acc[i];
            }
        }
        if (thread_position_in_threadgroup.x % WARP_SIZE == 0) {
            warp_m[warp * HEADS + h] = state[h].m;
            warp_l[warp * HEADS + h] = state[h].l;
        }
    }
    threadgroup_barrier(mem_flags::mem_threadgroup);
}
"""

_CUDA_HEADER = """#if __has_include(<cuda_bf16.h>)
#include <cuda_bf16.h>
#endif
#if __has_include(<cuda_fp16.h>)
#include <cuda_fp16.h>
#endif
#define WARP_SIZE 32
#define FULL_MASK 0xffffffffu
#define MAX_SPLITS 32
#define NO_SCORE -3.0e38f
__device__ __forceinline__ float as_float(float v) { return v; }
__device__ __forceinline__ float as_float(__half v) { return __half2float(v); }
__device__ __forceinline__ float as_float(__nv_bfloat16 v) { return __bfloat162float(v); }
__device__ __forceinline__ void store(float* p, float v) { *p = v; }
__device__ __forceinline__ void store(__half* p, float v) { *p = __float2half(v); }
__device__ __forceinline__ void store(__nv_bfloat16* p, float v) { *p = __float2bfloat16(v); }
template <typename T, int N>
struct alignas(sizeof(T) * N) Pack {
    T at[N];
};
template <int N, typename T>
__device__ __forceinline__ Pack<T, N> load(const T* p)
{
    return *reinterpret_cast<const Pack<T, N>*>(p);
}
template <int D, int LANES, int VEC>
struct OnlineSoftmax {
    static constexpr int kChunks = (D + LANES * VEC - 1) / (LANES * VEC);
    float m;
    float l;
    float acc[kChunks * VEC];

    __device__ void clear()
    {
        m = NO_SCORE;
        l = 0.0f;
        for (int i = 0; i < kChunks * VEC; ++i)
            acc[i] = 0.0f;
    }

    __device__ void rescale(float m_new)
    {
        const float factor = __expf(m - m_new);
        l *= factor;
#pragma unroll
        for (int i = 0; i < kChunks * VEC; ++i)
            acc[i] *= factor;
        m = m_new;
    }

    // Takes in what the lanes at a distance of `mask` have.
    __device__ void merge(int mask)
    {
        rescale(fmaxf(m, __shfl_xor_sync(FULL_MASK, m, mask)));
        l += __shfl_xor_sync(FULL_MASK, l, mask);
#pragma unroll
        for (int i = 0; i < kChunks * VEC; ++i)
            acc[i] += __shfl_xor_sync(FULL_MASK, acc[i], mask);
    }
};
template <typename T, int D, int WARPS, int LANES, int VEC, int KEYS, int HEADS>
__device__ void attend(const T* q, const T* k, const T* v, int heads, int begin, int end, float scale,
                       float (*warp_acc)[D], float* warp_m, float* warp_l)
{
    constexpr int kChunks = OnlineSoftmax<D, LANES, VEC>::kChunks;
    constexpr int kGroups = WARPS * WARP_SIZE / LANES;
    const int warp = threadIdx.x / WARP_SIZE;
    const int group = threadIdx.x / LANES;
    const int lane = threadIdx.x % LANES;

    float query[HEADS][kChunks * VEC];
    OnlineSoftmax<D, LANES, VEC> state[HEADS];
#pragma unroll
    for (int h = 0; h < HEADS; ++h) {
        state[h].clear();
#pragma unroll
        for (int i = 0; i < kChunks * VEC; ++i) {
            const int d = (i / VEC * LANES + lane) * VEC + i % VEC;
            query[h][i] = h < heads && d < D ? as_float(q[h * D + d]) * scale : 0.0f;
        }
    }

    for (int first = begin + group; first - group < end; first += kGroups * KEYS) {
        Pack<T, VEC> key_parts[KEYS][kChunks], value_parts[KEYS][kChunks];
#pragma unroll
        for (int j = 0; j < KEYS; ++j) {
            // past the end the last key is loaded again, and does not count
            const size_t row = (size_t)min(first + j * kGroups, end - 1) * D;
#pragma unroll
            for (int c = 0; c < kChunks; ++c) {
                const int d = (c * LANES + lane) * VEC;
                key_parts[j][c] = load<VEC>(k + row + (d < D ? d : 0));
                value_parts[j][c] = load<VEC>(v + row + (d < D ? d : 0));
            }
        }
#pragma unroll
        for (int h = 0; h < HEADS; ++h) {
            float score[KEYS];
            float m_new = state[h].m;
#pragma unroll
            for (int j = 0; j < KEYS; ++j) {
                score[j] = 0.0f;
#pragma unroll
                for (int i = 0; i < kChunks * VEC; ++i)
                    score[j] += query[h][i] * as_float(key_parts[j][i / VEC].at[i % VEC]);
#pragma unroll
                for (int mask = LANES / 2; mask > 0; mask >>= 1)
                    score[j] += __shfl_xor_sync(FULL_MASK, score[j], mask);
                if (first + j * kGroups < end)
                    m_new = fmaxf(m_new, score[j]);
            }
            state[h].rescale(m_new);
#pragma unroll
            for (int j = 0; j < KEYS; ++j) {
                const float p = first + j * kGroups < end ? __expf(score[j] - m_new) : 0.0f;
                state[h].l += p;
#pragma unroll
                for (int i = 0; i < kChunks * VEC; ++i)
                    state[h].acc[i] += p * as_float(value_parts[j][i / VEC].at[i % VEC]);
            }
        }
    }

#pragma unroll
    for (int h = 0; h < HEADS; ++h) {
#pragma unroll
        for (int mask = LANES; mask < WARP_SIZE; mask <<= 1)
            state[h].merge(mask);
        if (threadIdx.x % WARP_SIZE < LANES) {
#pragma unroll
            for (int i = 0; i < kChunks * VEC; ++i) {
                const int d = (i / VEC * LANES + lane) * VEC + i % VEC;
                if (d < D)
                    warp_acc[warp * HEADS + h][d] = state[h].acc[i];
            }
        }
        if (threadIdx.x % WARP_SIZE == 0) {
            warp_m[warp * HEADS + h] = state[h].m;
            warp_l[warp * HEADS + h] = state[h].l;
        }
    }
    __syncthreads();
}
template <typename T, int D, int WARPS = 4, int LANES = 32, int VEC = 1, int KEYS = 1, int HEADS = 1, int SPLITS = 1>
__device__ void attention_decode(const T* __restrict__ q, const T* __restrict__ k, const T* __restrict__ v,
                                 T* __restrict__ out, const int* __restrict__ lengths, float* partial,
                                 unsigned int* ticket, int num_heads, int num_kv_heads, int max_len, float scale)
{
    __shared__ float warp_acc[WARPS * HEADS][D];
    __shared__ float warp_m[WARPS * HEADS];
    __shared__ float warp_l[WARPS * HEADS];
    __shared__ bool is_last;

    const int split = blockIdx.y;
    const int batch = blockIdx.z;
    const int shared_by = num_heads / num_kv_heads;
    const int blocks = (shared_by + HEADS - 1) / HEADS;
    const int kv_head = blockIdx.x / blocks;
    const int head = kv_head * shared_by + blockIdx.x % blocks * HEADS;
    const int heads = min(HEADS, (kv_head + 1) * shared_by - head);
    const size_t cache = ((size_t)batch * num_kv_heads + kv_head) * max_len * D;
    const size_t row = (size_t)batch * num_heads + head;

    const int length = lengths[batch];
    const int per_split = (length + SPLITS - 1) / SPLITS;
    const int begin = min(split * per_split, length);
    const int end = min(begin + per_split, length);

    attend<T, D, WARPS, LANES, VEC, KEYS, HEADS>(q + row * D, k + cache, v + cache, heads, begin, end, scale,
                                                 warp_acc, warp_m, warp_l);

    for (int i = threadIdx.x; i < heads * D; i += blockDim.x) {
        const int h = i / D, d = i % D;
        float m = NO_SCORE, l = 0.0f, acc = 0.0f;
        for (int w = 0; w < WARPS; ++w)
            m = fmaxf(m, warp_m[w * HEADS + h]);
        for (int w = 0; w < WARPS; ++w) {
            const float weight = __expf(warp_m[w * HEADS + h] - m);
            l += weight * warp_l[w * HEADS + h];
            acc += weight * warp_acc[w * HEADS + h][d];
        }
        if (SPLITS == 1) {
            store(out + (row + h) * D + d, l > 0.0f ? acc / l : 0.0f);
        } else {
            const size_t place = ((row + h) * MAX_SPLITS + split) * (D + 2);
            partial[place + d] = acc;
            if (d == 0) {
                partial[place + D] = m;
                partial[place + D + 1] = l;
            }
        }
    }
    if (SPLITS == 1)
        return;

    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0)
        is_last = atomicAdd(ticket + row, 1u) == SPLITS - 1;
    __syncthreads();
    if (!is_last)
        return;
    __threadfence();
    if (threadIdx.x == 0)
        ticket[row] = 0u;
    for (int i = threadIdx.x; i < heads * D; i += blockDim.x) {
        const int h = i / D, d = i % D;
        const size_t place = (row + h) * MAX_SPLITS * (D + 2);
        float m = NO_SCORE, l = 0.0f, acc = 0.0f;
        for (int s = 0; s < SPLITS; ++s)
            m = fmaxf(m, partial[place + s * (D + 2) + D]);
        for (int s = 0; s < SPLITS; ++s) {
            const float weight = __expf(partial[place + s * (D + 2) + D] - m);
            l += weight * partial[place + s * (D + 2) + D + 1];
            acc += weight * partial[place + s * (D + 2) + d];
        }
        store(out + (row + h) * D + d, l > 0.0f ? acc / l : 0.0f);
    }
}
"""

_ATTENTION_DECODE = _Kernel(
    name="attention_decode",
    digest="84ecf806",
    inputs=("q", "k", "v", "lengths", "partial_in", "ticket_in", "num_heads", "num_kv_heads", "max_len", "scale"),
    outputs=("out", "partial_delta", "ticket_delta"),
    metal_header=_METAL_HEADER,
    metal_body="""cu::inout_ptr<float> partial = cu::inout<float>(partial_in, partial_delta);
cu::inout_ptr<uint> ticket = cu::inout<uint>(ticket_in, ticket_delta);
threadgroup float warp_acc[WARPS * HEADS][D];
threadgroup float warp_m[WARPS * HEADS];
threadgroup float warp_l[WARPS * HEADS];
threadgroup bool is_last;

const int split = threadgroup_position_in_grid.y;
const int batch = threadgroup_position_in_grid.z;
const int shared_by = num_heads / num_kv_heads;
const int blocks = (shared_by + HEADS - 1) / HEADS;
const int kv_head = threadgroup_position_in_grid.x / blocks;
const int head = kv_head * shared_by + threadgroup_position_in_grid.x % blocks * HEADS;
const int heads = min(HEADS, (kv_head + 1) * shared_by - head);
const ulong cache = ((ulong)batch * num_kv_heads + kv_head) * max_len * D;
const ulong row = (ulong)batch * num_heads + head;

const int length = lengths[batch];
const int per_split = (length + SPLITS - 1) / SPLITS;
const int begin = min(split * per_split, length);
const int end = min(begin + per_split, length);

attend<T, D, WARPS, LANES, VEC, KEYS, HEADS>(thread_position_in_threadgroup, thread_index_in_simdgroup, q + row * D, k + cache, v + cache, heads, begin, end, scale, warp_acc, warp_m, warp_l);

for (int i = thread_position_in_threadgroup.x; i < heads * D; i += threads_per_threadgroup.x) {
    const int h = i / D, d = i % D;
    float m = NO_SCORE, l = 0.0f, acc = 0.0f;
    for (int w = 0; w < WARPS; ++w)
        m = fmax(m, warp_m[w * HEADS + h]);
    for (int w = 0; w < WARPS; ++w) {
        const float weight = fast::exp(warp_m[w * HEADS + h] - m);
        l += weight * warp_l[w * HEADS + h];
        acc += weight * warp_acc[w * HEADS + h][d];
    }
    if (SPLITS == 1) {
        store(out + (row + h) * D + d, l > 0.0f ? acc / l : 0.0f);
    } else {
        const ulong place = ((row + h) * MAX_SPLITS + split) * (D + 2);
        partial[place + d] = acc;
        if (d == 0) {
            partial[place + D] = m;
            partial[place + D + 1] = l;
        }
    }
}
if (SPLITS == 1)
    return;

cu::threadfence();
threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
if (thread_position_in_threadgroup.x == 0)
    is_last = cu::atomic_add(ticket + row, 1u) == SPLITS - 1;
threadgroup_barrier(mem_flags::mem_device | mem_flags::mem_threadgroup);
if (!is_last)
    return;
cu::threadfence();
if (thread_position_in_threadgroup.x == 0)
    ticket[row] = 0u;
for (int i = thread_position_in_threadgroup.x; i < heads * D; i += threads_per_threadgroup.x) {
    const int h = i / D, d = i % D;
    const ulong place = (row + h) * MAX_SPLITS * (D + 2);
    float m = NO_SCORE, l = 0.0f, acc = 0.0f;
    for (int s = 0; s < SPLITS; ++s)
        m = fmax(m, partial[place + s * (D + 2) + D].get());
    for (int s = 0; s < SPLITS; ++s) {
        const float weight = fast::exp(partial[place + s * (D + 2) + D].get() - m);
        l += weight * partial[place + s * (D + 2) + D + 1].get();
        acc += weight * partial[place + s * (D + 2) + d].get();
    }
    store(out + (row + h) * D + d, l > 0.0f ? acc / l : 0.0f);
}
""",
    cuda_header=_CUDA_HEADER,
    cuda_body="""const T* q = (const T*)q_argument;
const T* k = (const T*)k_argument;
const T* v = (const T*)v_argument;
T* out = (T*)out_argument;
const int* lengths = (const int*)lengths_argument;
float* partial = (float*)partial_in_argument;
unsigned int* ticket = (unsigned int*)ticket_in_argument;
int num_heads = *num_heads_argument;
int num_kv_heads = *num_kv_heads_argument;
int max_len = *max_len_argument;
float scale = *scale_argument;
attention_decode<T, D, WARPS, LANES, VEC, KEYS, HEADS, SPLITS>(q, k, v, out, lengths, partial, ticket, num_heads, num_kv_heads, max_len, scale);
""",
    in_place=(4, 5),
    fresh=("out",),
)


def attention_decode(
    q: mx.array,
    k: mx.array,
    v: mx.array,
    lengths: mx.array,
    partial: mx.array,
    ticket: mx.array,
    num_heads: Scalar,
    num_kv_heads: Scalar,
    max_len: Scalar,
    scale: Scalar,
    *,
    grid: Size | None = None,
    block: Size | None = None,
    T: mx.Dtype | None = None,
    D: int,
    WARPS: int = 4,
    LANES: int = 8,
    VEC: int = 2,
    KEYS: int = 4,
    HEADS: int = 4,
    SPLITS: int = 32,
    out_shape: Size | None = None,
    stream: Stream = None,
) -> tuple[mx.array, mx.array, mx.array]:
    """`attention_decode`, line 166 of the CUDA source.

    partial [batch, num_heads, MAX_SPLITS, D + 2] and ticket [batch, num_heads] are for SPLITS > 1: unnormalised
    results with their maximum and sum, and how many blocks are done, which starts and ends at zero.
    Launch it with grid = (num_kv_heads * ceildiv(num_heads / num_kv_heads, HEADS), SPLITS, batch), block = (WARPS * 32).
    There, HEADS = 4, KEYS = 4, LANES = 8, SPLITS = 32, VEC = 2, WARPS = 4.

    q: `const T*` (T), read
    k: `const T*` (T), read
    v: `const T*` (T), read
    out: `T*` (T), written: returned, not passed
    lengths: `const int*` (int32), read
    partial: `float*` (float32), read and written: the new array is returned
    ticket: `unsigned int*` (uint32), read and written: the new array is returned
    num_heads: `int` (int32), value
    num_kv_heads: `int` (int32), value
    max_len: `int` (int32), value
    scale: `float` (float32), value
    out_shape: shape of out
    T: template type; default: the dtype of its arrays
    D: template int
    WARPS: template int
    LANES: template int
    VEC: template int
    KEYS: template int
    HEADS: template int
    SPLITS: template int
    """
    if T is None:
        T = _array("attention_decode", "q", q).dtype
    _array("attention_decode", "q", q, T)
    _array("attention_decode", "k", k, T)
    _array("attention_decode", "v", v, T)
    _array("attention_decode", "lengths", lengths, mx.int32)
    _array("attention_decode", "partial", partial, mx.float32)
    _array("attention_decode", "ticket", ticket, mx.uint32)
    out_shape = _shape("attention_decode", "out_shape", out_shape)
    results = _launch(
        _ATTENTION_DECODE,
        [
            _buffer(q),
            _buffer(k),
            _buffer(v),
            _buffer(lengths),
            _buffer(partial),
            _buffer(ticket),
            _scalar("attention_decode", "num_heads", num_heads, mx.int32),
            _scalar("attention_decode", "num_kv_heads", num_kv_heads, mx.int32),
            _scalar("attention_decode", "max_len", max_len, mx.int32),
            _scalar("attention_decode", "scale", scale, mx.float32),
        ],
        [
            _Output(out_shape, T),
            _Output(partial.shape, mx.float32, partial, "inout"),
            _Output(ticket.shape, mx.uint32, ticket, "inout"),
        ],
        grid=grid,
        block=block,
        stream=stream,
        template=[
            ("T", T),
            ("D", D),
            ("WARPS", WARPS),
            ("LANES", LANES),
            ("VEC", VEC),
            ("KEYS", KEYS),
            ("HEADS", HEADS),
            ("SPLITS", SPLITS),
        ],
        init_value=0,
    )
    return results[0], results[1], results[2]


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
            output_names=[f"{name}_argument" for name in ([*kernel.fresh, "done"] if kernel.in_place else kernel.outputs)],
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
    made = run(
        inputs=list(inputs),
        output_shapes=[output.room for output in outputs],
        output_dtypes=[output.made if device != "cuda" else output.dtype for output in outputs],
    )
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
