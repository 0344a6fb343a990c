"""MLX's own generator, given what the Metal executor gives it, makes the kernel's text again."""

import re

import pytest
from mlx_oracle import generated_by_mlx

pytest.importorskip("mlx.core")

TEXT = """inline float twice(float v) { return v + v; }
template <typename T, int N>
[[kernel]] void scale(
  const device float* x [[buffer(0)]],
  const constant float& a [[buffer(1)]],
  const constant bool& flip [[buffer(2)]],
  device bfloat16_t* y [[buffer(3)]],
  uint3 thread_position_in_grid [[thread_position_in_grid]]) {
uint i = thread_position_in_grid.x;
y[i] = bfloat16_t((flip ? -a : twice(a)) * x[i] * N);
}

template [[host_name("scale")]] [[kernel]] decltype(scale<float, 3>) scale<float, 3>;
"""
SCRIPT = """
import numpy as np
from cu2mlx.runtime.metal import MetalExecutor
from cu2mlx.runtime.protocol import KernelText, Launch, Value
kernel = MetalExecutor().load(KernelText("msl", TEXT, "scale"))
arguments = [np.zeros(8, np.float32), Value(np.float32(2).tobytes()), Value(bytes(1)), np.zeros(8, np.uint16)]
call = kernel.call(arguments, Launch((1, 1, 1), (8, 1, 1)))
inputs = call.pop("inputs")
export(lambda *arrays: kernel.kernel()(inputs=list(arrays), **call), *inputs)
"""


def test_the_text_is_the_one_that_mlx_generates() -> None:
    (made,) = generated_by_mlx(f"TEXT = {TEXT!r}\n{SCRIPT}")
    assert re.sub(r"custom_kernel_cu2mlx_[0-9a-f]{12}\w*", "scale", made).split() == TEXT.split()
