// What Metal's functions cannot do, one kernel each; the good one at the end is still written.
__device__ int depth(int n) { return n == 0 ? 0 : 1 + depth(n / 2); }  // error: CU3709

__global__ void recursive(int* y) {
  y[threadIdx.x] = depth(threadIdx.x);
}

__global__ void allocates(int* y, int n) {
  int* p = (int*)malloc(n * sizeof(int));  // error: CU3302
  p[0] = n;
  y[threadIdx.x] = p[0];
  free(p);  // error: CU3302
}

__global__ void news(int* y) {
  int* p = new int[4];  // error: CU3302
  y[threadIdx.x] = p[0];
}

__global__ void jumps(int* y) {
  if (threadIdx.x > 3) goto end;  // error: CU3704
  y[threadIdx.x] = 1;
end:
  return;
}

__global__ void throws(int* y) {
  if (threadIdx.x > 3) throw 1;  // error: CU3705
  y[threadIdx.x] = 1;
}

struct Shape {
  __device__ virtual float area() const { return 1.0f; }  // error: CU3707
};

__global__ void dispatches(float* y) {
  Shape s;
  y[threadIdx.x] = s.area();
}

__global__ void launches(int* y) {
  if (threadIdx.x == 0) allocates<<<1, 32>>>(y, 4);  // error: CU3204
  y[threadIdx.x] = 1;
}

__global__ void samples(cudaTextureObject_t image, float* y) {  // error: CU3303
  y[threadIdx.x] = tex2D<float>(image, 0.5f, 0.5f);  // error: CU3303
}

__global__ void good(int* y) {
  y[threadIdx.x] = 1;
}
