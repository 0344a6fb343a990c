// `c ? a : b` of records and 3-vectors that live in different memory; a class that derives from its own template.
struct Best { float v; int i; };
template <typename D> struct Base {
  __device__ float apply(float v) const { return static_cast<const D *>(this)->f(v) + 1.0f; }
};
struct Square : Base<Square> { __device__ float f(float v) const { return v * v; } };

__global__ void choices(const float *x, const float3 *p, float *y, int n) {
  __shared__ Best best[128];
  __shared__ float3 spots[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  Best mine{i < n ? x[i] : 0.0f, i};
  best[t] = mine;
  float3 zero = make_float3(0, 0, 0);
  spots[t] = i < n ? p[i] : zero;
  __syncthreads();
  Best a = t > 0 ? best[t - 1] : mine, b = t > 64 ? mine : best[t + 1], c = t & 1 ? best[0] : best[1];
  float3 d = t > 3 ? spots[t - 3] : make_float3(1, 2, 3), e = t > 3 ? p[t % n] : spots[t];
  if (i < n) y[i] = a.v + a.i + b.v + c.v + d.x + e.y + (t > 5 ? spots[t] : zero).z + Square().apply(x[i]);
}
void host(const float *x, const float3 *p, float *y, int n) { choices<<<(n + 127) / 128, 128>>>(x, p, y, n); }
