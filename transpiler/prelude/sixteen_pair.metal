// __half2 and __nv_bfloat162 intrinsics without a Metal form: the ones of sixteen.metal on both lanes.
namespace cu {

// __hadd2_rn
template <typename Pair>
inline Pair hadd2_rn(Pair a, Pair b) {
    return Pair(hadd_rn(a.x, b.x), hadd_rn(a.y, b.y));
}

// __hsub2_rn
template <typename Pair>
inline Pair hsub2_rn(Pair a, Pair b) {
    return Pair(hsub_rn(a.x, b.x), hsub_rn(a.y, b.y));
}

// __hmul2_rn
template <typename Pair>
inline Pair hmul2_rn(Pair a, Pair b) {
    return Pair(hmul_rn(a.x, b.x), hmul_rn(a.y, b.y));
}

// __hadd2_sat
template <typename Pair>
inline Pair hadd2_sat(Pair a, Pair b) {
    return Pair(hadd_sat(a.x, b.x), hadd_sat(a.y, b.y));
}

// __hsub2_sat
template <typename Pair>
inline Pair hsub2_sat(Pair a, Pair b) {
    return Pair(hsub_sat(a.x, b.x), hsub_sat(a.y, b.y));
}

// __hmul2_sat
template <typename Pair>
inline Pair hmul2_sat(Pair a, Pair b) {
    return Pair(hmul_sat(a.x, b.x), hmul_sat(a.y, b.y));
}

// __hfma2
template <typename Pair>
inline Pair hfma2(Pair a, Pair b, Pair c) {
    return Pair(hfma(a.x, b.x, c.x), hfma(a.y, b.y, c.y));
}

// __hfma2_sat
template <typename Pair>
inline Pair hfma2_sat(Pair a, Pair b, Pair c) {
    return Pair(hfma_sat(a.x, b.x, c.x), hfma_sat(a.y, b.y, c.y));
}

// __hfma2_relu
template <typename Pair>
inline Pair hfma2_relu(Pair a, Pair b, Pair c) {
    return Pair(hfma_relu(a.x, b.x, c.x), hfma_relu(a.y, b.y, c.y));
}

// __habs2
template <typename Pair>
inline Pair habs2(Pair a) {
    return Pair(habs(a.x), habs(a.y));
}

// __hmax2
template <typename Pair>
inline Pair hmax2(Pair a, Pair b) {
    return Pair(hmax(a.x, b.x), hmax(a.y, b.y));
}

// __hmin2
template <typename Pair>
inline Pair hmin2(Pair a, Pair b) {
    return Pair(hmin(a.x, b.x), hmin(a.y, b.y));
}

// __hmax2_nan
template <typename Pair>
inline Pair hmax2_nan(Pair a, Pair b) {
    return Pair(hmax_nan(a.x, b.x), hmax_nan(a.y, b.y));
}

// __hmin2_nan
template <typename Pair>
inline Pair hmin2_nan(Pair a, Pair b) {
    return Pair(hmin_nan(a.x, b.x), hmin_nan(a.y, b.y));
}

// __hne2, __hequ2: 1 or 0 in each lane.
inline half2 hne2(half2 a, half2 b) {
    return half2(hne(a.x, b.x) ? half(1.0f) : half(0.0f), hne(a.y, b.y) ? half(1.0f) : half(0.0f));
}
inline bfloat2 hne2(bfloat2 a, bfloat2 b) {
    return bfloat2(bfloat(hne(a.x, b.x) ? 1.0f : 0.0f), bfloat(hne(a.y, b.y) ? 1.0f : 0.0f));
}
inline half2 hequ2(half2 a, half2 b) {
    return half2(hequ(a.x, b.x) ? half(1.0f) : half(0.0f), hequ(a.y, b.y) ? half(1.0f) : half(0.0f));
}
inline bfloat2 hequ2(bfloat2 a, bfloat2 b) {
    return bfloat2(bfloat(hequ(a.x, b.x) ? 1.0f : 0.0f), bfloat(hequ(a.y, b.y) ? 1.0f : 0.0f));
}

// __hbne2, __hbequ2: true in both lanes.
template <typename Pair>
inline bool hbne2(Pair a, Pair b) {
    return hne(a.x, b.x) && hne(a.y, b.y);
}
template <typename Pair>
inline bool hbequ2(Pair a, Pair b) {
    return hequ(a.x, b.x) && hequ(a.y, b.y);
}

// __hne2_mask, __hequ2_mask: 0xffff in each half where it is true.
template <typename Pair>
inline uint hne2_mask(Pair a, Pair b) {
    return (hne(a.x, b.x) ? 0xffffu : 0u) | (hne(a.y, b.y) ? 0xffff0000u : 0u);
}
template <typename Pair>
inline uint hequ2_mask(Pair a, Pair b) {
    return (hequ(a.x, b.x) ? 0xffffu : 0u) | (hequ(a.y, b.y) ? 0xffff0000u : 0u);
}

// __hcmadd: a * b + c on complex numbers (x + iy), in CUDA's order of roundings.
template <typename Pair>
inline Pair hcmadd(Pair a, Pair b, Pair c) {
    return Pair(hfma(hneg(a.y), b.y, hfma(a.x, b.x, c.x)), hfma(a.y, b.x, hfma(a.x, b.y, c.y)));
}

}  // namespace cu
