// Both branches of an #if survive; harmless macros stay, those that carry CUDA are expanded.
#define PI 3.14159265f
#define SQUARE(x) ((x) * (x))
#define TID threadIdx.x
// #define USE_FAST

__global__ void area(const float* r, float* y) {
#ifdef USE_FAST
  y[TID] = __fmul_rn(PI, SQUARE(r[TID]));
#else
  y[TID] = PI * SQUARE(r[TID]);  // the usual way
#endif
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
  y[TID] += 1.0f;
#elif 0
  y[TID] += 2.0f;
#endif
}
