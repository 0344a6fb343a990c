// Pieces of std:: and cuda::std:: that device code uses.
namespace cu {

// std::swap, std::exchange on variables of the thread.
template <typename T, typename U>
inline void swap(thread T& a, thread U& b) {
    T old = a;
    a = b;
    b = old;
}
template <typename T, typename U>
inline T exchange(thread T& x, U value) {
    T old = x;
    x = value;
    return old;
}

}  // namespace cu
