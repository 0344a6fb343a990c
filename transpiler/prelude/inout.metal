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

// A part of an element, which lies where `input` is in the input.
template <typename Part, typename T>
inline inout_ref<Part> part(inout_ref<T> whole, const device Part& input) {
    long offset = (const device uchar*)&input - (const device uchar*)whole.base;
    return inout_ref<Part>(&input, (device typename inout_ref<Part>::bits*)((device uchar*)whole.delta + offset));
}
template <typename Lane, typename Vector>
inline inout_ref<Lane> lane(inout_ref<Vector> whole, uint i) {
    return inout_ref<Lane>((const device Lane*)whole.base + i, (device typename inout_ref<Lane>::bits*)whole.delta + i);
}

}  // namespace cu
