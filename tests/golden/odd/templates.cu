// Templates of templates, constexpr, lambdas, auto.
#define GID (blockIdx.x * blockDim.x + threadIdx.x)

constexpr int square(int x) { return x * x; }
__host__ __device__ constexpr int gcd(int a, int b) { return b == 0 ? a : gcd(b, a % b); }
constexpr int TABLE[4] = {1, square(2), square(3), 16};

__global__ void constexpr_calls(int *out, int n) {
  constexpr int k = square(5) + 1;
  int local[square(2)];
  for (int j = 0; j < square(2); ++j) local[j] = j * k + TABLE[j];
  int i = GID;
  if (i < n) out[i] = local[i % 4];
}

template <typename T, int N = 4> struct Small {
  T data[N];
  __device__ T sum() const { T s = T(0); for (int i = 0; i < N; ++i) s += data[i]; return s; }
};
template <typename T> using Pair = Small<T, 2>;

__global__ void default_arguments(float *out, const float *in, int n) {
  int i = GID;
  if (i >= n) return;
  Small<float> four{{in[i], 1, 2, 3}};
  Pair<float> two{{in[i], 4}};
  out[i] = four.sum() * two.sum();
}

template <typename T> struct Plus { __device__ static T of(T a, T b) { return a + b; } };
template <typename T> struct Times { __device__ static T of(T a, T b) { return a * b; } };
template <template <typename> class Op, typename T> __device__ T fold(const T *x, int n) {
  T r = x[0];
  for (int i = 1; i < n; ++i) r = Op<T>::of(r, x[i]);
  return r;
}

__global__ void template_template(float *out, const float *in, int n) {
  int i = GID;
  float local[3] = {1.0f, 2.0f, 3.0f};
  if (i < n) out[i] = fold<Plus>(local, 3) + fold<Times, float>(local, 3) * in[i];
}

template <typename T> __device__ T twice(T x) { return x + x; }
template <> __device__ int twice<int>(int x) { return x << 1; }

__global__ void nested_lambdas(float *out, const float *in, int n) {
  int i = GID;
  if (i >= n) return;
  float bias = 0.5f;
  auto outer = [&](float x) {
    auto inner = [=](float y) { return y * x + bias; };
    bias += 1.0f;
    return inner(2.0f) + inner(twice(x));
  };
  out[i] = outer(in[i]) + bias + twice(i);
}

__global__ void auto_everywhere(float *out, const float *in, int n) {
  auto i = GID;
  const auto *p = in + i;
  if (i < (unsigned)n) {
    auto v = *p;
    auto w = v * 2.0f, z = w + 1.0f;
    auto &slot = out[i];
    slot = v + w + z;
  }
}

__global__ void range_for(int *out, const int *in, int n) {
  int i = GID;
  if (i >= n) return;
  int parts[3] = {in[i], 2, 3};
  int s = 0;
  for (int &p : parts) p *= 2;
  for (auto p : parts) s += p;
  out[i] = s;
}

template <int N> __device__ void count_down(int *x) { x[0] += N; if constexpr (N > 0) count_down<N - 1>(x); }

__global__ void template_recursion(int *out, int n) {
  int i = GID;
  int acc[1] = {i};
  count_down<4>(acc);
  if (i < n) out[i] = acc[0];
}

template <typename... Ts> __device__ float total(Ts... values) { return (values + ...); }
__global__ void variadic(float *out, const float *in, int n) {
  int i = GID;
  if (i < n) out[i] = total(in[i], 1.0f, 2.0f);
}

template <typename F> __device__ float call(F f, float x) { return f(x); }
__device__ float cubed(float x) { return x * x * x; }
__global__ void functions_as_values(float *out, const float *in, int n) {
  int i = GID;
  if (i < n) out[i] = call([] (float x) { return cubed(x) - 1.0f; }, in[i]);
}
__global__ void function_pointers(float *out, const float *in, int n) {
  int i = GID;
  if (i < n) out[i] = call(cubed, in[i]);  // error: CU3711
}

template <typename T, typename = void> struct Kind { static constexpr int value = 0; };
template <typename T> struct Kind<T *> { static constexpr int value = 1; };
__global__ void partial_specialisations(int *out, int n) {
  int i = GID;
  if (i < n) out[i] = Kind<float>::value + 10 * Kind<float *>::value;
}

template <typename T, bool Negate> __global__ void flags(T *out, const T *in, int n) {
  int i = GID;
  if (i < n) out[i] = Negate ? -in[i] : in[i];
}
template __global__ void flags<float, true>(float *, const float *, int);

__device__ float with_default(float x, float by = 2.0f, int times = 1) { for (int i = 0; i < times; ++i) x *= by; return x; }
__global__ void default_parameters(float *out, const float *in, int n) {
  int i = GID;
  if (i < n) out[i] = with_default(in[i]) + with_default(in[i], 3.0f) + with_default(in[i], 2.0f, 3);
}
template <class T> struct Traits; template <> struct Traits<float> { typedef float acc; }; template <> struct Traits<int> { typedef long long acc; };
template <class T> __device__ typename Traits<T>::acc widen(T x) { typedef typename Traits<T>::acc A; return (A)x * (A)3; }
__global__ void dependent(float *out, const int *in, int n) { int i = GID; if (i < n) out[i] = (float)widen<int>(in[i]) + widen(1.5f); }

typedef float (*Unary)(float);
__device__ float squared(float x) { return x * x; }
__device__ float call2(float (*f)(float), float x) { return f(x); }
__global__ void keeps(float *out, const float *in, int n) { int i = GID; 
  Unary f = i & 1 ? cubed : squared;  // error: CU3711
  if (i < n) out[i] = f(in[i]); }
__global__ void keeps2(float *out, const float *in, int n) { int i = GID; float (*f)(float) = cubed;  // error: CU3711
  if (i < n) out[i] = f(in[i]); }
__global__ void addr(float *out, const float *in, int n) { int i = GID; if (i < n) out[i] = call2(&cubed, in[i]);  // error: CU3711
}
template <float (*F)(float)> __device__ float tmpl(float x) { return F(x); }
__global__ void targ(float *out, const float *in, int n) { int i = GID; if (i < n) out[i] = tmpl<cubed>(in[i]);
}
