//// threadIdx
[[kernel]] void k(device float* x [[buffer(0)]]) {
  x[threadIdx.x] = 1; //! use of undeclared identifier 'threadIdx' (hint: thread_position_in_threadgroup)
}
//// blockIdx
[[kernel]] void k(device float* x [[buffer(0)]]) {
  x[blockIdx.x] = 1; //! 'blockIdx' (hint: threadgroup_position_in_grid)
}
//// __syncthreads
[[kernel]] void k(device float* x [[buffer(0)]]) {
  x[0] = 1;
  __syncthreads(); //! '__syncthreads' (hint: threadgroup_barrier)
}
//// expf
[[kernel]] void k(device float* x [[buffer(0)]]) {
  x[0] = expf(x[1]); //! 'expf' (hint: precise::exp)
}
//// __expf
[[kernel]] void k(device float* x [[buffer(0)]]) {
  x[0] = __expf(x[1]); //! '__expf' (hint: fast::exp)
}
//// __shared__
[[kernel]] void k(device float* x [[buffer(0)]]) {
  __shared__ float s[32]; //! '__shared__' (hint: threadgroup)
  x[0] = 1;
}
//// atomicAdd
[[kernel]] void k(device int* x [[buffer(0)]]) {
  atomicAdd(&x[0], 1); //! 'atomicAdd' (hint: atomic_fetch_add_explicit)
}
//// make_float4
[[kernel]] void k(device float4* x [[buffer(0)]]) {
  x[0] = make_float4(1, 2, 3, 4); //! 'make_float4' (hint: float4)
}
//// __shfl_xor_sync
[[kernel]] void k(device float* x [[buffer(0)]]) {
  x[0] = __shfl_xor_sync(0xffffffff, x[0], 1); //! '__shfl_xor_sync' (hint: simd_shuffle)
}
//// __global__
__global__ void k(device float* x) { //! unknown type name '__global__' (hint: [[kernel]])
  x[0] = 1;
}
//// __half
[[kernel]] void k(device float* x [[buffer(0)]]) {
  __half h = half(x[0]); //! '__half' (hint: half)
  x[0] = h;
}
//// erff
[[kernel]] void k(device float* x [[buffer(0)]]) {
  x[0] = erff(x[1]); //! 'erff' (hint: no such function)
}
//// fmaf
[[kernel]] void k(device float* x [[buffer(0)]]) {
  x[0] = fmaf(x[0], 2.0f, 1.0f); //! 'fmaf' (hint: fma)
}
//// unknown variable
[[kernel]] void k(device float* x [[buffer(0)]]) {
  x[0] = missing; //! use of undeclared identifier 'missing'
}
//// unknown type
[[kernel]] void k(device float* x [[buffer(0)]]) {
  accumulator a; //! unknown type name 'accumulator'
  x[0] = 1;
}
//// unknown member of a struct
struct Params { int n; };
[[kernel]] void k(const constant Params& p [[buffer(0)]], device int* x [[buffer(1)]]) {
  x[0] = p.m; //! no member named 'm' in 'Params'
}
//// unknown component of a vector
[[kernel]] void k(device float2* x [[buffer(0)]]) {
  x[0].z = 1; //! no member named 'z'
}
//// wrong number of arguments
[[kernel]] void k(device float* x [[buffer(0)]]) {
  x[0] = fma(x[0], x[1]); //! no matching function for call to 'fma'
}
//// unknown header
#include "helpers.cuh" //! 'helpers.cuh' file not found
//// ballot
[[kernel]] void k(device uint* x [[buffer(0)]]) {
  x[0] = __ballot_sync(0xffffffff, x[0] > 1); //! '__ballot_sync' (hint: simd_ballot)
}
//// printf
[[kernel]] void k(device uint* x [[buffer(0)]]) {
  printf("%u", x[0]); //! 'printf' (hint: drop it)
}
//// leftover launch attribute
__launch_bounds__(256) //! Metal has no __launch_bounds__ (hint: max_total_threads_per_threadgroup)
[[kernel]] void k(device uint* x [[buffer(0)]]) {
  x[0] = 1;
}
