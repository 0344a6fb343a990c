"""Checked mode: every planted fault is found at its line (marked FAULT in the text), and clean kernels pass."""

import re

import numpy as np
import pytest
from machine import METAL, run_cuda, run_msl

from cu2mlx.runtime.protocol import Launch, Status

ATTRIBUTES = (
    "uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]], "
    "uint i [[thread_position_in_grid]], uint lane [[thread_index_in_simdgroup]]"
)
BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup);"

# name: kind, body. Buffers: x (256 floats in), y (256 floats out), c (256 ints); two groups of 128 threads.
MSL_FAULTS = {
    "missing_barrier": ("race", "threadgroup float s[128]; s[t] = x[i];\n y[i] = s[127 - t]; // FAULT"),
    "write_write": ("race", f"threadgroup float s[1];\n s[0] = x[i]; // FAULT\n{BARRIER} y[i] = s[0];"),
    "write_after_read": (
        "race",
        f"threadgroup float s[128]; s[t] = x[i]; {BARRIER}\n float v = s[(t + 1) % 128];\n s[t] = v; // FAULT\n"
        f"{BARRIER} y[i] = s[t];",
    ),
    "half_neighbours_overlap": (
        "race",
        "threadgroup half s[129]; if (t == 0) s[0] = 0; simdgroup_barrier(mem_flags::mem_threadgroup);\n"
        f" *(threadgroup uchar*)&s[t] = 1; s[t + 1] = 1.0h; // FAULT\n {BARRIER} y[i] = s[t];",
    ),
    "device_between_groups": ("race", "y[t] = x[i]; // FAULT"),
    "device_in_group": ("race", "y[i] = x[i];\n y[i] = y[i ^ 64]; // FAULT"),
    "device_barrier_of_threadgroup_memory": ("race", f"y[i] = x[i]; {BARRIER}\n x[i] = y[i ^ 64]; // FAULT"),
    "simdgroup_barrier_between_simdgroups": (
        "race",
        "threadgroup float s[128]; s[t] = x[i]; simdgroup_barrier(mem_flags::mem_threadgroup);\n"
        " y[i] = s[t ^ 32]; // FAULT",
    ),
    "plain_and_atomic": (
        "race",
        "\n atomic_fetch_add_explicit((device atomic_int*)&c[0], 1, memory_order_relaxed); if (i == 60) c[0] = 0; // FAULT",
    ),
    "past_the_end": ("out of bounds", "y[i] = x[i + 1]; // FAULT"),
    "one_byte_past": (
        "out of bounds",
        "uchar v = ((device uchar*)x)[i == 0 ? 1024 : 0]; // FAULT\n y[i] = v;",
    ),
    "before_the_start": ("out of bounds", "y[i] = x[(int)i - 1]; // FAULT"),
    "write_past_the_end": ("out of bounds", "y[i * 2] = 1; // FAULT"),
    "vector_over_the_end": (
        "out of bounds",
        "float4 v = *(device float4*)(x + (i == 0 ? 253 : 0)); // FAULT\n y[i] = v.x + v.y + v.z + v.w;",
    ),
    "far_away": ("out of bounds", "y[i] = x[(i + 1) * 1000000000ul]; // FAULT"),
    "threadgroup_past_the_end": (
        "out of bounds",
        f"threadgroup float s[100];\n s[t] = x[i]; // FAULT\n {BARRIER} y[i] = s[t % 100];",
    ),
    "threadgroup_second_dimension": (
        "out of bounds",
        f"threadgroup float s[4][32];\n s[t / 16][t % 16 * 2] = x[i]; // FAULT\n {BARRIER} y[i] = 0;",
    ),
    "uninitialised": (
        "uninitialised",
        f"threadgroup float s[128]; if (t < 64) s[t] = x[i]; {BARRIER}\n y[i] = s[t]; // FAULT",
    ),
    "uninitialised_counter": (
        "uninitialised",
        "threadgroup atomic_int n;\n atomic_fetch_add_explicit(&n, 1, memory_order_relaxed); // FAULT\n y[i] = 0;",
    ),
    "uninitialised_half": (
        "uninitialised",
        f"threadgroup half s[256]; s[t * 2] = half(x[i]); {BARRIER}\n y[i] = s[t * 2 + 1]; // FAULT",
    ),
    "barrier_in_branch": ("divergent barrier", f"if (t < 64) {{\n {BARRIER} // FAULT\n }} y[i] = x[i];"),
    "return_before_barrier": (
        "divergent barrier",
        f"if (t == 5) return;\n {BARRIER} // FAULT\n y[i] = x[i];",
    ),
    "two_barriers": (
        "divergent barrier",
        f"if (t < 64) {{\n {BARRIER}\n y[i] = 1; }} else {{\n {BARRIER} // FAULT\n y[i] = 2; }}",
    ),
    "simdgroup_barrier_in_branch": (
        "divergent barrier",
        f"if (lane < 7) {{\n simdgroup_barrier(mem_flags::mem_none); // FAULT\n }} {BARRIER} y[i] = 0;",
    ),
    "shuffle_from_absent_lane": (
        "divergent collective",
        f"float v = x[i]; if (lane < 16) {{\n v = simd_shuffle_xor(v, 16); // FAULT\n }} {BARRIER} y[i] = v;",
    ),
    "broadcast_from_absent_lane": (
        "divergent collective",
        f"float v = x[i]; if (lane > 2) {{\n v = simd_broadcast(v, 0); // FAULT\n }} {BARRIER} y[i] = v;",
    ),
    "matrix_in_branch": (
        "divergent collective",
        "simdgroup_float8x8 a(1.0f), b(2.0f), d; if (lane < 31) {\n simdgroup_multiply(d, a, b); // FAULT\n }"
        f" {BARRIER} y[i] = 0;",
    ),
}

