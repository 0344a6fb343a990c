// The parts of the C++ library that nvcc's and PyTorch's headers bring in, for a text that uses std:: names.
#pragma once
#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <tuple>
#include <utility>
