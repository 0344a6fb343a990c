// One step of 2D heat diffusion: 5-point stencil on a shared tile with a one-cell halo.
#include <cuda_runtime.h>

#define BX 32
#define BY 8
#define AT(field, row, col, width) ((field)[(row) * (width) + (col)])

static __device__ __forceinline__ int clampi(int v, int lo, int hi)
{
    return min(max(v, lo), hi);
}

// Borders are replicated (zero flux). next must not alias cur.
__global__ void heat_step(const float* __restrict__ cur, float* __restrict__ next, int height, int width,
                          float alpha)
{
    __shared__ float tile[BY + 2][BX + 2];

    const int col = blockIdx.x * BX + threadIdx.x;
    const int row = blockIdx.y * BY + threadIdx.y;
    const int tx = threadIdx.x + 1;
    const int ty = threadIdx.y + 1;

    const int c = clampi(col, 0, width - 1);
    const int r = clampi(row, 0, height - 1);
    tile[ty][tx] = AT(cur, r, c, width);
    if (threadIdx.x == 0)
        tile[ty][0] = AT(cur, r, clampi(col - 1, 0, width - 1), width);
    if (threadIdx.x == BX - 1)
        tile[ty][BX + 1] = AT(cur, r, clampi(col + 1, 0, width - 1), width);
    if (threadIdx.y == 0)
        tile[0][tx] = AT(cur, clampi(row - 1, 0, height - 1), c, width);
    if (threadIdx.y == BY - 1)
        tile[BY + 1][tx] = AT(cur, clampi(row + 1, 0, height - 1), c, width);
    __syncthreads();

    if (row >= height || col >= width)
        return;

    const float centre = tile[ty][tx];
    // the neighbours of a border cell are the cell itself
    const float up = row > 0 ? tile[ty - 1][tx] : centre;
    const float down = row < height - 1 ? tile[ty + 1][tx] : centre;
    const float left = col > 0 ? tile[ty][tx - 1] : centre;
    const float right = col < width - 1 ? tile[ty][tx + 1] : centre;
    AT(next, row, col, width) = centre + alpha * (up + down + left + right - 4.0f * centre);
}

void simulate(float* a, float* b, int height, int width, float alpha, int steps, cudaStream_t stream)
{
    const dim3 block(BX, BY);
    const dim3 grid((width + BX - 1) / BX, (height + BY - 1) / BY);
    for (int s = 0; s < steps; ++s) {
        heat_step<<<grid, block, 0, stream>>>(a, b, height, width, alpha);
        float* t = a;
        a = b;
        b = t;
    }
}