CUDA_FAULTS = {
    "missing_barrier": ("race", "__shared__ float s[128]; s[t] = x[i];\n y[i] = s[127 - t]; // FAULT"),
    "warp_synchronous": (
        "race",
        "__shared__ volatile float s[128]; s[t] = x[i]; __syncthreads(); if (t < 32) {\n"
        " s[t] += s[t + 16]; // FAULT\n } __syncthreads(); y[i] = s[t];",
    ),
    "device_between_groups": ("race", "y[t] = x[i]; // FAULT"),
    "read_beside_additions": ("race", "atomicAdd(&c[0], 1); y[i] = c[0]; // FAULT"),
    "write_beside_exchanges": ("race", "atomicCAS(&c[0], 0, t);\n if (i == 200) c[0] = 7; // FAULT"),
    "past_the_end": ("out of bounds", "y[i] = x[i + 1]; // FAULT"),
    "shared_past_the_end": (
        "out of bounds",
        "__shared__ float s[100];\n s[t] = x[i]; // FAULT\n __syncthreads(); y[i] = 0;",
    ),
    "dynamic_past_the_end": (
        "out of bounds",
        "extern __shared__ float d[];\n d[t + 1] = x[i]; // FAULT\n y[i] = 0;",
    ),
    "uninitialised": (
        "uninitialised",
        "__shared__ float s[128]; if (t < 64) s[t] = x[i]; __syncthreads();\n y[i] = s[t]; // FAULT",
    ),
    "barrier_in_branch": (
        "divergent barrier",
        "if (t < 64) {\n __syncthreads();\n y[i] = 1; } else {\n __syncthreads(); // FAULT\n y[i] = 2; }",
    ),
    "shuffle_without_its_lanes": (
        "divergent collective",
        "float v = x[i]; if (t % 32 < 16) {\n v = __shfl_xor_sync(0xffffffff, v, 1); // FAULT\n } __syncthreads(); y[i] = v;",
    ),
}

