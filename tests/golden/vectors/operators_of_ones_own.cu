// An operator of the user's own that is not what Metal does with the same sign: quaternions.
__device__ float4 operator*(float4 a, float4 b) {
  return make_float4(a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y, a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                     a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
}

__global__ void turn(const float4* q, const float4* r, float4* y) {
  y[threadIdx.x] = q[threadIdx.x] * r[threadIdx.x];  // error: CU2108
}
