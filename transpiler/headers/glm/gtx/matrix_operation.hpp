// Nothing of it beyond the matrices is used in kernels.
#pragma once
#include "../glm.hpp"
