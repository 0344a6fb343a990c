"""Differentiable functions of every form on the CPU machine: what they return, take, cast, sum and refuse."""

import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

mx = pytest.importorskip("mlx.core")

from cu2mlx.runtime.cpu.executor import CpuExecutor  # noqa: E402
from cu2mlx.transpiler.binding.gradient import (  # noqa: E402
    Gradient,
    GradientError,
    GradientRequest,
)
from cu2mlx.transpiler.binding.gradient_match import match  # noqa: E402
from cu2mlx.transpiler.binding.module import emit_module  # noqa: E402
from cu2mlx.transpiler.pipeline import translate  # noqa: E402
from cu2mlx.transpiler.source import SourceFile  # noqa: E402

pytestmark = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)


@pytest.fixture(autouse=True)
def _on_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CU2MLX_DEVICE", "cpu")


def function(text: str, backward: tuple[str, ...] = ("op_bwd",), **asked: Any) -> Any:
    """The function `op` of kernels op_fwd and, in this order, `backward`."""
    text = text.replace("I;", "int i = blockIdx.x * blockDim.x + threadIdx.x;")
    kernels = translate(SourceFile("op.cu", text)).kernels
    interfaces = [k.interface for k in kernels if k.interface is not None]
    assert len(interfaces) == 1 + len(backward), [k.diagnostics for k in kernels]
    made = match(interfaces[0], interfaces[1:], GradientRequest("op_fwd", backward, **asked))
    assert isinstance(made, Gradient), made
    module = ModuleType("emitted")
    source = emit_module(interfaces, "op.cu", [made])
    exec(compile(source, "emitted.py", "exec"), module.__dict__)
    return module.op


SQUARE = """
__global__ void op_fwd(const float* x, float* y, int n) { I; if (i < n) y[i] = x[i] * x[i]; }
__global__ void op_bwd(const float* x, const float* dy, float* dx, int n) { I; if (i < n) dx[i] = 2 * x[i] * dy[i]; }
"""
LAUNCH = {"grid": 1, "block": 32, "backward_grid": 1, "backward_block": 32}


def test_one_array() -> None:
    op, x = function(SQUARE), mx.array([1.0, 2.0, 3.0])
    run = {**LAUNCH, "y_shape": 3, "dx_shape": 3}
    assert mx.grad(lambda x: op(x, 3, **run).sum())(x).tolist() == [2, 4, 6]
    assert mx.grad(lambda x: (x * op(2 * x, 3, **run)).sum())(x).tolist() == [12, 48, 108]  # of 4 x³
    assert op(x, 3, **run).tolist() == [1, 4, 9]


def test_elements_that_the_backward_kernel_leaves_alone_have_gradient_zero() -> None:
    op, x = function(SQUARE), mx.array([1.0, 2.0, 3.0])
    got = mx.grad(lambda x: op(x, 2, **LAUNCH, y_shape=3, init_value=0, dx_shape=3).sum())(x)
    assert got.tolist() == [2, 4, 0]


def test_a_missing_shape_is_asked_for_by_name() -> None:
    op = function(SQUARE)
    with pytest.raises(ValueError, match="op_bwd: pass dx_shape="):
        mx.grad(lambda x: op(x, 3, **LAUNCH, y_shape=3).sum())(mx.ones((3,)))


def test_defaults_stand_in_for_keywords() -> None:
    defaults = {"y_shape": "x.shape", "grid": "1", "block": "max(n, 32)", "dx_shape": "y_shape"}
    defaults |= {"backward_grid": "grid", "backward_block": "block"}
    op = function(SQUARE, defaults=defaults)
    assert mx.grad(lambda x: op(x, 2).sum())(mx.array([1.0, 2.0])).tolist() == [2, 4]
    with pytest.raises(ValueError, match="block"):
        op(mx.ones((2,)), 2, block=2000)


def test_numbers_are_python_numbers() -> None:
    with pytest.raises(
        ValueError, match=r"n is fixed for the gradient: pass a Python number, such as n\.item"
    ):
        function(SQUARE)(mx.ones((3,)), mx.array(3), **LAUNCH, y_shape=3)


def test_what_has_no_gradient_says_so() -> None:
    op, x, run = function(SQUARE), mx.ones((3,)), {**LAUNCH, "y_shape": 3, "dx_shape": 3}
    first = mx.grad(lambda x: op(x, 3, **run).sum())
    with pytest.raises(ValueError, match=r"op_bwd.*MLX has no gradient of a kernel"):
        mx.grad(lambda x: first(x).sum())(x)
    with pytest.raises(ValueError, match=r"op_fwd.*MLX has no gradient of a kernel"):
        mx.jvp(lambda x: op(x, 3, **run), [x], [x])


