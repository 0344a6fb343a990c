// Rounding conversions and bit casts.
__global__ void convert(const float* x, int* y, float* z) {
  float v = x[threadIdx.x];
  y[threadIdx.x] = __float2int_rn(v) + __float2int_rz(v) + __float_as_int(v) + (int)v;
  z[threadIdx.x] = __int2float_rn(y[threadIdx.x]) + __int_as_float(0x3f800000) + __fmul_rn(v, v) + __fadd_rn(v, 1.0f);
}
