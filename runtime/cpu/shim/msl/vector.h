// Vectors: vec<T, N> with swizzles, and packed_vec<T, N> with the layout of an array.
//
// A vector has as members only those swizzles that the kernel's text uses: the reader lists them in
// MSL_SWIZZLES_2/3/4 as SWIZZLE(name, indices…), and SWIZZLE_WRITTEN where the text assigns to one.
#pragma once
#include "../engine.h"
#include "numbers.h"

#ifndef MSL_SWIZZLES_2
#define MSL_SWIZZLES_2
#define MSL_SWIZZLES_3
#define MSL_SWIZZLES_4
#endif

namespace metal {

template <class T, int N>
struct vec;

// Some components of a vector, in the vector's own memory.
template <class T, int N, int... I>
struct _swizzle {
    T data[N];
    constexpr operator vec<T, sizeof...(I)>() const { return {data[I]...}; }
};
template <class T, int N, int... I>
struct _written_swizzle {
    T data[N];
    constexpr operator vec<T, sizeof...(I)>() const { return {data[I]...}; }
    constexpr _written_swizzle& operator=(const vec<T, sizeof...(I)>& from) {
        int next = 0;
        ((data[I] = from.data[next++]), ...);
        return *this;
    }
    constexpr _written_swizzle& operator=(const _written_swizzle& from) {
        return *this = static_cast<vec<T, sizeof...(I)>>(from);
    }
};

template <class T, int N>
struct packed_vec;

namespace detail {
template <class V>
struct shape {
    using element = V;
    static constexpr int lanes = 0;
};
template <class T, int N>
struct shape<vec<T, N>> {
    using element = T;
    static constexpr int lanes = N;
};
template <class T, int N>
struct shape<packed_vec<T, N>> : shape<vec<T, N>> {};
template <class T, int N, int... I>
struct shape<_swizzle<T, N, I...>> : shape<vec<T, sizeof...(I)>> {};
template <class T, int N, int... I>
struct shape<_written_swizzle<T, N, I...>> : shape<vec<T, sizeof...(I)>> {};

template <class V>
using element = typename shape<std::remove_cvref_t<V>>::element;
template <class V>
inline constexpr int lanes = shape<std::remove_cvref_t<V>>::lanes;

template <class T, int N>
constexpr T at(const vec<T, N>& v, int i) {
    return v.data[i];
}
template <class T, int N>
constexpr T at(const packed_vec<T, N>& v, int i) {
    return v.data[i];
}
template <class T, int N, int... I>
constexpr T at(const _swizzle<T, N, I...>& v, int i) {
    constexpr int index[] = {I...};
    return v.data[index[i]];
}
template <class T, int N, int... I>
constexpr T at(const _written_swizzle<T, N, I...>& v, int i) {
    constexpr int index[] = {I...};
    return v.data[index[i]];
}
template <_Scalar T>
constexpr T at(T v, int) {
    return v;
}
}  // namespace detail

template <class V>
concept _Vector = (detail::lanes<V> > 0);
template <class V>
concept _Part = _Vector<V> || _Scalar<std::remove_cvref_t<V>>;

template <class V>
using vec_of = vec<detail::element<V>, detail::lanes<V>>;

// How many components of a new vector an argument gives.
template <_Part V>
inline constexpr int _components = _Vector<V> ? detail::lanes<V> : 1;

#define SWIZZLE(name, ...) _swizzle<T, MSL_LANES, __VA_ARGS__> name;
#define SWIZZLE_WRITTEN(name, ...) _written_swizzle<T, MSL_LANES, __VA_ARGS__> name;
#define MSL_VECTOR(N, alignment, XYZW, RGBA, SWIZZLES)                                                         \
    template <class T>                                                                                         \
    struct alignas(alignment * sizeof(T)) vec<T, N> {                                                          \
        union {                                                                                                \
            T data[N];                                                                                         \
            struct {                                                                                           \
                T XYZW;                                                                                        \
            };                                                                                                 \
            struct {                                                                                           \
                T RGBA;                                                                                        \
            };                                                                                                 \
            SWIZZLES                                                                                           \
        };                                                                                                     \
        vec() = default;                                                                                       \
        MSL_COPY(vec)                                                                                          \
        template <_Scalar S>                                                                                    \
        constexpr vec(S value) {                                                                               \
            for (T& each : data) each = static_cast<T>(value);                                                 \
        }                                                                                                      \
        template <_Part... A>                                                                                   \
            requires(sizeof...(A) > 1 && (_components<A> + ...) == N)                                           \
        constexpr vec(const A&... parts) : data{} {                                                            \
            int next = 0;                                                                                      \
            (append(next, parts), ...);                                                                        \
        }                                                                                                      \
        template <_Vector V>                                                                                    \
            requires(detail::lanes<V> == N && !std::is_same_v<V, vec>)                                         \
        explicit(!std::is_same_v<detail::element<V>, T>) constexpr vec(const V& from) : data{} {               \
            for (int i = 0; i < N; ++i) data[i] = static_cast<T>(detail::at(from, i));                         \
        }                                                                                                      \
        constexpr T& operator[](std::size_t i) { return data[i]; }                                             \
        constexpr const T& operator[](std::size_t i) const { return data[i]; }                                 \
                                                                                                               \
    private:                                                                                                   \
        template <class V>                                                                                     \
        constexpr void append(int& next, const V& part) {                                                      \
            for (int i = 0; i < _components<V>; ++i) data[next++] = static_cast<T>(detail::at(part, i));        \
        }                                                                                                      \
    };

// Where the text assigns to swizzles, a vector must say how it is copied: a swizzle member assigns only its part.
#ifdef MSL_ASSIGNS_SWIZZLES
#define MSL_COPY(vec)                                                       \
    constexpr vec(const vec& from) {                                        \
        for (unsigned i = 0; i < sizeof data / sizeof *data; ++i) data[i] = from.data[i]; \
    }                                                                       \
    constexpr vec& operator=(const vec& from) {                             \
        for (unsigned i = 0; i < sizeof data / sizeof *data; ++i) data[i] = from.data[i]; \
        return *this;                                                       \
    }
#else
#define MSL_COPY(vec)
#endif

#define MSL_NAMES(...) __VA_ARGS__
#define MSL_LANES 2
MSL_VECTOR(2, 2, MSL_NAMES(x, y), MSL_NAMES(r, g), MSL_SWIZZLES_2)
#undef MSL_LANES
#define MSL_LANES 3
MSL_VECTOR(3, 4, MSL_NAMES(x, y, z), MSL_NAMES(r, g, b), MSL_SWIZZLES_3)
#undef MSL_LANES
#define MSL_LANES 4
MSL_VECTOR(4, 4, MSL_NAMES(x, y, z, w), MSL_NAMES(r, g, b, a), MSL_SWIZZLES_4)
#undef MSL_LANES

#define MSL_PACKED(N, XYZW)                                                                              \
    template <class T>                                                                                   \
    struct packed_vec<T, N> {                                                                            \
        union {                                                                                          \
            T data[N];                                                                                   \
            struct {                                                                                     \
                T XYZW;                                                                                  \
            };                                                                                           \
        };                                                                                               \
        packed_vec() = default;                                                                          \
        constexpr packed_vec(const vec<T, N>& from) : data{} {                                           \
            for (int i = 0; i < N; ++i) data[i] = from.data[i];                                          \
        }                                                                                                \
        template <_Part... A>                                                                             \
            requires(sizeof...(A) > 1 && (_components<A> + ...) == N)                                     \
        constexpr packed_vec(const A&... parts) : packed_vec(vec<T, N>(parts...)) {}                     \
        template <_Scalar S>                                                                              \
        constexpr packed_vec(S value) : packed_vec(vec<T, N>(value)) {}                                  \
        template <_Vector V>                                                                              \
            requires(detail::lanes<V> == N && !std::is_same_v<V, packed_vec> && !std::is_same_v<V, vec<T, N>>) \
        explicit(!std::is_same_v<detail::element<V>, T>) constexpr packed_vec(const V& from)             \
            : packed_vec(vec<T, N>(from)) {}                                                             \
        constexpr T& operator[](std::size_t i) { return data[i]; }                                       \
        constexpr const T& operator[](std::size_t i) const { return data[i]; }                           \
    };
MSL_PACKED(2, MSL_NAMES(x, y))
MSL_PACKED(3, MSL_NAMES(x, y, z))
MSL_PACKED(4, MSL_NAMES(x, y, z, w))

#undef MSL_VECTOR
#undef MSL_PACKED
#undef MSL_COPY
#undef SWIZZLE
#undef SWIZZLE_WRITTEN

namespace detail {

template <class R, class F, int... I, class... V>
constexpr auto each_lane(engine::detail::Sequence<int, I...>, F f, const V&... v) {
    const auto one = [&](int i) { return static_cast<R>(f(at(v, i)...)); };
    return vec<R, sizeof...(I)>{one(I)...};
}

// f on the components of vectors and scalars; scalars become the vectors' element first.
template <class R, int N, class F, class... V>
constexpr vec<R, N> map(F f, const V&... v) {
    return each_lane<R>(engine::detail::Count<int, N>{}, f, v...);
}

// The vector type among operands of which at least one is a vector.
template <class A, class... B>
struct vector_among : vector_among<B...> {};
template <_Vector A, class... B>
struct vector_among<A, B...> {
    using type = vec_of<A>;
};
template <class... A>
using among = typename vector_among<std::remove_cvref_t<A>...>::type;

template <class T, class V>
constexpr auto as(const V& v) {
    if constexpr (_Vector<V>) {
        return vec<T, lanes<V>>(v);
    } else {
        return static_cast<T>(v);
    }
}

template <class A, class B>
concept Operands = _Part<A> && _Part<B> && (_Vector<A> || _Vector<B>) &&
                   (!_Vector<A> || !_Vector<B> || lanes<A> == lanes<B>);

}  // namespace detail

#define MSL_BINARY(op)                                                                                        \
    template <class A, class B>                                                                               \
        requires detail::Operands<A, B>                                                                       \
    constexpr auto operator op(const A& a, const B& b) {                                                      \
        using V = detail::among<A, B>;                                                                        \
        using T = detail::element<V>;                                                                         \
        return detail::map<T, detail::lanes<V>>([](T x, T y) { return x op y; }, detail::as<T>(a), detail::as<T>(b)); \
    }                                                                                                         \
    template <_Vector A, _Part B>                                                                               \
        requires detail::Operands<A, B>                                                                       \
    constexpr A& operator op##=(A& a, const B& b) {                                                           \
        return a = vec_of<A>(a op b);                                                                         \
    }
