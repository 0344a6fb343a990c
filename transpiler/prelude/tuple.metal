// std::tuple of up to five values, std::tie and std::get; a std::pair counts as a tuple of two.
namespace cu {

// std::tuple: aggregates with constructors, so that `auto [a, b]` names the members.
template <typename... T>
struct tuple;
template <typename A>
struct tuple<A> {
    A first;

    tuple() = default;
    tuple(A a) : first(a) {}
};
template <typename A, typename B>
struct tuple<A, B> {
    A first;
    B second;

    tuple() = default;
    tuple(A a, B b) : first(a), second(b) {}
    template <typename Other>
    tuple(Other other) : first(other.first), second(other.second) {}
};
template <typename A, typename B, typename C>
struct tuple<A, B, C> {
    A first;
    B second;
    C third;

    tuple() = default;
    tuple(A a, B b, C c) : first(a), second(b), third(c) {}
    template <typename Other>
    tuple(Other other) : first(other.first), second(other.second), third(other.third) {}
};
template <typename A, typename B, typename C, typename D>
struct tuple<A, B, C, D> {
    A first;
    B second;
    C third;
    D fourth;

    tuple() = default;
    tuple(A a, B b, C c, D d) : first(a), second(b), third(c), fourth(d) {}
    template <typename Other>
    tuple(Other other) : first(other.first), second(other.second), third(other.third), fourth(other.fourth) {}
};
template <typename A, typename B, typename C, typename D, typename E>
struct tuple<A, B, C, D, E> {
    A first;
    B second;
    C third;
    D fourth;
    E fifth;

    tuple() = default;
    tuple(A a, B b, C c, D d, E e) : first(a), second(b), third(c), fourth(d), fifth(e) {}
    template <typename Other>
    tuple(Other other)
        : first(other.first), second(other.second), third(other.third), fourth(other.fourth), fifth(other.fifth) {}
};
template <typename... T>
inline tuple<T...> make_tuple(T... values) {
    return tuple<T...>(values...);
}

// The member that an index means.
template <int index>
struct part_at;
template <>
struct part_at<0> {
    template <typename T>
    static auto of(thread T& whole) -> decltype((whole.first)) {
        return whole.first;
    }
};
template <>
struct part_at<1> {
    template <typename T>
    static auto of(thread T& whole) -> decltype((whole.second)) {
        return whole.second;
    }
};
template <>
struct part_at<2> {
    template <typename T>
    static auto of(thread T& whole) -> decltype((whole.third)) {
        return whole.third;
    }
};
template <>
struct part_at<3> {
    template <typename T>
    static auto of(thread T& whole) -> decltype((whole.fourth)) {
        return whole.fourth;
    }
};
template <>
struct part_at<4> {
    template <typename T>
    static auto of(thread T& whole) -> decltype((whole.fifth)) {
        return whole.fifth;
    }
};

// std::get: of a variable, and of what a call returns.
template <int index, typename T>
inline auto get(thread T& whole) -> decltype(part_at<index>::of(whole)) {
    return part_at<index>::of(whole);
}
template <int index, typename T>
inline auto part_of(T whole) {
    return part_at<index>::of(whole);
}

// std::tie: takes the parts of what is assigned to it.
template <typename... T>
struct tied;
template <typename A>
struct tied<A> {
    thread A& first;

    template <typename T>
    void operator=(T whole) const {
        first = whole.first;
    }
};
template <typename A, typename B>
struct tied<A, B> {
    thread A& first;
    thread B& second;

    template <typename T>
    void operator=(T whole) const {
        first = whole.first;
        second = whole.second;
    }
};
template <typename A, typename B, typename C>
struct tied<A, B, C> {
    thread A& first;
    thread B& second;
    thread C& third;

    template <typename T>
    void operator=(T whole) const {
        first = whole.first;
        second = whole.second;
        third = whole.third;
    }
};
template <typename A, typename B, typename C, typename D>
struct tied<A, B, C, D> {
    thread A& first;
    thread B& second;
    thread C& third;
    thread D& fourth;

    template <typename T>
    void operator=(T whole) const {
        first = whole.first;
        second = whole.second;
        third = whole.third;
        fourth = whole.fourth;
    }
};
template <typename... T>
inline tied<T...> tie(thread T&... variables) {
    return tied<T...>{variables...};
}

}  // namespace cu