TWO = """
__global__ void op_fwd(const float* x, float* a, float* b, int* whole, float* saved) {
  I; a[i] = 2 * x[i]; b[i] = 5 * x[i]; whole[i] = int(x[i]); saved[i] = 7;
}
__global__ void op_bwd(const float* da, const float* db, const float* saved, float* dx) {
  I; dx[i] = 2 * da[i] + 5 * db[i] + 0 * saved[i];
}
"""


def test_outputs_without_a_cotangent_are_not_returned_unless_they_are_whole_numbers() -> None:
    op, x = function(TWO), mx.array([1.0, 2.0])
    run = {"grid": 1, "block": 2, "backward_grid": 1, "backward_block": 2, "dx_shape": 2}
    run |= {f"{name}_shape": 2 for name in ("a", "b", "whole", "saved")}
    assert [array.tolist() for array in op(x, **run)] == [[2, 4], [5, 10], [1, 2]]
    assert mx.grad(lambda x: op(x, **run)[0].sum())(x).tolist() == [2, 2]  # the other cotangent is zero
    assert mx.grad(lambda x: op(x, **run)[1].sum())(x).tolist() == [5, 5]
    assert mx.grad(lambda x: (op(x, **run)[0] + op(x, **run)[1]).sum())(x).tolist() == [7, 7]


PARTS = """
__global__ void op_fwd(const float* x, const __half* w, float* y) { I; y[i] = x[i] * __half2float(w[threadIdx.x]); }
__global__ void op_bwd(const float* x, const __half* w, const float* dy, float* dx, float* dw) {
  I; dx[i] = __half2float(w[threadIdx.x]) * dy[i]; dw[i] = x[i] * dy[i];
}
"""


def test_parts_of_a_gradient_are_summed_and_have_the_dtype_of_their_array() -> None:
    op, x, w = function("#include <cuda_fp16.h>\n" + PARTS), mx.ones((3, 4)), mx.full((4,), 2, mx.float16)
    run = {
        "grid": 3,
        "block": 4,
        "backward_grid": 3,
        "backward_block": 4,
        "y_shape": (3, 4),
        "dx_shape": (3, 4),
    }
    dx, dw = mx.grad(lambda x, w: op(x, w, **run, dw_shape=(3, 4)).sum(), argnums=(0, 1))(x, w)
    assert dx.tolist() == [[2.0] * 4] * 3
    assert (dw.tolist(), dw.dtype) == ([3.0] * 4, mx.float16)


def test_sums_in_another_dtype_start_at_zero() -> None:
    text = PARTS.replace("dw[i] = x[i] * dy[i]", "atomicAdd(&dw[threadIdx.x], x[i] * dy[i])")
    op, x, w = function("#include <cuda_fp16.h>\n" + text), mx.ones((3, 4)), mx.full((4,), 2, mx.float16)
    run = {
        "grid": 3,
        "block": 4,
        "backward_grid": 3,
        "backward_block": 4,
        "y_shape": (3, 4),
        "dx_shape": (3, 4),
    }
    dw = mx.grad(lambda x, w: op(x, w, **run).sum(), argnums=1)(x, w)
    assert (dw.tolist(), dw.dtype) == ([3.0] * 4, mx.float16)


IN_PLACE = """
__global__ void op_fwd(const float* x, float* y) { I; y[i] = 3 * x[i]; }
__global__ void op_bwd(float* buffer, float* scratch, float by) { I; buffer[i] *= by; scratch[i] = 1; }
"""


def test_a_cotangent_turned_into_a_gradient_in_place_with_one_more_argument() -> None:
    parameters = {"buffer": "cotangent of y, gradient of x", "scratch": "scratch", "by": "argument"}
    op = function(IN_PLACE, parameters=parameters)
    run = {"grid": 1, "block": 4, "backward_grid": 1, "backward_block": 4, "y_shape": 4, "scratch_shape": 4}
    assert mx.grad(lambda x: op(x, 3.0, **run).sum())(mx.ones((4,))).tolist() == [3] * 4


