// The vector header of CUDA's samples, which need not be here.
#include "helper_math.h"

__global__ void shade(const float4* p, const float* x, float3* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float3 a = make_float3(p[i]), b = make_float3(x[i]), c = make_float3(make_float2(x[i], 2.0f), 1.0f);
  float3 d = cross(a, c) * 2.0f - b / 3.0f + 1.0f;
  d += -a;
  d *= dot(a, c);
  float4 q = lerp(p[i], make_float4(d, 1.0f), 0.25f);
  int3 g = make_int3(floorf(d)) + make_int3(1, 2, 3) * 2;
  float3 e = clamp(fracf(c), 0.0f, 0.5f) * length(q) + fminf(a, b) + make_float3(clamp(g, 0, 5));
  o[i] = normalize(d) + e + reflect(a, c) * max(x[i], 1.0f) + fabs(d) * fmaxf(x[i], min(i, 3));
}
