// Functions, constants, enumerators, records and type names that are called alike in several namespaces.
namespace fwd {
constexpr int kRows = 4;
enum Mode { kScale = 1 };
struct Op { __device__ float operator()(float v) const { return v + kRows; } };
using acc_t = float;
__device__ float act(float v) { return v * 2.0f; }
__device__ float both(float v) { return act(v) + kScale; }
}  // namespace fwd
namespace bwd {
constexpr int kRows = 8;
enum Mode { kScale = 3 };
struct Op {
  int kRows;  // a member, not the constant
  __device__ float operator()(float v) const { return v * this->kRows; }
};
using acc_t = int;
__device__ float act(float v) { return v * 3.0f; }
__device__ float act(float v, float w) { return v * w; }  // no other one is called so
__device__ float both(float v) { return act(v) - kScale * kRows; }
}  // namespace bwd
namespace { namespace inner { __device__ float act(float v) { return v - 5.0f; } } }

__global__ void homonyms(const float *x, float *y, int n) {
  namespace in = inner;
  using namespace fwd;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  fwd::Op p;
  bwd::Op q{kRows};
  bwd::acc_t whole = x[i] * 3.5f;
  float s = fwd::act(x[i]) + bwd::act(x[i]) * fwd::both(x[i]) + bwd::both(x[i]) + in::act(x[i]);
  y[i] = s + p(x[i]) + q(x[i]) + whole + bwd::act(s, 2.0f) + bwd::kRows * fwd::kScale + bwd::kScale + q.kRows;
}
void host_homonyms(const float *x, float *y, int n) { homonyms<<<(n + 127) / 128, 128>>>(x, y, n); }
