"""How fast the CPU machine is: `python bench/cpu_machine.py [--threads N]` prints one line a measure and its goal."""

import argparse
import os
import statistics
import time
from collections.abc import Callable

import numpy as np

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.protocol import KernelText, Launch, Loaded, Status, Value

ADD = """
__global__ void add(float* c, const float* a, const float* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
"""
BARRIERS = "__global__ void barriers(float* a) { for (int i = 0; i < 100; i++) __syncthreads(); a[threadIdx.x] = 1; }"
SHUFFLES = """
__global__ void shuffles(float* a) {
  float v = threadIdx.x;
  for (int i = 0; i < 100; i++) v += __shfl_xor_sync(0xffffffff, v, 1);
  a[threadIdx.x] = v;
}
"""
REDUCTION = """
__global__ void reduce(float* out, const float* in, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * 256 + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int k = 128; k > 0; k /= 2) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
"""
MATMUL = """
__global__ void matmul(float* c, const float* a, const float* b, int n) {
  __shared__ float x[16][16], y[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    x[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    y[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int j = 0; j < 16; j++) sum += x[threadIdx.y][j] * y[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
"""
METAL = """
#include <metal_stdlib>
using namespace metal;
kernel void row_sum(const device float* x, device float* y, constant int& n, uint g [[threadgroup_position_in_grid]],
                    uint t [[thread_position_in_threadgroup]], uint lane [[thread_index_in_simdgroup]],
                    uint simd [[simdgroup_index_in_threadgroup]]) {{
  threadgroup float sums[32];
  float sum = 0;
  for (int i = t; i < n; i += 256) sum += x[g * n + i];
  sum = simd_sum(sum);
  if (lane == 0) sums[simd] = sum;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) {{ for (int i = 1; i < 8; i++) sum += sums[i]; y[g] = sum; }}  // {}
}}
"""

Make = Callable[[], "tuple[list[np.ndarray | Value], Launch]"]


def integer(value: int) -> Value:
    return Value(np.int32(value).tobytes())


def vectors(n: int) -> tuple[list[np.ndarray | Value], Launch]:
    arrays = [np.zeros(n, np.float32), np.ones(n, np.float32), np.ones(n, np.float32)]
    return [*arrays, integer(n)], Launch((n // 256, 1, 1), (256, 1, 1))


def one_block() -> tuple[list[np.ndarray | Value], Launch]:
    return [np.zeros(1024, np.float32)], Launch((1, 1, 1), (1024, 1, 1))


def rows(n: int) -> tuple[list[np.ndarray | Value], Launch]:
    return [np.zeros(n // 256, np.float32), np.ones(n, np.float32), integer(n)], Launch(
        (n // 256, 1, 1), (256, 1, 1)
    )


def square(n: int) -> tuple[list[np.ndarray | Value], Launch]:
    matrices = [np.ones((n, n), np.float32) for _ in range(3)]
    return [*matrices, integer(n)], Launch((n // 16, n // 16, 1), (16, 16, 1))


def seconds(kernel: Loaded, make: Make, repeat: int = 7) -> float:
    """The best of the launch's own times; the first run warms the stacks."""
    times = []
    for _ in range(repeat + 1):
        arguments, launch = make()
        outcome = kernel.run(arguments, launch)
        assert outcome.status is Status.OK, outcome
        times.append(outcome.seconds)
    return min(times[1:])


def show(name: str, value: float, unit: str, goal: str = "") -> None:
    print(f"{name:44} {value:9.2f} {unit:12} {goal}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="OS threads")
    threads = parser.parse_args().threads
    executor = CpuExecutor(threads=threads)

    def load(text: str, entry: str, *, checked: bool = False) -> Loaded:
        return executor.load(KernelText("cuda", text, entry), checked=checked)

    print(f"{threads} OS threads")
    add = load(ADD, "add")
    for n in (1 << 18, 1 << 20, 1 << 22):
        show(
            f"vector add, {n} threads",
            n / seconds(add, lambda n=n: vectors(n)) / 1e6,
            "M threads/s",
            "goal >= 80",
        )
    barriers = seconds(load(BARRIERS, "barriers"), one_block)
    show("1024 threads x 100 barriers", barriers * 1e3, "ms", "goal <= 4")
    show("one barrier, a thread", barriers / 102400 * 1e9, "ns")
    show("one shuffle, a lane", seconds(load(SHUFFLES, "shuffles"), one_block) / 102400 * 1e9, "ns")

    for name, text, entry, make in (
        ("vector add, 2^20 threads", ADD, "add", lambda: vectors(1 << 20)),
        ("reduction of 2^18", REDUCTION, "reduce", lambda: rows(1 << 18)),
        ("matmul 128", MATMUL, "matmul", lambda: square(128)),
        ("shuffles", SHUFFLES, "shuffles", one_block),
    ):
        plain, checked = seconds(load(text, entry), make), seconds(load(text, entry, checked=True), make)
        show(f"checked / plain: {name}", checked / plain, "x", "goal <= 15")

    for language, text, entry in (("cuda", MATMUL, "matmul"), ("msl", METAL, "row_sum")):
        for checked in (False, True):
            times = []
            for i in range(5):
                start = time.perf_counter()
                never_built = f"{start} {i}"
                fresh = text.format(never_built) if language == "msl" else f"{text}// {never_built}"
                kernel = executor.load(KernelText(language, fresh, entry), checked=checked)
                if language == "cuda":
                    arguments, launch = square(128)
                else:
                    arguments = [np.ones((4, 1000), np.float32), np.zeros(4, np.float32), integer(1000)]
                    launch = Launch((4, 1, 1), (256, 1, 1))
                assert kernel.run(arguments, launch).status is Status.OK
                times.append(time.perf_counter() - start)
            mode = "checked" if checked else "plain"
            goal = "" if checked else "goal <= 0.6"
            show(f"compile and run, {language}, {mode}", statistics.median(times), "s", goal)


if __name__ == "__main__":
    main()
