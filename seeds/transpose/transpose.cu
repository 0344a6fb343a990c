// Matrix transpose through a shared-memory tile; the extra column avoids bank conflicts.
#include <cuda_runtime.h>

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

template <typename T>
__global__ void transpose_tiled(T* __restrict__ out, const T* __restrict__ in, int rows, int cols)
{
    __shared__ T tile[TILE_DIM][TILE_DIM + 1];

    int x = blockIdx.x * TILE_DIM + threadIdx.x;
    int y = blockIdx.y * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) {
        if (x < cols && (y + j) < rows)
            tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
    }

    __syncthreads();

    // the block's place in the transposed matrix
    x = blockIdx.y * TILE_DIM + threadIdx.x;
    y = blockIdx.x * TILE_DIM + threadIdx.y;
    for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS) {
        if (x < rows && (y + j) < cols)
            out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
    }
}

template <typename T>
void transpose(T* out, const T* in, int rows, int cols)
{
    dim3 block(TILE_DIM, BLOCK_ROWS);
    dim3 grid((cols + TILE_DIM - 1) / TILE_DIM, (rows + TILE_DIM - 1) / TILE_DIM, 1);
    transpose_tiled<T><<<grid, block>>>(out, in, rows, cols);
}

template void transpose<float>(float*, const float*, int, int);
template void transpose<int>(int*, const int*, int, int);
