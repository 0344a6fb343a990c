"""What host expressions are worth that may be constant, and the instance that a kernel is checked with."""

import pytest

from cu2mlx.transpiler.binding.constant import constant_value
from cu2mlx.transpiler.instance import default_instance
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import SourceFile

_NAMES = {"N": "4", "WIDE": "N * 2 + 1", "FLAG": "WIDE > 8 && !(N == 3)", "A": "B", "B": "A", "open": None}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("128", 128),
        ("WIDE", 9),
        ("FLAG ? 64 : 128", 64),
        ("!FLAG ? 64 : 128", 128),
        ("n <= 128 ? N : 2 * N", 4),
        ("int(WIDE) / 2 << 1", 8),
        ("~N & 0xff", 251),
        ("n", None),
        ("open", None),
        ("A", None),
        ("N / 0", None),
        ("[](int x) { return x; }", None),
    ],
)
def test_value(text: str, value: int | None) -> None:
    assert constant_value(text, _NAMES) == value


_KERNEL = """
template <typename T, typename Index, int THREADS, int ITEMS, bool EVEN>
__global__ void take(const T* x, const Index* at, T* y) {
  static_assert(THREADS == 32 * ITEMS, "whole warps");
  Index i = at[blockIdx.x * THREADS + threadIdx.x];
  y[i] = x[i];
}

template <int THREADS, typename T>
void launch(const T* x, const int* at, T* y, int n) {
  constexpr int ITEMS = THREADS / 32;
  if (n % 2 == 0) {
    take<T, index_t, THREADS, ITEMS, n % 2 == 0><<<n / THREADS, THREADS>>>(x, at, y);
  } else {
    take<T, index_t, THREADS, ITEMS, false><<<n / THREADS, THREADS>>>(x, at, y);
  }
}

void all(const __half* x, const int* at, __half* y, int n) { launch<64, __half>(x, at, y, n); }
"""


def test_examples_come_from_one_launch_and_fit_the_text() -> None:
    (kernel,) = translate(SourceFile("take.cu", _KERNEL)).kernels
    assert kernel.interface is not None
    assert default_instance(kernel.interface).template == {
        "T": "float32",
        "Index": "int32",
        "THREADS": 64,
        "ITEMS": 2,
        "EVEN": False,
    }


def test_example_is_a_type_that_the_text_compares_with() -> None:
    text = """
template <typename T>
__global__ void halves(const T* x, T* y) {
  using T2 = typename std::conditional<std::is_same<T, __half>::value, __half2, __nv_bfloat162>::type;
  reinterpret_cast<T2*>(y)[threadIdx.x] = reinterpret_cast<const T2*>(x)[threadIdx.x];
}
"""
    (kernel,) = translate(SourceFile("halves.cu", text)).kernels
    assert kernel.interface is not None
    assert default_instance(kernel.interface).template == {"T": "float16"}
