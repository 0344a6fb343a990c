#pragma once
#include "TensorInfo.cuh"
