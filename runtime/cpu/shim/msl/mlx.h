// What MLX puts before every kernel, for texts that come without it: short names of types, index arithmetic and
// complex numbers.
#pragma once

using float16_t = half;
using bfloat16_t = bfloat;

template <class T, class U>
inline T ceildiv(T a, U b) {
    return (a + b - 1) / b;
}

template <class T>
struct complex_t {
    T real, imag;
    constexpr complex_t() : real(0), imag(0) {}
    constexpr complex_t(T r, T i) : real(r), imag(i) {}
    template <metal::_Scalar U>
    constexpr complex_t(U r) : real(static_cast<T>(r)), imag(0) {}
    constexpr complex_t& operator+=(complex_t o) { return *this = *this + o; }
    constexpr complex_t& operator-=(complex_t o) { return *this = *this - o; }
    constexpr complex_t& operator*=(complex_t o) { return *this = *this * o; }
    friend constexpr complex_t operator-(complex_t a) { return {-a.real, -a.imag}; }
    friend constexpr complex_t operator+(complex_t a, complex_t b) { return {a.real + b.real, a.imag + b.imag}; }
    friend constexpr complex_t operator-(complex_t a, complex_t b) { return {a.real - b.real, a.imag - b.imag}; }
    friend constexpr complex_t operator*(complex_t a, complex_t b) {
        return {a.real * b.real - a.imag * b.imag, a.real * b.imag + a.imag * b.real};
    }
    friend constexpr complex_t operator/(complex_t a, complex_t b) {
        const T square = b.real * b.real + b.imag * b.imag;
        return {(a.real * b.real + a.imag * b.imag) / square, (a.imag * b.real - a.real * b.imag) / square};
    }
    friend constexpr bool operator==(complex_t a, complex_t b) { return a.real == b.real && a.imag == b.imag; }
};
using complex64_t = complex_t<float>;

// The offset of element number `elem` (row-major) of an array with this shape and these strides.
template <class Index = std::int64_t, class Shape, class Strides>
inline Index elem_to_loc(Index elem, const Shape* shape, const Strides* strides, int ndim) {
    Index offset = 0;
    for (int i = ndim - 1; i >= 0 && elem > 0; --i) {
        offset += elem % shape[i] * Index(strides[i]);
        elem /= shape[i];
    }
    return offset;
}
// The same for a position: x along the last axis, y along the one before, z over all the others.
template <class Index = std::int64_t, class Shape, class Strides>
inline Index elem_to_loc(uint3 elem, const Shape* shape, const Strides* strides, int ndim) {
    Index offset = elem.x * Index(strides[ndim - 1]) + elem.y * Index(strides[ndim - 2]);
    for (int i = ndim - 3; i >= 0; --i) {
        offset += elem.z % shape[i] * Index(strides[i]);
        elem.z /= shape[i];
    }
    return offset;
}
template <class Index = std::int64_t, class Strides>
inline Index elem_to_loc_1(uint elem, const Strides& stride) {
    return elem * Index(stride);
}
template <class Index = std::int64_t, class Strides>
inline Index elem_to_loc_2(uint2 elem, const Strides* strides) {
    return elem.x * Index(strides[1]) + elem.y * Index(strides[0]);
}
template <class Index = std::int64_t, class Strides>
inline Index elem_to_loc_3(uint3 elem, const Strides* strides) {
    return elem.x * Index(strides[2]) + elem.y * Index(strides[1]) + elem.z * Index(strides[0]);
}
