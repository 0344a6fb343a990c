// All three dimensions, whole index values in variables, and warpSize.
__global__ void volume(const float* in, float* out, int w, int h, int d) {
  const uint3 t = threadIdx;
  const uint3 b = blockIdx;
  int x = b.x * blockDim.x + t.x, y = b.y * blockDim.y + t.y, z = b.z * blockDim.z + t.z;
  if (x >= w || y >= h || z >= d) return;
  out[(z * h + y) * w + x] = in[(z * h + y) * w + x] + gridDim.z;
}

__global__ void lanes(int* lane, int* warp) {
  lane[threadIdx.x] = threadIdx.x & (warpSize - 1);
  warp[threadIdx.x] = threadIdx.x / warpSize;
}
