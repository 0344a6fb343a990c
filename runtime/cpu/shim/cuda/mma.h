// nvcuda::wmma: fragments spread over the warp so that lane l holds elements l, l + 32 … of the matrix by rows.
// CUDA leaves that mapping open, and only element-wise code may look into x[].
#pragma once
#include "bfloat16.h"
#include "half.h"
#include "matrix.h"

namespace nvcuda::wmma {

struct matrix_a {};
struct matrix_b {};
struct accumulator {};
struct row_major {};
struct col_major {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision { using tf32 = ::cudashim::tf32_tag; }

namespace detail {
template <class T> struct storage { using type = T; };
template <> struct storage<precision::tf32> { using type = float; };
template <class Use, int M, int N, int K> struct extent { static constexpr int rows = M, columns = N; };
template <int M, int N, int K> struct extent<matrix_a, M, N, K> { static constexpr int rows = M, columns = K; };
template <int M, int N, int K> struct extent<matrix_b, M, N, K> { static constexpr int rows = K, columns = N; };
template <class T> using sum_type = std::conditional_t<std::is_integral_v<T>, int, double>;
}  // namespace detail

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  using element_type = T;
  using storage_element_type = typename detail::storage<T>::type;
  static constexpr int rows = detail::extent<Use, M, N, K>::rows, columns = detail::extent<Use, M, N, K>::columns;
  static constexpr int num_elements = rows * columns / 32, num_storage_elements = num_elements;
  storage_element_type x[num_elements];
};

template <class F, class T> inline void fill_fragment(F& fragment, const T& value) {
  for (auto& element : fragment.x) element = typename F::storage_element_type(value);
}

namespace detail {
template <class F, class Visit> inline void each_element(F&, bool by_rows, unsigned stride, Visit visit) {
  for (int i = 0; i < F::num_elements; ++i) {
    int element = int(engine::lane()) + 32 * i, row = element / F::columns, column = element % F::columns;
    visit(i, by_rows ? size_t(row) * stride + column : size_t(column) * stride + row);
  }
}
}  // namespace detail

template <class Use, int M, int N, int K, class T, class Layout, class S>
inline void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& target, const S* from, unsigned stride) {
  detail::each_element(target, std::is_same_v<Layout, row_major>, stride, [&](int i, size_t at) { target.x[i] = from[at]; });
  engine::simd_barrier(0xffffffffu);
}
template <int M, int N, int K, class T, class S>
inline void load_matrix_sync(fragment<accumulator, M, N, K, T>& target, const S* from, unsigned stride, layout_t layout) {
  detail::each_element(target, layout == mem_row_major, stride, [&](int i, size_t at) { target.x[i] = from[at]; });
  engine::simd_barrier(0xffffffffu);
}
template <int M, int N, int K, class T, class S>
inline void store_matrix_sync(S* to, const fragment<accumulator, M, N, K, T>& source, unsigned stride, layout_t layout) {
  detail::each_element(source, layout == mem_row_major, stride, [&](int i, size_t at) { to[at] = source.x[i]; });
  engine::simd_barrier(0xffffffffu);
}

template <int M, int N, int K, class A, class LayoutA, class B, class LayoutB, class C, class D>
inline void mma_sync(fragment<accumulator, M, N, K, D>& d, const fragment<matrix_a, M, N, K, A, LayoutA>& a,
                     const fragment<matrix_b, M, N, K, B, LayoutB>& b, const fragment<accumulator, M, N, K, C>& c) {
  struct Lane {
    decltype(&d) result;
    decltype(&a) left;
    decltype(&b) right;
    decltype(&c) start;
  } mine{&d, &a, &b, &c};
  engine::collective(&mine, [](void* const* lanes, uint32_t) {
    auto lane = [lanes](int element) -> Lane& { return *static_cast<Lane*>(lanes[element % 32]); };
    using Sum = detail::sum_type<D>;
    Sum products[M * N];
    cudashim::multiply_matrices<M, N, K, Sum>(
        [&](int m, int k) { return Sum(lane(m * K + k).left->x[(m * K + k) / 32]); },
        [&](int k, int n) { return Sum(lane(k * N + n).right->x[(k * N + n) / 32]); },
        [&](int m, int n) { return Sum(lane(m * N + n).start->x[(m * N + n) / 32]); },
        [&](int m, int n, Sum total) { products[m * N + n] = total; });
    for (int i = 0; i < M * N; ++i) lane(i).result->x[i / 32] = D(products[i]);
  }, 0xffffffffu);
}

inline float __float_to_tf32(float v) { return cudashim::to_tf32(v); }

}  // namespace nvcuda::wmma

using nvcuda::wmma::__float_to_tf32;
