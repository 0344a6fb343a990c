// Threadgroup memory of methods, called plainly, with template arguments, and through a dependent name.
enum class Way { Sum = 1, Most };

template <Way WAY>
struct Fold {
  float value;
  __device__ void block() {
    __shared__ float partial[32];
    fold(partial, 32);
  }
  template <int COUNT>
  __device__ float block_of(float scale) {
    __shared__ float partial[COUNT];
    return scale * fold(partial, COUNT);
  }
  __device__ float fold(float* partial, int count) {
    partial[threadIdx.x] = value;
    __syncthreads();
    float total = partial[0];
    for (int i = 1; i < count; ++i) total = WAY == Way::Sum ? total + partial[i] : fmaxf(total, partial[i]);
    __syncthreads();
    value = total;
    return total;
  }
};

template <Way WAY>
__global__ void folded(const float* x, float* y) {
  Fold<WAY> fold;
  fold.value = x[threadIdx.x];
  float scaled = fold.template block_of<32>(0.5f);
  fold.block();
  y[threadIdx.x] = fold.value + scaled;
}
void host_folded(const float* x, float* y) { folded<Way::Most><<<1, 32>>>(x, y); }
