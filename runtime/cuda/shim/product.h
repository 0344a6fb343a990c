// The product of simdgroup matrices by shuffles: it shows results, not speed; no tensor core is used.
#pragma once

namespace metal {
namespace detail {

inline void whole_simdgroup() {}

// The lane that holds a cell.
inline int lane_of(int row, int column) {
    return (row & 4) * 4 + (column & 4) * 2 + (row & 3) * 2 + (column & 2) / 2;
}

template <class D, class A, class B, class C>
inline vec<D, 2> product(const vec<A, 2>& a, const vec<B, 2>& b, const vec<C, 2>& c) {
    const Cell cell = cell_of(int(engine::lane()));
    float sums[2] = {static_cast<float>(c[0]), static_cast<float>(c[1])};
    for (int k = 0; k < 8; ++k) {
        const auto left = read_lane(a, lane_of(cell.row, k));
        const auto right = read_lane(b, lane_of(k, cell.column));
        for (int j = 0; j < 2; ++j) sums[j] += static_cast<float>(left[k & 1]) * static_cast<float>(right[j]);
    }
    return vec<D, 2>(D(sums[0]), D(sums[1]));
}

}  // namespace detail
}  // namespace metal
