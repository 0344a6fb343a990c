// fast:: is what CUDA's intrinsics give; precise:: the functions themselves.
#pragma once

namespace metal {

#define MSL_FAST1(name, expression)                                  \
    namespace precise {                                              \
    using metal::name;                                               \
    }                                                                \
    namespace fast {                                                 \
    inline float name(float x) { return expression; }                \
    template <_Narrow T>                                              \
    inline T name(T x) {                                             \
        return T(name(static_cast<float>(x)));                       \
    }                                                                \
    template <_Integer T>                                             \
    inline float name(T x) {                                         \
        return name(static_cast<float>(x));                          \
    }                                                                \
    template <_Vector A>                                              \
    inline auto name(const A& a) {                                   \
        return detail::floats([](auto x) { return name(x); }, a);    \
    }                                                                \
    }
#define MSL_FAST2(name, expression)                                             \
    namespace precise {                                                         \
    using metal::name;                                                          \
    }                                                                           \
    namespace fast {                                                            \
    inline float name(float x, float y) { return expression; }                  \
    template <_Narrow T>                                                         \
    inline T name(T x, T y) {                                                   \
        return T(name(static_cast<float>(x), static_cast<float>(y)));           \
    }                                                                           \
    template <class A, class B>                                                 \
        requires detail::AnyVector<A, B>                                        \
    inline auto name(const A& a, const B& b) {                                  \
        return detail::floats([](auto x, auto y) { return name(x, y); }, a, b); \
    }                                                                           \
    }
namespace detail {
// One instruction; what is too small for a normal number is 0, as in Metal's fast math.
inline float fast_exp2(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}
}  // namespace detail

MSL_FAST1(cos, __cosf(x))
MSL_FAST1(exp, __expf(x))
MSL_FAST1(exp10, __exp10f(x))
MSL_FAST1(exp2, metal::detail::fast_exp2(x))
MSL_FAST1(log, __logf(x))
MSL_FAST1(log10, __log10f(x))
MSL_FAST1(log2, __log2f(x))
MSL_FAST1(sin, __sinf(x))
MSL_FAST1(tan, __tanf(x))
MSL_FAST2(divide, __fdividef(x, y))
MSL_FAST2(pow, __powf(x, y))
MSL_FAST2(powr, __powf(x, y))
#undef MSL_FAST1
#undef MSL_FAST2

}  // namespace metal
