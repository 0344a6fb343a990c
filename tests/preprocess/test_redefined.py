"""Macros that mean one thing here and another there: each use is what CUDA's compiler makes of it."""

import numpy as np
import pytest

from tests.preprocess.preprocess_helpers import unit
from tests.translated import run_both

REDEFINED = """
#define V 3
__device__ int early() { return V; }
#undef V
#define V 5
__global__ void k(int* y) {
  int a = V;
#undef V
#define V 9
  y[threadIdx.x] = 100 * a + 10 * V + early();
}
"""
NAME_AFTER_ALL = """
#define V 3
__device__ int early() { return V; }
#undef V
__global__ void k(int* y) { int V = 4; y[threadIdx.x] = 10 * V + early(); }
"""
DEFINED_LATER = """
__device__ int twice(int V) { return 2 * V; }
__global__ void k(int* y, int W) { int V = W; y[threadIdx.x] = twice(V) + W; }
#define V 3
#define W 4
__global__ void other(int* y) { y[threadIdx.x] = V + W; }
"""
UNSEEN = """
#ifndef FAST
#define V 8
#else
#define V 4
#endif
__global__ void k(int* y) {
#if V == 8
#define W 3
#else
#define W 5
#endif
  y[threadIdx.x] = 10 * V + W;
}
"""


@pytest.mark.parametrize(("text", "value"), [(REDEFINED, 593), (NAME_AFTER_ALL, 43), (UNSEEN, 83)])
def test_each_use_is_the_compilers(text: str, value: int) -> None:
    both = run_both(text, {"y": np.zeros(2, np.int32)}, 2)
    assert both.original["y"].tolist() == both.translated["y"].tolist() == [value, value]


def test_names_that_are_macros_later() -> None:
    both = run_both(DEFINED_LATER, {"y": np.zeros(2, np.int32), "W": np.int32(5)}, 2)
    assert both.original["y"].tolist() == both.translated["y"].tolist() == [15, 15]
    other = run_both(DEFINED_LATER, {"y": np.zeros(2, np.int32)}, 2, entry="other")
    assert other.translated["y"].tolist() == [7, 7]


def test_the_definition_of_a_branch_that_is_not_taken_is_none() -> None:
    found = unit(UNSEEN)
    assert found.macros["V"].body == "8"
    assert found.macros["W"].body == "3"
