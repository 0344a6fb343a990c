// The entry of a kernel inside MLX, which passes pointers, then 32-bit words: each made the kernel's argument again.
#pragma once

namespace cu2mlx {

template <class F, int I>
struct parameter;
template <class First, class... P, int I>
struct parameter<void (*)(First, P...), I> : parameter<void (*)(P...), I - 1> {};
template <class First, class... P>
struct parameter<void (*)(First, P...), 0> {
    using type = First;
};

// How an address comes: as the parameter has it, or what a value lies at.
template <class T>
struct place_of {
    using type = const void*;
};
template <class T>
struct place_of<T*> {
    using type = T*;
};
template <class T>
struct place_of<T* __restrict__> {
    using type = T* __restrict__;
};
template <class T>
using place = typename place_of<T>::type;

// A pointer for a pointer; for a value, the value that lies there.
template <class T>
struct argument {
    __device__ __forceinline__ static const T& at(const void* place) { return *static_cast<const T*>(place); }
};
template <class T>
struct argument<T*> {
    __device__ __forceinline__ static T* at(T* place) { return place; }
};
template <class T>
struct argument<T* __restrict__> : argument<T*> {};

// A value of any type from its bytes.
template <class T, int N>
__device__ __forceinline__ T value(const int (&words)[N]) {
    static_assert(sizeof(T) <= sizeof words, "the value given is smaller than the parameter");
    alignas(T) unsigned char bytes[sizeof(T)];
    memcpy(bytes, words, sizeof bytes);
    return *reinterpret_cast<const T*>(bytes);
}

}  // namespace cu2mlx
