// What nvcc puts before every file and kernels take by value: of the standard library, std::pair.
#pragma once

namespace std {

template <typename A, typename B>
struct pair {
  A first;
  B second;
};

}  // namespace std
