// Histogram of bytes or small integers: privatised in shared memory, merged with global atomics.
#include <cuda_runtime.h>

typedef unsigned int uint;

// Dynamic shared memory: num_bins * sizeof(uint). Values outside [0, num_bins) are not counted.
__global__ void histogram_shared(const int* __restrict__ values, uint* __restrict__ bins, int num_values,
                                 int num_bins)
{
    extern __shared__ uint local_bins[];

    for (int b = threadIdx.x; b < num_bins; b += blockDim.x)
        local_bins[b] = 0u;
    __syncthreads();

    const int stride = blockDim.x * gridDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < num_values; i += stride) {
        const int v = values[i];
        if (v >= 0 && v < num_bins)
            atomicAdd(&local_bins[v], 1u);
    }
    __syncthreads();

    for (int b = threadIdx.x; b < num_bins; b += blockDim.x) {
        const uint count = local_bins[b];
        if (count > 0)
            atomicAdd(&bins[b], count);
    }
}

// Four bytes per load; 256 bins.
__global__ void histogram_bytes(const uchar4* __restrict__ data, uint* bins, int num_quads)
{
    __shared__ uint local_bins[256];
    local_bins[threadIdx.x] = 0;  // blockDim.x == 256
    __syncthreads();

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < num_quads; i += blockDim.x * gridDim.x) {
        const uchar4 q = data[i];
        atomicAdd(local_bins + q.x, 1);
        atomicAdd(local_bins + q.y, 1);
        atomicAdd(local_bins + q.z, 1);
        atomicAdd(local_bins + q.w, 1);
    }
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], local_bins[threadIdx.x]);
}

void launch_histogram(const int* values, uint* bins, int n, int num_bins, cudaStream_t stream)
{
    const int block = 256;
    const int grid = min((n + block - 1) / block, 64);
    const size_t smem = num_bins * sizeof(uint);
    cudaMemsetAsync(bins, 0, num_bins * sizeof(uint), stream);
    histogram_shared<<<grid, block, smem, stream>>>(values, bins, n, num_bins);
}

void launch_histogram_bytes(const unsigned char* data, uint* bins, int num_bytes, cudaStream_t stream)
{
    const int quads = num_bytes / 4;
    const int grid = min((quads + 255) / 256, 64);
    histogram_bytes<<<grid, 256, 0, stream>>>(reinterpret_cast<const uchar4*>(data), bins, quads);
}
