// What a kernel needs for the arrays that it changes.
namespace cu {

// An element that its thread leaves as it is.
template <typename T>
inline void keep(device T* to, const device T* from, uint i, uint size) {
    if (i < size) to[i] = from[i];
}

// An inout_ptr from the two buffers that MLX hands over, whatever unsigned type the second has.
template <typename T, typename Bits>
inline inout_ptr<T> inout(const device T* base, device Bits* delta) {
    return inout_ptr<T>(base, (device typename inout_ptr<T>::bits*)delta);
}

// reinterpret_cast<U*>(p)
template <typename U, typename T>
inline inout_ptr<U> reinterpret(inout_ptr<T> p) {
    return p.template as<U>();
}

}  // namespace cu