TYPED = """
template <typename T, int SCALE>
__global__ void op_fwd(const T* x, const int* order, T* y) { I; y[i] = T(SCALE) * x[order[i]]; }
template <typename scalar_t, int SCALE>
__global__ void op_bwd(const scalar_t* dy, const int* order, scalar_t* dx) { I; dx[order[i]] = scalar_t(SCALE) * dy[i]; }
"""


@pytest.mark.parametrize("dtype", [mx.float32, mx.float16])
def test_templates(dtype: Any) -> None:
    op, x, order = function(TYPED), mx.array([1.0, 2.0, 3.0, 4.0], dtype), mx.array([3, 1, 0, 2], mx.int32)
    run = {"grid": 1, "block": 4, "backward_grid": 1, "backward_block": 4, "y_shape": 4, "dx_shape": 4}
    weight = mx.array([1.0, 10.0, 100.0, 1000.0], mx.float32)
    loss = lambda x: (weight * op(x, order, **run, SCALE=2)).sum()  # noqa: E731
    got = mx.grad(loss)(x)
    assert (got.tolist(), got.dtype) == ([200.0, 20.0, 2000.0, 2.0], dtype)


TWO_MEANINGS = """
template <int TILE>
__global__ void op_fwd(const float* outputs, float* y) { y[threadIdx.x] = TILE * outputs[threadIdx.x]; }
template <int TILE>
__global__ void op_bwd(const float* outputs, float* y) { y[threadIdx.x] = TILE * outputs[threadIdx.x]; }
void run(float* x, float* y) { op_fwd<2><<<1, 32>>>(x, y); op_bwd<3><<<1, 32>>>(x, y); }
"""


def test_names_that_mean_two_things() -> None:
    """`y` is the forward kernel's output and the backward one's gradient; TILE has a default of each kernel's."""
    parameters = {"outputs": "cotangent of y", "y": "gradient of outputs"}
    op, x = function(TWO_MEANINGS, parameters=parameters), mx.ones((32,))
    run = {"y_shape": 32, "backward_y_shape": (2, 32)}
    assert mx.grad(lambda x: op(x, **run).sum())(x).tolist() == [3.0] * 32
    assert op(x, **run).tolist() == [2.0] * 32
    with pytest.raises(
        ValueError, match=r"a gradient of shape \(2, 16\) does not fit an array of shape \(32,\)"
    ):
        mx.grad(lambda x: op(x, **run | {"backward_y_shape": (2, 16)}).sum())(x)
    assert mx.grad(lambda x: op(x, **run, backward_TILE=2).sum())(x).tolist() == [2.0] * 32


STAGES = """
__global__ void op_fwd(const float* x, const float* w, float* y, int n) {
  y[blockIdx.x * n + threadIdx.x] = x[blockIdx.x * n + threadIdx.x] * w[threadIdx.x];
}
__global__ void op_bwd_x(const float* dy, const float* w, float* dx, int n) {
  dx[blockIdx.x * n + threadIdx.x] = dy[blockIdx.x * n + threadIdx.x] * w[threadIdx.x];
}
__global__ void op_bwd_parts(const float* dy, const float* x, float* part, int n) {
  part[blockIdx.x * n + threadIdx.x] = dy[blockIdx.x * n + threadIdx.x] * x[blockIdx.x * n + threadIdx.x];
}
__global__ void op_bwd_w(const float* part, float* dw, int rows, int n) {
  float sum = 0;
  for (int r = 0; r < rows; ++r) sum += part[r * n + threadIdx.x];
  dw[threadIdx.x] = sum;
}
"""


def test_several_backward_kernels_of_which_a_later_one_reads_what_an_earlier_one_wrote() -> None:
    backward = ("op_bwd_x", "op_bwd_parts", "op_bwd_w")
    defaults = {f"{kernel}_block": "n" for kernel in backward} | {
        "block": "n",
        "y_shape": "x.shape",
        "grid": "3",
    }
    defaults |= {"op_bwd_x_grid": "grid", "op_bwd_parts_grid": "grid", "op_bwd_w_grid": "1"}
    defaults |= {"dx_shape": "x.shape", "part_shape": "x.shape", "dw_shape": "n"}
    op = function(STAGES, backward, parameters={"rows": "x.shape[0]"}, defaults=defaults)
    x, w, weight = (mx.random.normal(shape) for shape in ((3, 4), (4,), (3, 4)))
    got = mx.grad(lambda x, w: (weight * op(x, w, 4)).sum(), argnums=(0, 1))(x, w)
    for array, right in zip(got, (weight * w, (weight * x).sum(axis=0)), strict=True):
        assert mx.allclose(array, right, rtol=1e-5, atol=1e-5)


