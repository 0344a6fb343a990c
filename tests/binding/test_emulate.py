"""Emitted modules on the CPU machine, against what their kernels mean."""

import interfaces
import pytest
from test_module import load

mx = pytest.importorskip("mlx.core")

from cu2mlx.runtime.cpu.executor import CpuExecutor  # noqa: E402
from cu2mlx.runtime.emulate import metal_kernel  # noqa: E402
from cu2mlx.runtime.protocol import CompileError  # noqa: E402

pytestmark = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)


@pytest.fixture(autouse=True)
def _on_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CU2MLX_DEVICE", "cpu")


def test_vector_add() -> None:
    vector_add = load(interfaces.VECTOR_ADD).vector_add
    a, b = mx.random.normal((1000,)), mx.random.normal((1000,))
    assert mx.array_equal(vector_add(a, b, 1000), a + b)
    assert mx.array_equal(vector_add(a, b, 1000, block=96), a + b)
    assert mx.array_equal(vector_add(a[:3], b[:3], 3), (a + b)[:3])
    assert mx.array_equal(
        vector_add(a.reshape(10, 100).T, b, 1000, c_shape=(100, 10)).flatten(),
        a.reshape(10, 100).T.flatten() + b,
    )


@pytest.mark.parametrize("dtype", [mx.float32, mx.float16, mx.bfloat16])
def test_saxpy_keeps_what_it_does_not_touch(dtype: "mx.Dtype") -> None:
    x, y = (mx.random.normal((300,)).astype(dtype) for _ in range(2))
    got = load(interfaces.SAXPY).saxpy(200, 2.0, x, y, grid=3, block=128)
    assert got.dtype == dtype
    assert mx.allclose(got[:200], (2 * x + y)[:200], rtol=1e-2, atol=1e-2)
    assert mx.array_equal(got[200:], y[200:])


def test_vectors() -> None:
    x = mx.arange(64).astype(mx.float32)
    got = load(interfaces.SCALE4).scale4(x, (1, 2, 3, 4), grid_shape=(16, 4), grid=2, block=8)
    assert mx.array_equal(got, x.reshape(16, 4) * mx.array([1.0, 2.0, 3.0, 4.0]))


def test_unwritten_elements() -> None:
    vector_add = load(interfaces.VECTOR_ADD).vector_add
    a = mx.ones((8,))
    assert mx.isnan(vector_add(a, a, 4, c_shape=8)[4:]).all()
    assert vector_add(a, a, 4, c_shape=8, init_value=0).tolist() == [2.0] * 4 + [0.0] * 4


def test_shape_arguments_of_a_hand_written_kernel() -> None:
    kernel = metal_kernel(
        "shapes",
        ["a"],
        ["c"],
        "c[0] = a_shape[0]; c[1] = a_shape[1]; c[2] = a_strides[0]; c[3] = a_strides[1]; c[4] = a_ndim;"
        "c[5] = thread_position_in_grid.x;",
    )
    (c,) = kernel(
        inputs=[mx.zeros((3, 5))],
        output_shapes=[(6,)],
        output_dtypes=[mx.int32],
        grid=(1, 1, 1),
        threadgroup=(64, 1, 1),
    )
    assert c.tolist() == [3, 5, 5, 1, 2, 0]


def test_the_names_of_metal_need_no_qualification() -> None:
    kernel = metal_kernel(
        "names",
        ["a"],
        ["c"],
        "threadgroup_barrier(mem_flags::mem_none); c[0] = fmax(a[0], float(bfloat16_t(2)));",
    )
    (c,) = kernel(
        inputs=[mx.array([1.0])],
        output_shapes=[(1,)],
        output_dtypes=[mx.float32],
        grid=(1, 1, 1),
        threadgroup=(1, 1, 1),
    )
    assert c.tolist() == [2.0]


def test_a_kernel_that_does_not_compile() -> None:
    kernel = metal_kernel("bad", [], ["c"], "c[0] = undeclared;")
    with pytest.raises(CompileError, match="undeclared"):
        kernel(
            inputs=[], output_shapes=[(1,)], output_dtypes=[mx.int32], grid=(1, 1, 1), threadgroup=(1, 1, 1)
        )
