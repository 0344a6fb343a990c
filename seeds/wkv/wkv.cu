// RWKV-4 "wkv" attention-free mixing, forward and backward, numerically safe.
//
//   y[t] = (sum_{i<t} e^{(t-1-i) w + k[i]} v[i] + e^{u + k[t]} v[t]) / (the same without v)
//
// w (decay, negative) and u (bonus) are per channel; k, v, y are [B, T, C]. All exponentials are kept
// relative to a running maximum, so numerator and denominator never overflow. Forward saves that running
// state before every step for the backward pass.
#include <cuda_runtime.h>

#define MIN_VALUE (-1e38f)

// saved: [B, T, C, 3] = numerator, denominator, exponent before step t
__global__ void wkv_forward(const int B, const int T, const int C, const float* __restrict__ const _w,
                            const float* __restrict__ const _u, const float* __restrict__ const _k,
                            const float* __restrict__ const _v, float* __restrict__ const _y,
                            float* __restrict__ const _saved)
{
    const int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= B * C)
        return;
    const int _b = idx / C;
    const int _c = idx % C;
    const int _offset = _b * T * C + _c;

    const float w = _w[_c];
    const float u = _u[_c];
    const float* const k = _k + _offset;
    const float* const v = _v + _offset;
    float* const y = _y + _offset;
    float* saved = _saved + 3 * _offset;

    // num and den are relative to e^exponent
    float num = 0, den = 0, exponent = MIN_VALUE;
    for (int i = 0; i < T; i++) {
        const int ii = i * C;
        const float kk = k[ii];
        const float vv = v[ii];

        saved[3 * ii] = num;
        saved[3 * ii + 1] = den;
        saved[3 * ii + 2] = exponent;

        float no = max(exponent, u + kk);
        float A = exp(exponent - no);
        float E = exp(u + kk - no);
        y[ii] = (A * num + E * vv) / (A * den + E);

        no = max(w + exponent, kk);
        A = exp(w + exponent - no);
        E = exp(kk - no);
        num = A * num + E * vv;
        den = A * den + E;
        exponent = no;
    }
}

// gw and gu are per batch and channel ([B, C]); the caller sums them over the batch.
__global__ void wkv_backward(const int B, const int T, const int C, const float* __restrict__ const _w,
                             const float* __restrict__ const _u, const float* __restrict__ const _k,
                             const float* __restrict__ const _v, const float* __restrict__ const _y,
                             const float* __restrict__ const _saved, const float* __restrict__ const _gy,
                             float* __restrict__ const _gw, float* __restrict__ const _gu,
                             float* __restrict__ const _gk, float* __restrict__ const _gv)
{
    const int idx = blockIdx.x * blockDim.x + threadIdx.x;
    if (idx >= B * C)
        return;
    const int _b = idx / C;
    const int _c = idx % C;
    const int _offset = _b * T * C + _c;

    const float w = _w[_c];
    const float u = _u[_c];
    const float* const k = _k + _offset;
    const float* const v = _v + _offset;
    const float* const y = _y + _offset;
    const float* const saved = _saved + 3 * _offset;
    const float* const gy = _gy + _offset;
    float* const gk = _gk + _offset;
    float* const gv = _gv + _offset;

    float gw = 0, gu = 0;
    // gradients of the state after the current step, relative to e^g_exponent
    float g_num = 0, g_den = 0, g_exponent = MIN_VALUE;
    for (int i = T - 1; i >= 0; i--) {
        const int ii = i * C;
        const float kk = k[ii];
        const float vv = v[ii];
        const float yy = y[ii];
        const float num = saved[3 * ii];
        const float den = saved[3 * ii + 1];
        const float exponent = saved[3 * ii + 2];

        // through the state update: state' = e^w state + e^k (v, 1)
        const float carry = exp(kk + g_exponent);
        float dk = carry * (g_num * vv + g_den);
        float dv = carry * g_num;
        gw += exp(exponent + w + g_exponent) * (g_num * num + g_den * den);

        // through the output: y = (state + e^{u+k} (v, 1)) as a quotient
        const float no = max(exponent, u + kk);
        const float E = exp(u + kk - no);
        const float q = gy[ii] / (exp(exponent - no) * den + E);
        const float bonus = q * E * (vv - yy);
        gu += bonus;
        gk[ii] = dk + bonus;
        gv[ii] = dv + q * E;

        // q is relative to e^-no
        const float next = max(w + g_exponent, -no);
        const float keep = exp(w + g_exponent - next);
        const float add = exp(-no - next) * q;
        g_num = keep * g_num + add;
        g_den = keep * g_den - add * yy;
        g_exponent = next;
    }
    _gw[_b * C + _c] = gw;
    _gu[_b * C + _c] = gu;
}

void cuda_wkv_forward(int B, int T, int C, float* w, float* u, float* k, float* v, float* y, float* saved)
{
    dim3 threadsPerBlock(min(C, 32));  // few registers are left with large blocks
    dim3 numBlocks((B * C + threadsPerBlock.x - 1) / threadsPerBlock.x);
    wkv_forward<<<numBlocks, threadsPerBlock>>>(B, T, C, w, u, k, v, y, saved);
}

void cuda_wkv_backward(int B, int T, int C, float* w, float* u, float* k, float* v, float* y, float* saved,
                       float* gy, float* gw, float* gu, float* gk, float* gv)
{
    dim3 threadsPerBlock(min(C, 32));
    dim3 numBlocks((B * C + threadsPerBlock.x - 1) / threadsPerBlock.x);
    wkv_backward<<<numBlocks, threadsPerBlock>>>(B, T, C, w, u, k, v, y, saved, gy, gw, gu, gk, gv);
}
