// Pieces of std:: and cuda::std:: that device code uses and metal_stdlib lacks: numeric_limits, conditional_t, is_same,
// enable_if_t and their like stand in namespace metal.
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
    bool operator!=(pair<A, B> other) const {
        return !(first == other.first && second == other.second);
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

// std::array
template <typename T, ulong N>
struct array {
    T items[N];

    static constexpr ulong size() {
        return N;
    }
    thread T& operator[](ulong i) thread {
        return items[i];
    }
    const thread T& operator[](ulong i) const thread {
        return items[i];
    }
    threadgroup T& operator[](ulong i) threadgroup {
        return items[i];
    }
    device T& operator[](ulong i) device {
        return items[i];
    }
    const device T& operator[](ulong i) const device {
        return items[i];
    }
    const constant T& operator[](ulong i) const constant {
        return items[i];
    }
    thread T& front() thread {
        return items[0];
    }
    thread T& back() thread {
        return items[N - 1];
    }
    thread T* data() thread {
        return items;
    }
    thread T* begin() thread {
        return items;
    }
    thread T* end() thread {
        return items + N;
    }
    const thread T* begin() const thread {
        return items;
    }
    const thread T* end() const thread {
        return items + N;
    }
    void fill(T value) thread {
        for (ulong i = 0; i < N; ++i) items[i] = value;
    }
};

// T, as a type that hangs on a template parameter.
template <typename T, int value>
struct depending {
    using type = T;
};

// std::initializer_list of up to 16 values, as constant expressions pass it.
template <typename T>
struct initializer_list {
    T items[16];
    int count;

    template <typename... Values>
    constexpr initializer_list(Values... values) : items{T(values)...}, count(int(sizeof...(Values))) {
        static_assert(sizeof...(Values) <= 16, "at most 16 values");
    }
    constexpr ulong size() const {
        return ulong(count);
    }
};

// std::min, std::max as constant expressions, which Metal's own are not, and of lists.
template <typename T>
constexpr T min_of(T only) {
    return only;
}
template <typename T, typename... Rest>
constexpr T min_of(T first, T second, Rest... rest) {
    return min_of(second < first ? second : first, rest...);
}
template <typename T>
constexpr T min_of(initializer_list<T> list) {
    T found = list.items[0];
    for (int i = 1; i < list.count; ++i) found = list.items[i] < found ? list.items[i] : found;
    return found;
}
template <typename T>
constexpr T max_of(T only) {
    return only;
}
template <typename T, typename... Rest>
constexpr T max_of(T first, T second, Rest... rest) {
    return max_of(first < second ? second : first, rest...);
}
template <typename T>
constexpr T max_of(initializer_list<T> list) {
    T found = list.items[0];
    for (int i = 1; i < list.count; ++i) found = found < list.items[i] ? list.items[i] : found;
    return found;
}

}  // namespace cu
