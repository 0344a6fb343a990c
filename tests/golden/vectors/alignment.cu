// Alignment decides the layout of records, and whether wide loads are possible.
struct __align__(16) V { float x, y, z; };
struct alignas(16) W { float x; };
typedef struct __align__(8) { float a; int b; } U;
__global__ void k(const V* v, const U* u, W w, float4* y) {
  __shared__ __align__(16) float s[32];
  __align__(16) float local[4];
  local[0] = v[threadIdx.x].x + u[0].a + w.x;
  s[threadIdx.x] = local[0];
  y[threadIdx.x] = *(float4*)s;
  y[threadIdx.x + 32] = *reinterpret_cast<float4*>(local);
}

struct Packet {
  char kind;
  __align__(8) float values[2];
};

__global__ void packets(const Packet* p, float* y) {
  y[threadIdx.x] = p[threadIdx.x].values[1] + sizeof(Packet);
}
