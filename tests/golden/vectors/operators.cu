// The user's own operators on vectors, which Metal already has.
__device__ float3 operator+(const float3& a, const float3& b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__global__ void midpoint(const float3* a, const float3* b, float* y) {
  float3 s = a[threadIdx.x] + b[threadIdx.x];
  y[threadIdx.x] = dot(s, s);
}
