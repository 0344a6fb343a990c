// What a kernel leaves of an element that it writes a part of is there afterwards.
struct Inner { float low, high; };
struct Cell { float value; int label; Inner range; };

__global__ void raise_height(float4* points, const float* height, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) points[i].y = height[i];
}

__global__ void relabel(Cell* cells, const int* label, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    cells[i].label = label[i];
    cells[i].range.high = 2.0f;
  }
}

// All parts are written, in whatever way: an output.
__global__ void all_parts(Cell* cells, float2* pairs, const float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  cells[i].value = x[i];
  cells[i].label = i;
  Cell* cell = cells + i;
  cell->value = x[i];
  cell->label = i;
  cell->range = {0.0f, x[i]};
  cells[i].range.low = -x[i];
  (cells[i].range).high = x[i];
  float2& pair = pairs[i];
  pair.x = x[i];
  pair.y = 1.0f;
}

// Of an element that data name, and that no thread has for its own.
__global__ void somewhere(float4* points, const int* order, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) points[order[i]].w = 0.0f;
}

__global__ void members(Cell* cells, const int* order, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Cell* cell = cells + order[i];
  cell->range.low = cell->value;
  atomicAdd(&cell->label, 2);
  float& high = cells[order[i]].range.high;
  high *= 2.0f;
}

// What has no address of its own: a bit-field, and an element that would have to be named twice.
struct Flags { unsigned set : 3, rest : 29; };

__global__ void bit_fields(Flags* flags, const int* order) {
  flags[order[threadIdx.x]].set = 1;  // error: CU2107
}

__global__ void named_twice(Cell* cells, int* next) {
  cells[atomicAdd(next, 1)].label = 3;  // error: CU2107
}
