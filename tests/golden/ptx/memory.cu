// Loads and stores with cache hints, under predicates, and addresses in threadgroup memory.
__device__ __forceinline__ unsigned to_shared(const void* p) { return __cvta_generic_to_shared(p); }

__device__ __forceinline__ void load16(void* dst, const void* src, bool access) {
    uint4* data = reinterpret_cast<uint4*>(dst);
    asm volatile(
        "{\n"
        "\t.reg .pred p;\n"
        "\tsetp.ne.b32 p, %5, 0;\n"
        "\tmov.b32 %0, 0;\n"
        "\tmov.b32 %1, 0;\n"
        "\tmov.b32 %2, 0;\n"
        "\tmov.b32 %3, 0;\n"
        "\t@p ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];\n"
        "}\n"
        : "=r"(data[0].x), "=r"(data[0].y), "=r"(data[0].z), "=r"(data[0].w)
        : "l"(src), "r"((int)access));
}

__device__ __forceinline__ void store_shared(void* dst, unsigned value) {
    unsigned address = to_shared(dst);
    asm volatile("st.shared.u32 [%0], %1;" : : "r"(address), "r"(value) : "memory");
}

__global__ void copy(const float* in, float* out, int n) {
    __shared__ float tile[128];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float four[4];
    load16(four, in + 4 * i, 4 * i < n);
    store_shared(tile + threadIdx.x, __float_as_uint(four[0] + four[3]));
    asm volatile("bar.sync 0;" ::: "memory");
    unsigned back;
    asm volatile("ld.shared.u32 %0, [%1+0];" : "=r"(back) : "r"(to_shared(tile + (threadIdx.x ^ 1))));
    asm volatile("prefetch.global.L1 [%0];" ::"l"(in));
    asm volatile("st.global.cs.u32 [%0], %1;" ::"l"(out + i), "r"(back) : "memory");
}

__global__ void count(const unsigned* keys, unsigned* totals, float* sums) {
    __shared__ unsigned local[32];
    local[threadIdx.x] = 0;
    __syncthreads();
    unsigned key = keys[threadIdx.x] & 31, old;
    asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(old) : "r"(to_shared(&local[key])), "r"(1));
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(totals + key), "r"(old + 1) : "memory");
    asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(sums), "f"(0.5f) : "memory");
}

__global__ void staged(const uint4* in, uint4* out) {
    __shared__ uint4 tile[32];
    unsigned to = (unsigned)__cvta_generic_to_shared(tile + threadIdx.x);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to), "l"(in + threadIdx.x));
    asm volatile("cp.async.commit_group;\n" ::);
    asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
    __syncthreads();
    out[threadIdx.x] = tile[31 - threadIdx.x];
}
