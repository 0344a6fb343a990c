// Names for the lanes of vectors: copies, and references to where the vector lives.
__global__ void lanes(const float2 *x, const float3 *points, float *y, int n) {
  __shared__ float4 tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  auto [a, b] = i < n ? x[i] : make_float2(1.0f, 2.0f);
  const auto [c, d] = make_float2(a + 1, b + 1);
  tile[threadIdx.x] = make_float4(a, b, c, d);
  auto &[e, f, g, h] = tile[threadIdx.x];
  e += 1.0f;
  int4 q = make_int4(1, 2, 3, 4);
  auto &[j, k, l, m] = q;
  m = min(j, k + l);
  __syncthreads();
  const auto &[o, p, s, t] = tile[127 - threadIdx.x];
  if (i >= n) return;
  auto [u, v, w] = points[i];
  y[i] = a * b + c * d + f + g + h + q.w + o + p + s + t + u + v * w;
}
void host_lanes(const float2 *x, const float3 *points, float *y, int n) { lanes<<<(n + 127) / 128, 128>>>(x, points, y, n); }
