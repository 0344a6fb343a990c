// simdgroup_matrix: 8 x 8 elements over the 32 lanes of a simdgroup, two in each, laid out as on Apple's GPUs
// (the layout that MLX's steel kernels rely on). Products add up in float.
#pragma once
#include "simd.h"

namespace metal {

namespace detail {
struct Cell {
    int row, column;  // of the lane's first element; the second is to its right
};
inline Cell cell_of(int lane) {
    const int quad = lane / 4;
    return {(quad & 4) + lane / 2 % 4, (quad & 2) * 2 + lane % 2 * 2};
}

// Of the machine (product.h): a fault where lanes are missing, and a lane's two elements of a * b + c.
inline void whole_simdgroup();
template <class D, class A, class B, class C>
inline vec<D, 2> product(const vec<A, 2>& a, const vec<B, 2>& b, const vec<C, 2>& c);
}  // namespace detail

template <class T, int Columns, int Rows>
struct simdgroup_matrix {
    static_assert(Columns == 8 && Rows == 8, "simdgroup matrices are 8 x 8");
    using storage_type = vec<T, 2>;
    storage_type elements;

    simdgroup_matrix() = default;
    explicit simdgroup_matrix(T diagonal) : elements(T(0)) {
        const detail::Cell cell = detail::cell_of(int(engine::lane()));
        if (cell.row == cell.column) elements.x = diagonal;
        if (cell.row == cell.column + 1) elements.y = diagonal;
    }
    storage_type& thread_elements() { return elements; }
    const storage_type& thread_elements() const { return elements; }
};

using simdgroup_float8x8 = simdgroup_matrix<float, 8, 8>;
using simdgroup_half8x8 = simdgroup_matrix<half, 8, 8>;
using simdgroup_bfloat8x8 = simdgroup_matrix<bfloat, 8, 8>;

template <class T, int C, int R>
inline simdgroup_matrix<T, C, R> make_filled_simdgroup_matrix(T value) {
    simdgroup_matrix<T, C, R> matrix;
    matrix.elements = vec<T, 2>(value);
    return matrix;
}

namespace detail {
// Where a lane's two elements lie in a matrix in memory.
template <class P>
inline P place(P at, ulong row_length, ulong2 origin, bool transposed, int row, int column) {
    const ulong x = transposed ? ulong(row) : ulong(column), y = transposed ? ulong(column) : ulong(row);
    return at + (origin.y + y) * row_length + origin.x + x;
}
}  // namespace detail

template <class T, class U>
inline void simdgroup_load(simdgroup_matrix<T, 8, 8>& to, const U* from, ulong elements_per_row = 8,
                           ulong2 origin = ulong2(0), bool transposed = false) {
    detail::whole_simdgroup();
    const detail::Cell cell = detail::cell_of(int(engine::lane()));
    for (int i = 0; i < 2; ++i)
        to.elements[i] = T(*detail::place(from, elements_per_row, origin, transposed, cell.row, cell.column + i));
}
template <class T, class U>
inline void simdgroup_store(const simdgroup_matrix<T, 8, 8>& from, U* to, ulong elements_per_row = 8,
                            ulong2 origin = ulong2(0), bool transposed = false) {
    detail::whole_simdgroup();
    const detail::Cell cell = detail::cell_of(int(engine::lane()));
    for (int i = 0; i < 2; ++i)
        *detail::place(to, elements_per_row, origin, transposed, cell.row, cell.column + i) = U(from.elements[i]);
}

template <class D, class A, class B, class C>
inline void simdgroup_multiply_accumulate(simdgroup_matrix<D, 8, 8>& d, const simdgroup_matrix<A, 8, 8>& a,
                                          const simdgroup_matrix<B, 8, 8>& b, const simdgroup_matrix<C, 8, 8>& c) {
    d.elements = detail::product<D>(a.elements, b.elements, c.elements);
}
template <class D, class A, class B>
inline void simdgroup_multiply(simdgroup_matrix<D, 8, 8>& d, const simdgroup_matrix<A, 8, 8>& a,
                               const simdgroup_matrix<B, 8, 8>& b) {
    simdgroup_multiply_accumulate(d, a, b, make_filled_simdgroup_matrix<D, 8, 8>(D(0)));
}
template <class A, class B>
inline simdgroup_matrix<A, 8, 8> operator*(const simdgroup_matrix<A, 8, 8>& a, const simdgroup_matrix<B, 8, 8>& b) {
    simdgroup_matrix<A, 8, 8> d;
    simdgroup_multiply(d, a, b);
    return d;
}

}  // namespace metal
