// Names that Metal reserves or that hide other names.
#define GID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void metal_words(float *device, const float *constant, int thread) {
  int kernel = GID;
  float sampler = 2.0f, half2x = 1.0f;
  if (kernel < thread) device[kernel] = constant[kernel] * sampler + half2x;
}

struct texture_like { float half_width; int sampler; float fragment; };

__device__ float area(texture_like vertex) { return vertex.half_width * 2.0f + vertex.fragment * vertex.sampler; }

__global__ void metal_members(float *out, const float *in, int n) {
  int i = GID;
  if (i >= n) return;
  texture_like patch = {in[i], 3, 0.5f};
  out[i] = area(patch);
}

__global__ void shadowed(float *x, int n) {
  int i = GID;
  if (i < n) {
    float n = x[i];
    for (int i = 0; i < 3; ++i) {
      float x = n + i;
      { float n = x * 2.0f; x = n; }
      n = x;
    }
    x[i] = n;
  }
}

__global__ void metal_functions(float *out, const float *in, int n) {
  int i = GID;
  if (i >= n) return;
  float dot = in[i], cross = dot * 2.0f, select = cross - 1.0f, clamp = select * select, mix = clamp + 1.0f;
  float min = fminf(dot, mix), max = fmaxf(cross, mix), length = sqrtf(max * max + min * min);
  out[i] = length + fabsf(min);
}

__global__ void index_names(int *out, int n) {
  int thread_position_in_grid = GID;
  unsigned threads_per_threadgroup = blockDim.x, lane = threadIdx.x & 31, block = blockIdx.x, index = 7, group = 3;
  if (thread_position_in_grid < n)
    out[thread_position_in_grid] = threads_per_threadgroup + lane * 1000 + block * 100000 + index * group;
}

__device__ int access(int read, int write) { return read * 3 - write; }

__global__ void more_words(int *array, const int *vec, int uint, int n) {
  int ushort = GID, ulong = 2, visible = 5, packed_float3 = 1, as_type = 4;
  if (ushort < n) array[ushort] = access(vec[ushort], uint) * ulong + visible - packed_float3 + as_type;
}

namespace metal_ { namespace inner {
__device__ int twice(int x) { return 2 * x; }
template <typename T> __global__ void in_namespace(T *out, const T *in, int n) {
  int i = GID;
  if (i < n) out[i] = twice(in[i]);
}
template __global__ void in_namespace<int>(int *, const int *, int);
} }

namespace { __device__ float hidden(float v) { return v - 1.0f; } }

extern "C" __global__ void c_name(float *out, const float *in, int n) {
  int i = GID;
  if (i < n) out[i] = hidden(in[i]) + ::hidden(2.0f);
}

extern "C" {
__device__ float c_helper(float x) { return x * 0.5f; }
__global__ void c_block(float *out, const float *in, int n) { int i = GID; if (i < n) out[i] = c_helper(in[i]); }
}

static __global__ void static_kernel(float *out, int n) { int i = GID; if (i < n) out[i] = i * 0.25f; }

__global__ void empty() {}  // error: CU5002
__global__ void nothing_done(float *x) { (void)x; }  // error: CU5002
__global__ void half_named(float *half, const float *bfloat, int n) {
  int i = GID;
  if (i < n) half[i] = bfloat[i] + 1;
}

__global__ void kernel(float *a, const float *b, int n) { int i = GID; if (i < n) a[i] = b[i]; }
__global__ void vertex(float *a, const float *b, int n) { int i = GID; if (i < n) a[i] = b[i]; }
__global__ void min_kernel(float *x, const float *y, int n) {
  int i = GID;
  if (i >= n) return;
  float floor = floorf(y[i]), fmin = fminf(floor, 2.0f), sqrt = sqrtf(fabsf(y[i]));
  int popcount = __popc(i), clz = __clz(i + 1);
  float max = fmaxf(y[i], 0.0f), round = roundf(y[i]), rint = rintf(y[i]), fabs = fabsf(y[i]), fma = fmaf(max, max, 1.0f);
  x[i] = floor + fmin + sqrt + popcount + clz + max + round + rint + fabs + fma;
}
__global__ void lambda_python(float *lambda, const float *is, float def, int None) {
  int i = GID; if (i < None) lambda[i] = is[i] * def; }
__global__ void float2x(float *out, const float *in, int n) { int i = GID; float2 float3x3 = make_float2(1, 2); if (i < n) out[i] = in[i] * float3x3.x; }

// What stands beside Metal's own at file scope: constants, types; macros called like words of the language.
constexpr int step = 3;
__constant__ float clamp[2] = {0.5f, 1.5f};
const float M_PI_F = 3.0f;
constexpr int isnan_ = 4;
struct sampler { int count; };
struct thread { float value; };
template <typename A, typename B> struct is_same { static constexpr bool value = false; };
template <typename A> struct is_same<A, A> { static constexpr bool value = true; };
#define device 7
#define buffer(i) (2 * (i))
__global__ void beside(const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  struct sampler s = {step + device};
  thread t;
  t.value = clamp[i & 1] + M_PI_F + isnan_;
  y[i] = x[i] + s.count + t.value + is_same<float, float>::value + buffer(i);
}
#undef device
#undef buffer
