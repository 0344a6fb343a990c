"""A compiler's message about a translation names the CUDA lines too, whichever executor compiled it."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from cu2mlx.runtime.inputs import make_inputs
from cu2mlx.runtime.protocol import CompileError, KernelText, Launch, Loaded, Outcome, Status
from cu2mlx.runtime.spec import load_spec
from cu2mlx.runtime.verify.case import Sides, run_case
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import SourceFile

CUDA = """__device__ float twice(float v) {
  return v + v;
}

__global__ void f(const float* x, float* y, int n) {
  int i = threadIdx.x;
  if (i < n)
    y[i] = twice(x[i]);
}
"""
SPEC = """kernel = "f"
grid = ["1"]
block = ["8"]
[args.x]
dtype = "float32"
shape = ["n"]
[args.y]
dtype = "float32"
shape = ["n"]
output = true
[args.n]
dtype = "int32"
[[cases]]
name = "eight"
n = 8
"""


class Compiler:
    """An executor whose compiler finds fault with a line of a Metal text."""

    name = "compiler"

    def __init__(self, form: str) -> None:
        self.form = form

    def unavailable(self) -> None:
        return None

    def load(self, kernel: KernelText, *, checked: bool = False) -> Loaded:
        return self  # type: ignore[return-value]

    def run(self, arguments: Sequence[Any], launch: Launch, *, timeout: float = 60.0) -> Outcome:
        return Outcome(Status.OK)


class Refusing(Compiler):
    def load(self, kernel: KernelText, *, checked: bool = False) -> Loaded:
        lines = kernel.text.partition("#line 1\n")[2].split("\n")
        place = next(number for number, line in enumerate(lines, 1) if "y[i] = twice" in line)
        raise CompileError(self.form.format(place))


@pytest.mark.parametrize("form", ["kernel.metal:{}:7: error: no", "kernel.metal({}): error: no"])
def test_cuda_lines(form: str, tmp_path: Path) -> None:
    translation = translate(SourceFile("folder/k.cu", CUDA))
    (tmp_path / "spec.toml").write_text(SPEC)
    spec = load_spec(tmp_path / "spec.toml")
    inputs = make_inputs(spec, spec.cases[0])
    sides = Sides(translation, translation.kernels[0])
    result = run_case(sides, inputs, (Compiler(form), Refusing(form)), checked=False, timeout=1.0)
    assert "does not compile: kernel.metal" in result.message
    assert "(from k.cu:8) error: no" in result.message
