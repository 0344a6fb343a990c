// A device lambda handed to a kernel: nobody can name its class.
template <typename F>
__global__ void for_each(float* y, int n, F f) {  // error: CU2106
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) f(y[i], i);
}

void launch(float* y, int n) {
  for_each<<<(n + 255) / 256, 256>>>(y, n, [] __device__(float& v, int i) { v = 2.0f * i; });
}
