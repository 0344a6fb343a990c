// Rows divided by the sum of their magnitudes. blockDim.x is 64.
__global__ void row_norm(const float* x, float* y, int cols)
{
    __shared__ float partial[64];
    const float* row = x + blockIdx.x * cols;
    float sum = 0.0f;
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        sum += fabsf(row[c]);
    partial[threadIdx.x] = sum;
    __syncthreads();
    for (int stride = 32; stride > 0; stride /= 2) {
        if (threadIdx.x < stride)
            partial[threadIdx.x] += partial[threadIdx.x + stride];
        __syncthreads();
    }
    for (int c = threadIdx.x; c < cols; c += blockDim.x)
        y[blockIdx.x * cols + c] = row[c] / partial[0];
}
