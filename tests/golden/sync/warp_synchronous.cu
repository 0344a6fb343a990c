// The last steps of a reduction inside one warp.
__device__ void warp_reduce(volatile float* s, int t) {
  s[t] += s[t + 32];
  __syncwarp();
  s[t] += s[t + 16];
  __syncwarp(0xffffffffu);
  s[t] += s[t + 8];
}

__global__ void reduce(const float* in, float* out) {
  __shared__ float s[64];
  s[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) warp_reduce(s, threadIdx.x);
  if (threadIdx.x == 0) out[0] = s[0];
}
