// What inline PTX cannot say in Metal is refused by the instruction's name.
__global__ void locked(int* lock, int* out) {
    int state;
    asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(state) : "l"(lock));  // error: CU3502
    *out = state;
}

__global__ void timed(unsigned* out) {
    asm volatile("mov.u32 %0, %%clock;" : "=r"(*out));  // error: CU3205
}

__global__ void product(float* c, const unsigned* a) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"  // error: CU3501
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]));
}

__global__ void part(int* out) {
    asm volatile("bar.sync 1, 64;");  // error: CU3208
    *out = 1;
}

__global__ void jump(int* out) {
    asm volatile("{ bra DONE; DONE: }");  // error: CU3502
    *out = 1;
}

__global__ void elsewhere(int* out, unsigned address) {
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(*out) : "r"(address));  // error: CU3502
}

__global__ void narrow(float* out) {
    float x = out[0];
    asm volatile("{ .reg .f64 d; cvt.f64.f32 d, %0; cvt.rn.f32.f64 %0, d; }" : "+f"(x));  // error: CU3101
    out[0] = x;
}

__global__ void polled(const unsigned* flag, unsigned* out) {
    asm volatile("ld.volatile.global.u32 %0, [%1];" : "=r"(out[0]) : "l"(flag));  // error: CU3502
}
