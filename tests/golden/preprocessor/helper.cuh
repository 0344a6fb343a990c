#pragma once
// a at t = 0, b at t = 1
__device__ inline float lerp_between(float a, float b, float t) { return fmaf(t, b - a, a); }
