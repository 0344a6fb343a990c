// The product of simdgroup matrices: all lanes bring their elements, the last one multiplies.
#pragma once
#include "matrix.h"

namespace metal {
namespace detail {

inline void require_whole(std::uint32_t active) {
    if (active != ~0u) engine::fault("divergent collective", "a simdgroup_matrix operation without all 32 lanes");
}
inline void whole_simdgroup() { require_whole(engine::active_lanes()); }

template <class D, class A, class B, class C>
struct Product {
    vec<D, 2> result;
    vec<A, 2> a;
    vec<B, 2> b;
    vec<C, 2> c;
};

template <class P>
inline void multiply(void* const* lanes, std::uint32_t active) {
    require_whole(active);
    float a[8][8] = {}, b[8][8] = {};
    each<P>(lanes, active, [&](P& lane, int i) {
        const Cell cell = cell_of(i);
        for (int j = 0; j < 2; ++j) {
            a[cell.row][cell.column + j] = static_cast<float>(lane.a[j]);
            b[cell.row][cell.column + j] = static_cast<float>(lane.b[j]);
        }
    });
    each<P>(lanes, active, [&](P& lane, int i) {
        const Cell cell = cell_of(i);
        for (int j = 0; j < 2; ++j) {
            float sum = static_cast<float>(lane.c[j]);
            for (int k = 0; k < 8; ++k) sum += a[cell.row][k] * b[k][cell.column + j];
            lane.result[j] = static_cast<std::remove_reference_t<decltype(lane.result[j])>>(sum);
        }
    });
}

template <class D, class A, class B, class C>
inline vec<D, 2> product(const vec<A, 2>& a, const vec<B, 2>& b, const vec<C, 2>& c) {
    using P = Product<D, A, B, C>;
    P mine{vec<D, 2>(D(0)), a, b, c};
    engine::collective(&mine, multiply<P>);
    return mine.result;
}

}  // namespace detail
}  // namespace metal
