// nvcc reads its runtime header before any other.
#pragma once
#include "cuda_runtime.h"
