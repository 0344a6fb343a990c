// Wide loads and stores through reinterpreted pointers.
__global__ void copy4(const float* __restrict__ in, float* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i < n) {
    float4 v = reinterpret_cast<const float4*>(in)[i];
    v.w = -v.w;
    *(float4*)(out + 4 * i) = v;
  }
}

__global__ void bits(const float* x, unsigned int* y) {
  const int i = threadIdx.x;
  y[i] = __float_as_uint(x[i]);
  int as_int = *reinterpret_cast<const int*>(&x[i]);
  y[i] ^= (unsigned int)as_int >> 31;
}

__global__ void bytes(const uchar4* in, uint8_t* out) {
  uchar4 p = in[threadIdx.x];
  out[threadIdx.x] = (p.x + p.y + p.z + p.w) / 4;
}

__global__ void lanes_as_others(float4* y, const float4* x) {
  int i = threadIdx.x;
  float4 v = x[i];
  reinterpret_cast<int&>(v.y) ^= 1;
  reinterpret_cast<unsigned&>(y[i].x) = reinterpret_cast<const unsigned&>(x[i].z) + 1u;
  y[i].y = v.y;
  y[i].z = reinterpret_cast<short2&>(v.w).y;
  y[i].w = v.w;
}