MSL_BINARY(+)
MSL_BINARY(-)
MSL_BINARY(*)
MSL_BINARY(/)
MSL_BINARY(%)
MSL_BINARY(&)
MSL_BINARY(|)
MSL_BINARY(^)
MSL_BINARY(<<)
MSL_BINARY(>>)
#undef MSL_BINARY

#define MSL_COMPARE(op)                                                                                          \
    template <class A, class B>                                                                                  \
        requires detail::Operands<A, B>                                                                          \
    constexpr auto operator op(const A& a, const B& b) {                                                         \
        using V = detail::among<A, B>;                                                                           \
        using T = detail::element<V>;                                                                            \
        return detail::map<bool, detail::lanes<V>>([](T x, T y) { return x op y; }, detail::as<T>(a), detail::as<T>(b)); \
    }
MSL_COMPARE(==)
MSL_COMPARE(!=)
MSL_COMPARE(<)
MSL_COMPARE(>)
MSL_COMPARE(<=)
MSL_COMPARE(>=)
MSL_COMPARE(&&)
MSL_COMPARE(||)
#undef MSL_COMPARE

template <_Vector V>
constexpr auto operator-(const V& v) {
    return detail::map<detail::element<V>, detail::lanes<V>>([](auto x) { return -x; }, v);
}
template <_Vector V>
constexpr auto operator+(const V& v) {
    return vec_of<V>(v);
}
template <_Vector V>
constexpr auto operator~(const V& v) {
    return detail::map<detail::element<V>, detail::lanes<V>>([](auto x) { return ~x; }, v);
}
template <_Vector V>
constexpr auto operator!(const V& v) {
    return detail::map<bool, detail::lanes<V>>([](auto x) { return !x; }, v);
}
template <_Vector V>
constexpr V& operator++(V& v) {
    return v += 1;
}
template <_Vector V>
constexpr V& operator--(V& v) {
    return v -= 1;
}

}  // namespace metal

#define MSL_TYPES(name, T)                       \
    namespace metal {                            \
    using name##2 = vec<T, 2>;                   \
    using name##3 = vec<T, 3>;                   \
    using name##4 = vec<T, 4>;                   \
    using packed_##name##2 = packed_vec<T, 2>;   \
    using packed_##name##3 = packed_vec<T, 3>;   \
    using packed_##name##4 = packed_vec<T, 4>;   \
    }                                            \
    using metal::name##2;                        \
    using metal::name##3;                        \
    using metal::name##4;                        \
    using metal::packed_##name##2;               \
    using metal::packed_##name##3;               \
    using metal::packed_##name##4;
MSL_TYPES(bool, bool)
MSL_TYPES(char, signed char)
MSL_TYPES(uchar, unsigned char)
MSL_TYPES(short, short)
MSL_TYPES(ushort, unsigned short)
MSL_TYPES(int, int)
MSL_TYPES(uint, unsigned int)
MSL_TYPES(long, long)
MSL_TYPES(ulong, unsigned long)
MSL_TYPES(float, float)
MSL_TYPES(half, half)
MSL_TYPES(bfloat, bfloat)
#undef MSL_TYPES
