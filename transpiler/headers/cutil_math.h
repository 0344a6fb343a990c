// The older name of CUDA's samples for helper_math.h.
#pragma once
#include "helper_math.h"
