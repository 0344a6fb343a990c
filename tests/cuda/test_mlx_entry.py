"""The entry that MLX calls, run: compiled by this computer's C++ compiler and called in MLX's order of arguments."""

import ctypes
import itertools
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

mx = pytest.importorskip("mlx.core")

from cu2mlx.runtime.cpu.compiler import find_compiler  # noqa: E402
from cu2mlx.runtime.cuda import mlx_operation  # noqa: E402
from cu2mlx.runtime.cuda.mlx_entry import Kind, entry_unit  # noqa: E402
from cu2mlx.runtime.cuda.mlx_operation import Changed, Fresh, MlxOperation  # noqa: E402
from cu2mlx.runtime.cuda.nvrtc import Cubin  # noqa: E402
from cu2mlx.runtime.protocol import KernelText, Launch, Value  # noqa: E402

# What a text of CUDA without headers needs to be C++.
MACHINE = """#define __device__
#define __forceinline__ inline
#define memcpy __builtin_memcpy
struct Dim { unsigned x, y, z; };
extern "C" { Dim threadIdx, blockIdx, blockDim; }
"""


class Dim(ctypes.Structure):
    _fields_ = (("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint))


@pytest.fixture(autouse=True)
def _on_the_cpu(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Binaries are paths of libraries; launching one calls its entry for each thread."""

    def build(kernel: KernelText, kinds: Sequence[Kind], threads: int) -> Cubin:
        unit, name = entry_unit(kernel, kinds, threads)
        source, library = tmp_path / f"{name}.cpp", tmp_path / f"{name}.so"
        source.write_text(MACHINE + unit)
        flags = ["-std=c++17", "-w", "-shared", "-fPIC", str(source), "-o", str(library)]
        subprocess.run([*find_compiler().command, *flags], check=True)
        return Cubin(str(library).encode(), name)

    monkeypatch.setattr(mlx_operation, "_entry", build)
    monkeypatch.setattr(mx.fast, "precompiled_cuda_kernel", launched)


def launched(
    *,
    name: str,
    compiled_source: bytes,
    inputs: Sequence[Any],
    output_shapes: Sequence[tuple[int, ...]],
    output_dtypes: Sequence[Any],
    scalars: Sequence[int],
    grid: tuple[int, int, int],
    threadgroup: tuple[int, int, int],
    **_: Any,
) -> list[Any]:
    """As MLX passes arguments: the inputs' addresses, the outputs', then scalars of 32 bits."""
    library = ctypes.CDLL(compiled_source.decode())
    made = [mx.zeros(shape, dtype) for shape, dtype in zip(output_shapes, output_dtypes, strict=True)]
    mx.eval(made, list(inputs))
    views = [np.array(array, copy=False) for array in (*inputs, *made)]
    arguments = [ctypes.c_void_p(view.ctypes.data) for view in views] + [
        ctypes.c_int(each) for each in scalars
    ]
    dims = [Dim.in_dll(library, each) for each in ("blockIdx", "threadIdx", "blockDim")]
    dims[2].x, dims[2].y, dims[2].z = threadgroup
    for z, y, x in itertools.product(*(range(size) for size in reversed(grid))):
        for index, size, axis in zip((x, y, z), threadgroup, "xyz", strict=True):
            setattr(dims[0], axis, index // size)
            setattr(dims[1], axis, index % size)
        getattr(library, name)(*arguments)
    return made


def run(text: str, entry: str, arguments: Sequence[Any], launch: Launch) -> list[list[Any]]:
    made = MlxOperation(KernelText("cuda", text, entry))(arguments, launch)
    return [each.tolist() for each in made]


def value(dtype: Any, number: Any) -> Value:
    return Value(np.array(number, dtype).tobytes())


def test_every_argument_arrives() -> None:
    text = """struct P { char a; float b[2]; long long c; };
template <typename T, int N> __global__ void __launch_bounds__(64, 2)
k(bool f, const T* __restrict__ x, T* y, short s, P p, double d, T* __restrict__ z, unsigned char c) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  z[i] = x[i] * N + p.b[1] + (f ? 0.5f : 0);
  y[i] += s + p.c + p.a + d + c;
}"""
    record = np.zeros(
        1, np.dtype({"names": ["a", "b", "c"], "formats": ["i1", "2f4", "i8"], "offsets": [0, 4, 16]})
    )
    record["a"], record["b"], record["c"] = 5, (1, 100), 1 << 33
    x, y = mx.array([1.0, 2.0, 3.0, 4.0]), mx.array([10.0, 20.0, 30.0, 40.0])
    arguments = [
        value(np.bool_, True), x, Changed(y), value(np.int16, -7), Value(record.tobytes()), value(np.float64, 0.25),
        Fresh((2, 2), mx.float32), value(np.uint8, 200),
    ]  # fmt: skip
    changed, fresh = run(text, "k<float, 3>", arguments, Launch((2, 1, 1), (2, 1, 1)))
    assert fresh == [[103.5, 106.5], [109.5, 112.5]]
    assert changed == [float(np.float32(b) + np.float32((1 << 33) + 198.25)) for b in y.tolist()]
    assert y.tolist() == [10, 20, 30, 40], "arrays of MLX never change"


def test_an_array_given_twice_is_one_buffer() -> None:
    text = "__global__ void k(const int* x, int* y) { y[threadIdx.x + 1] = x[threadIdx.x] + 1; }"
    x = mx.zeros((5,), mx.int32)
    assert run(text, "k", [x, Changed(x)], Launch((1, 1, 1), (4, 1, 1))) == [[0, 1, 2, 3, 4]]


def test_dimensions() -> None:
    text = """__global__ void k(int* x) {
  x[(blockIdx.y * blockDim.y + threadIdx.y) * 4 + blockIdx.x * blockDim.x + threadIdx.x] = 10 * blockIdx.y + threadIdx.x;
}"""
    (x,) = run(text, "k", [Fresh((2, 4), mx.int32)], Launch((2, 2, 1), (2, 1, 1)))
    assert x == [[0, 1, 0, 1], [10, 11, 10, 11]]
