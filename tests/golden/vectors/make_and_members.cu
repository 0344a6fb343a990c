// make_*, members, 3-vectors in memory, in records and in shared memory.
struct Particle {
  float3 position;
  float mass;
};

__device__ float3 scaled(float3 v, float s) { return make_float3(v.x * s, v.y * s, v.z * s); }

__global__ void advance(const Particle* particles, const float3* velocity, float3* moved, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Particle p = particles[i];
  float3 step = scaled(velocity[i], dt / p.mass);
  moved[i] = make_float3(p.position.x + step.x, p.position.y + step.y, p.position.z + step.z);
}

__global__ void nearest(const float3* points, int2* best, int n) {
  __shared__ float3 tile[64];
  tile[threadIdx.x] = points[threadIdx.x];
  __syncthreads();
  float3 own = tile[threadIdx.x];
  float least = 1e30f;
  int2 found = make_int2(-1, 0);
  for (int j = 0; j < n; ++j) {
    float dx = own.x - tile[j].x, dy = own.y - tile[j].y, dz = own.z - tile[j].z;
    float d = dx * dx + dy * dy + dz * dz;
    if (j != threadIdx.x && d < least) {
      least = d;
      found = make_int2(j, found.y + 1);
    }
  }
  best[threadIdx.x] = found;
}
