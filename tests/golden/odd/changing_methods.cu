// Methods that change an element of a buffer that the kernel reads too: MLX's buffers are one to read, one to write.
struct Cell {
  float p;
  int hits;
  __device__ void hit(float v) { p += v; hits++; }
  __device__ float get() const { return p; }
  static __device__ int none() { return 0; }
};

__global__ void by_index(Cell *cells, const int *at, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  y[i] = cells[at[i]].get();
  cells[at[i]].hit(2.0f);  // error: CU2107
}

__global__ void by_reference(Cell *cells, const int *at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Cell &cell = cells[at[i]];
  cell.hit(1.0f);  // error: CU2107
}

__global__ void by_pointer(Cell *cells, const int *at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Cell *cell = &cells[at[i]];
  cell->hit(2.0f);  // error: CU2107
}

__global__ void whole(Cell *cells, const int *at, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Cell cell = cells[at[i]];
  cell.hit(cells[i].get() + Cell::none());
  cells[at[i]] = cell;
}
