// Correctly rounded arithmetic that no compiler may fuse: __fmul_rn and its kin round to nearest even.
namespace cu {

// __fadd_rn, __fsub_rn
inline float fadd_rn(float a, float b) {
#pragma METAL fp contract(off)
    return a + b;
}
inline float fsub_rn(float a, float b) {
#pragma METAL fp contract(off)
    return a - b;
}

// __fmul_rn: fma with -0 rounds the product once and keeps its sign of zero; it cannot be fused again.
inline float fmul_rn(float a, float b) {
    return metal::fma(a, b, -0.0f);
}

// __fdiv_rn, __frcp_rn, __fsqrt_rn, __frsqrt_rn
inline float fdiv_rn(float a, float b) {
    return metal::precise::divide(a, b);
}
inline float frcp_rn(float a) {
    return metal::precise::divide(1.0f, a);
}
inline float fsqrt_rn(float a) {
    return metal::precise::sqrt(a);
}
inline float frsqrt_rn(float a) {
    return metal::precise::rsqrt(a);
}

}  // namespace cu
