// Device side of GLM 1.0 (vectors, matrices), as far as kernels use it, written by its documentation.
#pragma once
#include "detail/common.hpp"
#include "detail/geometric.hpp"
#include "detail/matrix_functions.hpp"
