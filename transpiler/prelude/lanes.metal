// Vectors as records.
namespace cu {

// Metal's vectors have no members that `auto [a, b]` could name.
template <typename T>
struct lanes2 {
    T x;
    T y;
};
template <typename T>
struct lanes3 {
    T x;
    T y;
    T z;
};
template <typename T>
struct lanes4 {
    T x;
    T y;
    T z;
    T w;
};
// A vector as its record.
template <typename T>
inline lanes2<T> lanes(vec<T, 2> v) {
    return lanes2<T>{v.x, v.y};
}
template <typename T>
inline lanes3<T> lanes(vec<T, 3> v) {
    return lanes3<T>{v.x, v.y, v.z};
}
template <typename T>
inline lanes4<T> lanes(vec<T, 4> v) {
    return lanes4<T>{v.x, v.y, v.z, v.w};
}

}  // namespace cu
