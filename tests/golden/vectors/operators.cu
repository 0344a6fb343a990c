// The user's own operators on vectors, which Metal already has.
__device__ float3 operator+(const float3& a, const float3& b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__device__ float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

__global__ void midpoint(const float3* a, const float3* b, float* y) {
  float3 s = a[threadIdx.x] + b[threadIdx.x];
  y[threadIdx.x] = dot(s, s);
}

__device__ inline float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }
__device__ inline float3 operator-(float3 a) { return make_float3(-a.x, -a.y, -a.z); }
__device__ inline void operator+=(float3& a, float3 b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
}
__device__ inline float2& operator/=(float2& a, float s) {
  a.x /= s;
  a.y /= s;
  return a;
}

__global__ void walk(const float3* v, float3* y, float2* z, float t) {
  float3 p = v[threadIdx.x];
  p += t * v[threadIdx.x + 1];
  y[threadIdx.x] = -p;
  float2 q = make_float2(p.x, p.y);
  q /= p.z;
  z[threadIdx.x] = q;
}
