// The accurate functions, and the fast ones that CUDA names with two underscores.
__global__ void accurate(const float* x, float* y) {
  float v = x[threadIdx.x];
  float s, c;
  sincosf(v, &s, &c);
  y[threadIdx.x] = expf(v) + logf(v) + sqrtf(v) + rsqrtf(v) + tanhf(v) + powf(v, 1.5f) + s * c + erff(v) +
                   log1pf(v) + fmaf(v, v, 1.0f) + fabsf(v) + copysignf(v, -1.0f) + roundf(v);
}

__global__ void quick(const float* x, float* y) {
  float v = x[threadIdx.x];
  y[threadIdx.x] = __expf(v) * __fdividef(v, 3.0f) + __sinf(v) + __powf(v, 2.0f) + __logf(v) + __saturatef(v);
}

__global__ void plain_names(const float* x, float* y) {
  float v = x[threadIdx.x];
  y[threadIdx.x] = exp(v) + std::sqrt(v) + ::pow(v, 2.0f) + floor(v) + isnan(v) + abs(v) + std::tanh(v);
}
