// How a kernel makes an inout_ptr.
namespace cu {

// From the two buffers that MLX hands over, whatever unsigned type the second has.
template <typename T, typename Bits>
inline inout_ptr<T> inout(const device T* base, device Bits* delta) {
    return inout_ptr<T>(base, (device typename inout_ptr<T>::bits*)delta);
}

}  // namespace cu
