// A function called like one of CUDA's, but for other arguments, in a header that is not there.
__global__ void lengths(float *out, const float2 *in, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = norm(in[i]);  // error: CU2001
}
__global__ void halves(float *out, const float *in, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = 0.5f * in[i];
}
