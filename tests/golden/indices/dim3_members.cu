// dim3 as a local, as a parameter of a template helper, and inside a macro.
#define CELLS(d) ((d).x * (d).y * (d).z)

template <typename T>
__device__ T linear(dim3 at, dim3 size) {
  return static_cast<T>((at.z * size.y + at.y) * size.x + at.x);
}

__global__ void number(int* out) {
  dim3 size(8, 4);
  dim3 at = threadIdx;
  if (linear<int>(at, size) < (int)CELLS(size)) out[linear<int>(at, blockDim)] = linear<int>(at, size);
}
