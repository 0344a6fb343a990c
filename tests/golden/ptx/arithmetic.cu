// Inline PTX on registers: one instruction becomes one expression.
__device__ __forceinline__ int lop3(int a, int b, int c) {
    int res;
    asm volatile("lop3.b32 %0, %1, %2, %3, %4;\n" : "=r"(res) : "r"(a), "r"(b), "r"(c), "n"(0xca));
    return res;
}

__device__ unsigned lane_id() {
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

__global__ void mix(const int* in, unsigned* out, float* f) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned picked, wide_low;
    asm("prmt.b32 %0, %1, %2, 0x5410;" : "=r"(picked) : "r"(in[i]), "r"(in[i + 1]));
    asm("{ .reg .pred p; .reg .u64 t;\n"
        "  mul.wide.u32 t, %1, %2;\n"
        "  setp.gt.s32 p, %3, 0;\n"
        "  cvt.u32.u64 %0, t;\n"
        "  @!p mov.u32 %0, 7; }"
        : "=r"(wide_low)
        : "r"(picked), "r"(3u), "r"(in[i]));
    float e;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(e) : "f"(f[i]));
    if (in[i] > 2)
        asm("add.f32 %0, %0, 0f3F800000;" : "+f"(e));
    else
        e = 0.0f;
    out[i] = lop3(picked, wide_low, lane_id());
    f[i] = e;
}