IN_PLACE_STAGES = """
__global__ void op_fwd(const float* x, const float* w, float* y) { I; y[i] = 3 * x[i] + 6 * w[i]; }
__global__ void op_bwd_x(float* dy) { I; dy[i] *= 3; }
__global__ void op_bwd_w(const float* dy, float* dw) { I; dw[i] = 2 * dy[i]; }
"""


def test_what_an_earlier_kernel_made_of_the_cotangent_is_told_from_the_cotangent() -> None:
    asked = {"op_bwd_x.dy": "cotangent of y, gradient of x", "op_bwd_w.dy": "dy_gradient"}
    op = function(IN_PLACE_STAGES, ("op_bwd_x", "op_bwd_w"), parameters=asked)
    run = {"y_shape": 4, "dw_shape": 4, "grid": 1, "block": 4}
    run |= {
        f"{kernel}_{name}": run[name] for kernel in ("op_bwd_x", "op_bwd_w") for name in ("grid", "block")
    }
    x, w = mx.ones((4,)), mx.ones((4,))
    dx, dw = mx.grad(lambda x, w: op(x, w, **run).sum(), argnums=(0, 1))(x, w)
    assert (dx.tolist(), dw.tolist()) == ([3.0] * 4, [6.0] * 4)


def test_names_that_python_has_taken() -> None:
    text = SQUARE.replace("float* dx", "float* lambda").replace("dx[i]", "lambda[i]")
    op, x = function(text, parameters={"lambda_": "gradient of x"}), mx.array([1.0, 2.0, 3.0])
    got = mx.grad(lambda x: op(x, 3, **LAUNCH, y_shape=3, lambda_shape=3).sum())(x)
    assert got.tolist() == [2, 4, 6]


def test_a_kernel_named_like_its_parameter() -> None:
    text = SQUARE.replace("const float* x", "const float* op_fwd").replace("x[i] * x[i]", "op_fwd[i]")
    with pytest.raises(GradientError, match="op_fwd is the name of a kernel and of a parameter"):
        function(text.replace("2 * x[i]", "2 * op_fwd[i]"), parameters={"dx": "gradient of op_fwd"})


# An array, an output and a gradient that the kernels could do without.
MASKED = """
__global__ void op_fwd(const float* x, const float* bias, float* y, float* mask, int n) {
  I;
  if (i >= n) return;
  float v = x[i] + (bias ? bias[i] : 0);
  y[i] = v > 0 ? v : 0;
  if (mask) mask[i] = v > 0;
}
__global__ void op_bwd(const float* dy, const float* mask, float* dx, float* dbias, int n) {
  I;
  if (i >= n) return;
  dx[i] = dy[i] * mask[i];
  if (dbias) dbias[i] = dy[i] * mask[i];
}
"""


def test_arrays_that_may_be_null_are_all_taken() -> None:
    x, bias = mx.array([1.0, -2.0, 3.0]), mx.array([0.5, 0.5, -4.0])
    shapes = {f"{name}_shape": 3 for name in ("y", "mask", "dx", "dbias")}
    op = function(MASKED)
    found = mx.grad(lambda x, bias: op(x, bias, 3, **LAUNCH, **shapes).sum(), argnums=(0, 1))(x, bias)
    assert [each.tolist() for each in found] == [[1, 0, 0], [1, 0, 0]]


@pytest.mark.parametrize(
    ("text", "command"),
    [
        (SQUARE, ("ruff", "check", "--no-cache")),
        (MASKED, ("ruff", "check", "--no-cache")),
        (MASKED, ("mypy", "--strict", "--cache-dir", "/dev/null")),
    ],
)
def test_the_emitted_text_is_clean(tmp_path: Path, text: str, command: tuple[str, ...]) -> None:
    kernels = translate(SourceFile("op.cu", text.replace("I;", "int i = threadIdx.x;"))).kernels
    interfaces = [k.interface for k in kernels if k.interface is not None]
    made = match(interfaces[0], interfaces[1:], GradientRequest("op_fwd", ("op_bwd",)))
    assert isinstance(made, Gradient)
    path = tmp_path / "op_mlx.py"
    path.write_text(emit_module(interfaces, "op.cu", [made]))
    run = subprocess.run(
        [sys.executable, "-m", *command, str(path)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
