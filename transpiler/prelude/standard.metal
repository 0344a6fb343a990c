// Pieces of std:: and cuda::std:: that device code uses and metal_stdlib lacks: numeric_limits, array, conditional_t,
// is_same, enable_if_t and their like stand in namespace metal.
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

// std::pair, std::make_pair: compared first by `first`.
template <typename A, typename B>
struct pair {
    A first;
    B second;

    bool operator==(pair<A, B> other) const {
        return first == other.first && second == other.second;
    }
    bool operator<(pair<A, B> other) const {
        return first < other.first || (!(other.first < first) && second < other.second);
    }
};
template <typename A, typename B>
inline pair<A, B> make_pair(A first, B second) {
    pair<A, B> made;
    made.first = first;
    made.second = second;
    return made;
}

}  // namespace cu
