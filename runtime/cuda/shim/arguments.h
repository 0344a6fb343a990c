// A Metal kernel's arguments: buffers by pointer, values (const references) as CUDA kernel arguments.
#pragma once

namespace msl {

template <class P>
struct cuda_argument {
    using type = const P;
};
template <class T>
struct cuda_argument<T*> {
    using type = T* __restrict__;  // MLX binds no array twice
};
template <class T>
struct cuda_argument<T* const> : cuda_argument<T*> {};
template <class T>
struct cuda_argument<T&> : cuda_argument<T*> {};
template <class F, std::size_t I>
using argument = typename cuda_argument<parameter<F, I>>::type;

template <class P, class T>
    requires(!std::is_pointer_v<T>)
inline P pass(const T& value) {
    return value;
}

}  // namespace msl
