// A shared declaration of an anonymous struct, made by a macro.
#define SHARED_STATE(name) \
  __shared__ struct {      \
    float sum;             \
    int count;             \
  } name

__global__ void mean(const float* x, float* y, int n) {
  SHARED_STATE(state);
  if (threadIdx.x == 0) {
    state.sum = 0.0f;
    state.count = 0;
    for (int i = 0; i < n; ++i) {
      state.sum += x[i];
      state.count += 1;
    }
  }
  __syncthreads();
  y[threadIdx.x] = state.sum / state.count;
}
