// How a Metal kernel is called: buffers by pointer, attributes from the engine.
#pragma once
#include "simd.h"

namespace msl {

using engine::Dim3;

template <class F, std::size_t I>
struct function;
template <class First, class... P, std::size_t I>
struct function<void (*)(First, P...), I> : function<void (*)(P...), I - 1> {};
template <class First, class... P>
struct function<void (*)(First, P...), 0> {
    using parameter = First;
};

// Parameter I of kernel F; as a buffer, the pointer that the host passes for it.
template <class F, std::size_t I>
using parameter = typename function<F, I>::parameter;
template <class F, std::size_t I>
using buffer = std::remove_reference_t<std::remove_pointer_t<std::remove_cv_t<parameter<F, I>>>>*;

template <class P, class T>
inline P pass(T* at) {
    if constexpr (std::is_reference_v<P>) {
        return *at;
    } else {
        return at;
    }
}
// What stands for a buffer that a function constant leaves out.
template <class P>
inline P absent() {
    if constexpr (std::is_reference_v<P>) {
        static std::remove_cvref_t<P> nothing{};
        return nothing;
    } else {
        return nullptr;
    }
}
template <class P>
inline P threadgroup_buffer() {
    return static_cast<P>(engine::dynamic_shared());
}

// An attribute's value as the parameter's type: one, two or three of its components.
template <class P>
inline P attribute(Dim3 value) {
    using V = std::remove_cvref_t<P>;
    if constexpr (metal::detail::lanes<V> == 3) {
        return V(value.x, value.y, value.z);
    } else if constexpr (metal::detail::lanes<V> == 2) {
        return V(value.x, value.y);
    } else {
        return static_cast<V>(value.x);
    }
}
template <class P>
inline P attribute(unsigned value) {
    return static_cast<std::remove_cvref_t<P>>(value);
}

inline Dim3 thread_position_in_threadgroup() { return engine::thread_index(); }
inline Dim3 threadgroup_position_in_grid() { return engine::block_index(); }
inline Dim3 threads_per_threadgroup() { return engine::block_dim(); }
inline Dim3 threadgroups_per_grid() { return engine::grid_dim(); }
inline Dim3 dispatch_threads_per_threadgroup() { return engine::full_block_dim(); }
inline Dim3 threads_per_grid() { return engine::grid_threads(); }
inline Dim3 grid_size() { return engine::grid_threads(); }
inline Dim3 grid_origin() { return {0, 0, 0}; }
inline Dim3 thread_position_in_grid() {
    const Dim3 at = engine::block_index(), size = engine::full_block_dim(), in = engine::thread_index();
    return {at.x * size.x + in.x, at.y * size.y + in.y, at.z * size.z + in.z};
}
inline unsigned thread_index_in_threadgroup() { return engine::linear_index(); }
inline unsigned thread_index_in_simdgroup() { return engine::lane(); }
inline unsigned simdgroup_index_in_threadgroup() { return engine::simdgroup(); }
inline unsigned simdgroups_per_threadgroup() { return (engine::group_threads() + engine::kSimd - 1) / engine::kSimd; }
inline unsigned dispatch_simdgroups_per_threadgroup() {
    const Dim3 size = engine::full_block_dim();
    return (size.x * size.y * size.z + engine::kSimd - 1) / engine::kSimd;
}
inline unsigned threads_per_simdgroup() { return engine::kSimd; }
inline unsigned thread_execution_width() { return engine::kSimd; }
inline unsigned thread_index_in_quadgroup() { return engine::lane() % 4; }
inline unsigned quadgroup_index_in_threadgroup() { return engine::linear_index() / 4; }
inline unsigned quadgroups_per_threadgroup() { return (engine::group_threads() + 3) / 4; }
inline unsigned dispatch_quadgroups_per_threadgroup() {
    const Dim3 size = engine::full_block_dim();
    return (size.x * size.y * size.z + 3) / 4;
}

}  // namespace msl
