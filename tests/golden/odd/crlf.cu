__global__ void crlf(float *out, const float *in, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		out[i] = in[i] * 2.0f; // tabs
}

#define TWO(a) \
	(a) + \
	(a)
__global__ void crlf_macro(float *out, int n) {
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = TWO(i);
}
