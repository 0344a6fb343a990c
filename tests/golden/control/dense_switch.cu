// A dense switch with fall-through, nested loops with break and continue, do-while, the comma operator.
__global__ void decode(const unsigned char* code, float* y, int n) {
  float v = 0.0f;
  for (int i = threadIdx.x, step = blockDim.x; i < n; i += step) {
    switch (code[i] & 7) {
      case 0: v += 1.0f; break;
      case 1: v -= 1.0f; break;
      case 2: v *= 2.0f;  // falls through
      case 3: v *= 0.5f; break;
      case 4:
      case 5: {
        float w = v;
        do {
          w *= 0.5f;
          if (w < 0.125f) break;
        } while (w > 1.0f);
        v = w;
        break;
      }
      case 6: continue;
      default: v = -v;
    }
  }
  y[threadIdx.x] = v;
}
