// min and max over mixed types, as CUDA's overloads have them: converted as for a + b, NaN loses against a number.
namespace cu {

// The lesser and the larger of two values of one type.
template <typename T>
inline T lesser(T a, T b) {
    return b < a ? b : a;
}
inline float lesser(float a, float b) {
    return metal::fmin(a, b);
}
inline half lesser(half a, half b) {
    return metal::fmin(a, b);
}

template <typename T>
inline T larger(T a, T b) {
    return a < b ? b : a;
}
inline float larger(float a, float b) {
    return metal::fmax(a, b);
}
inline half larger(half a, half b) {
    return metal::fmax(a, b);
}

// min
template <typename T, typename U>
inline auto min(T a, U b) -> decltype(a + b) {
    using Common = decltype(a + b);
    return lesser(Common(a), Common(b));
}

// max
template <typename T, typename U>
inline auto max(T a, U b) -> decltype(a + b) {
    using Common = decltype(a + b);
    return larger(Common(a), Common(b));
}

}  // namespace cu
