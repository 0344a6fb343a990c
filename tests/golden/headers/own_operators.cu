// A record that is called like a type of Metal's, with operators of its own, on elements of a buffer.
struct vec {
    float x, y;
    vec() = default;
    __device__ explicit vec(float s) : x(s), y(s) {}
    __device__ vec(float a, float b) : x(a), y(b) {}
    __device__ float& operator[](int i) { return (&x)[i]; }
};

__device__ vec operator*(vec a, float s) { return vec(a.x * s, a.y * s); }
__device__ vec operator+(vec a, vec b) { return vec(a.x + b.x, a.y + b.y); }
__device__ vec operator-(vec a) { return vec(-a.x, -a.y); }
__device__ vec& operator+=(vec& a, vec b) {
    a = a + b;
    return a;
}

__global__ void blend(const vec* a, const vec* b, vec* out, float t) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    vec v = a[i] * (1.0f - t) + b[i] * t;
    v += -vec(1.0f);
    v[0] = sqrt(max(1e-4, v[1]));
    out[i] = v;
}
