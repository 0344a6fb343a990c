"""Small MSL kernels of tests, run on the CPU machine in checked mode: float x[] in, float y[] out, int n."""

from typing import Any

import numpy as np

from cu2mlx.refine.candidate import Candidate
from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.emulate import PREAMBLE
from cu2mlx.runtime.protocol import KernelText, Launch, Status

_HEAD = """
[[kernel]] void k(const device float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  const constant int& n [[buffer(2)]],
                  uint3 thread_position_in_threadgroup [[thread_position_in_threadgroup]],
                  uint3 threadgroup_position_in_grid [[threadgroup_position_in_grid]],
                  uint3 threads_per_threadgroup [[threads_per_threadgroup]],
                  uint3 threadgroups_per_grid [[threadgroups_per_grid]],
                  uint thread_index_in_simdgroup [[thread_index_in_simdgroup]]) {
"""

Array = np.ndarray[Any, np.dtype[np.float32]]


def outputs(candidate: Candidate, x: Array, size: int, *, groups: int = 1, threads: int = 64) -> Array:
    """y[0:size], which starts as NaN, for n = len(x). Fails on a fault that checked mode finds."""
    text = f"{PREAMBLE}{candidate.header}{_HEAD}{candidate.body}}}\n"
    y = np.full(size, np.nan, np.float32)
    loaded = CpuExecutor().load(KernelText("msl", text, "k"), checked=True)
    outcome = loaded.run([x.copy(), y, np.array(len(x), np.int32)], Launch((groups, 1, 1), (threads, 1, 1)))
    assert outcome.status is Status.OK, (outcome.message, outcome.faults)
    return y


def numbers(count: int, seed: int = 0) -> Array:
    return np.random.default_rng(seed).normal(0, 3, count).astype(np.float32)