CLEAN = {
    "reduction": (
        f"threadgroup float s[128]; s[t] = x[i]; {BARRIER} for (uint k = 64; k > 0; k /= 2) {{ if (t < k) s[t] += s[t + k];"
        f" {BARRIER} }} y[i] = s[0];"
    ),
    "simdgroup_steps": (
        "threadgroup float s[128]; s[t] = x[i]; simdgroup_barrier(mem_flags::mem_threadgroup); float v = s[t ^ 1];"
        " simdgroup_barrier(mem_flags::mem_threadgroup); s[t] = v; simdgroup_barrier(mem_flags::mem_threadgroup);"
        " y[i] = s[t ^ 16];"
    ),
    "bytes_of_a_word": "((device uchar*)y)[i] = 1; ((threadgroup uchar*)0 == nullptr);",
    "halves_of_a_word": f"threadgroup half s[128]; s[t] = half(x[i]); {BARRIER} y[i] = s[127 - t];",
    "histogram": (
        f"threadgroup atomic_int h[8]; if (t < 8) atomic_store_explicit(&h[t], 0, memory_order_relaxed); {BARRIER}"
        " atomic_fetch_add_explicit(&h[t % 8], 1, memory_order_relaxed);"
        f" {BARRIER} if (t < 8) atomic_fetch_add_explicit((device atomic_int*)&c[t],"
        " atomic_load_explicit(&h[t], memory_order_relaxed), memory_order_relaxed);"
    ),
    "last_group_sums": (
        "threadgroup bool last; if (t == 0) { y[g] = g + 1; atomic_thread_fence(mem_flags::mem_device,"
        " memory_order_seq_cst, thread_scope_device); last = atomic_fetch_add_explicit((device atomic_int*)&c[0], 1,"
        f" memory_order_relaxed) == 1; }} {BARRIER} if (last && t == 0) y[2] = y[0] + y[1];"
    ),
    "votes_in_branch": "if (lane < 9) y[i] = simd_sum(x[i]) + simd_any(x[i] > 0);",
    "device_barrier": (
        "y[i] = x[i]; threadgroup_barrier(mem_flags::mem_device); float v = y[i ^ 64];"
        " threadgroup_barrier(mem_flags::mem_device); y[i] = v;"
    ),
    "loop_around_an_exchange": (
        "int old = c[0]; while (!atomic_compare_exchange_weak_explicit((device atomic_int*)&c[0], &old, old + 1,"
        " memory_order_relaxed, memory_order_relaxed)) {}"
    ),
    "own_array": "float a[16]; for (int k = 0; k < 16; k++) a[k] = x[(i + k) % 256]; y[i] = a[i % 16];",
}


def arrays():
    return [np.arange(256, dtype=np.float32), np.zeros(256, np.float32), np.zeros(256, np.int32)]


def msl(body):
    return f"{METAL}kernel void k(device float* x, device float* y, device int* c, {ATTRIBUTES}) {{\n{body}\n}}\n"


def cuda(body):
    return (
        "__global__ void k(float* x, float* y, int* c) { int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;\n"
        f"{body}\n}}\n"
    )


def assert_found(outcome, kind, text):
    line = text[: text.index("// FAULT")].count("\n") + 1
    assert outcome.status is Status.FAULT, outcome
    assert (kind, line) in {(fault.kind, fault.line) for fault in outcome.faults}, outcome.faults
    if kind == "race":  # may be seen from its other end too, or as a read before the write
        assert {fault.kind for fault in outcome.faults} <= {"race", "uninitialised"}, outcome.faults
    else:
        assert {(fault.kind, fault.line) for fault in outcome.faults} == {(kind, line)}, outcome.faults
    assert all(re.match(rf"line {fault.line}: {fault.kind}: ", fault.message) for fault in outcome.faults)


@pytest.mark.parametrize("name", MSL_FAULTS)
def test_msl_fault(name):
    kind, body = MSL_FAULTS[name]
    assert_found(
        run_msl(msl(body), "k", arrays(), Launch((2, 1, 1), (128, 1, 1)), checked=True), kind, msl(body)
    )


@pytest.mark.parametrize("name", CUDA_FAULTS)
def test_cuda_fault(name):
    kind, body = CUDA_FAULTS[name]
    launch = Launch((2, 1, 1), (128, 1, 1), shared_bytes=512)
    assert_found(run_cuda(cuda(body), "k", arrays(), launch, checked=True), kind, cuda(body))


@pytest.mark.parametrize("name", CLEAN)
def test_clean(name):
    outcome = run_msl(msl(CLEAN[name]), "k", arrays(), Launch((2, 1, 1), (128, 1, 1)), checked=True)
    assert outcome.status is Status.OK, outcome


@pytest.mark.parametrize("memory", ["c[0]", "shared"])
def test_cuda_loop_around_an_exchange_is_clean(memory):
    body = (
        f"__shared__ int shared; if (t == 0) shared = 0; __syncthreads(); int* p = &{memory};\n"
        "int old = *p, assumed; do { assumed = old; old = atomicCAS(p, assumed, assumed + t); } while (old != assumed);"
    )
    outcome = run_cuda(cuda(body), "k", arrays(), Launch((2, 1, 1), (128, 1, 1)), checked=True)
    assert outcome.status is Status.OK, outcome
