"""A kernel's text as an operation of MLX's: what MLX is handed, in which order, and what comes back."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

mx = pytest.importorskip("mlx.core")

from cu2mlx.runtime.cuda import mlx_operation, nvrtc  # noqa: E402
from cu2mlx.runtime.cuda.mlx_entry import compile_entry, entry  # noqa: E402
from cu2mlx.runtime.cuda.mlx_operation import Changed, Fresh, MlxOperation  # noqa: E402
from cu2mlx.runtime.cuda.nvrtc import Cubin  # noqa: E402
from cu2mlx.runtime.protocol import KernelText, Launch, Value  # noqa: E402

CUDA = KernelText("cuda", "__global__ void f(float a, float* x, const short* y, float* z) {}", "f")
MSL = KernelText(
    "msl",
    "[[kernel]] void f(const device float* x [[buffer(0)]], const constant int& n [[buffer(1)]], "
    "const constant int* m [[buffer(2)]], device float* y [[buffer(3)]]) {}",
    "f",
)
LAUNCH = Launch((3, 2, 1), (32, 4, 1), 64)


class FakeMlx:
    """Stands in for precompiled_cuda_kernel: notes each call, and gives arrays of ones."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []

    def __call__(self, **call: Any) -> "list[mx.array]":
        self.calls.append(call)
        if call["name"].startswith("copy"):
            return [mx.array(call["inputs"][0])]
        return [
            mx.ones(shape, dtype)
            for shape, dtype in zip(call["output_shapes"], call["output_dtypes"], strict=True)
        ]


@pytest.fixture
def mlx(monkeypatch: pytest.MonkeyPatch) -> FakeMlx:
    fake = FakeMlx()
    monkeypatch.setattr(mx.fast, "precompiled_cuda_kernel", fake)
    monkeypatch.setattr(mlx_operation, "_entry", lambda kernel, kinds, threads: Cubin(b"", kernel.entry))
    return fake


def test_what_mlx_gets(mlx: FakeMlx) -> None:
    y = mx.array([5], mx.int16)
    half = Value(np.float16(1.5).tobytes())
    made = MlxOperation(CUDA)([half, Fresh((4, 2), mx.float32), y, Fresh((3,), mx.float32)], LAUNCH)
    (call,) = mlx.calls
    assert call["inputs"] == [y] and call["scalars"] == [0x3E00]
    assert call["output_shapes"] == [(4, 2), (3,)]
    assert call["grid"] == (96, 8, 1), "in threads"
    assert call["threadgroup"] == (32, 4, 1) and call["shared_memory"] == 64
    assert [each.shape for each in made] == [(4, 2), (3,)]


def test_what_is_changed_is_a_copy_read_after_the_kernel(mlx: FakeMlx) -> None:
    x = mx.array([1.0, 2.0])
    made = MlxOperation(CUDA)([Value(bytes(4)), Changed(x), x, Fresh((1,), mx.float32)], LAUNCH)
    copy, kernel = mlx.calls
    assert copy["inputs"] == [x] and copy["scalars"] == [2, 0], "64-bit counts are two words"
    assert [id(each) for each in kernel["inputs"]] == [id(kernel["inputs"][0])] * 2, "one array is one buffer"
    assert kernel["inputs"][0] is not x
    assert kernel["output_shapes"] == [(1,), (1,)], "one output more, for the order"
    assert [each.tolist() for each in made] == [[1.0, 2.0], [1.0]]


def test_nothing_of_no_size_is_handed_over(mlx: FakeMlx) -> None:
    nothing = mx.zeros((0, 3))
    arguments = [Value(bytes(4)), Changed(nothing), nothing.astype(mx.int16), Fresh((2, 0), mx.float16)]
    made = MlxOperation(CUDA)(arguments, LAUNCH)
    assert all(each.size == 1 for each in mlx.calls[-1]["inputs"])
    assert mlx.calls[-1]["output_shapes"][0] == (1,)
    assert [(each.shape, each.dtype) for each in made] == [((0, 3), mx.float32), ((2, 0), mx.float16)]


def test_msl_values_go_by_value_only_to_references(mlx: FakeMlx) -> None:
    n = Value(np.int32(-1).tobytes())
    MlxOperation(MSL)([mx.zeros(3), n, n, Fresh((3,), mx.float32)], LAUNCH)
    (call,) = mlx.calls
    assert call["scalars"] == [-1]
    assert call["inputs"][1].tolist() == [255] * 4, "a pointer gets a small array"
    MlxOperation(MSL)([mx.zeros(3), mx.array(3), n, Fresh((3,), mx.float32)], LAUNCH)
    assert len(mlx.calls[1]["inputs"]) == 3 and mlx.calls[1]["scalars"] == [], (
        "an array is read where it lies"
    )


@pytest.mark.parametrize(
    ("launch", "message"),
    [
        (Launch((1 << 30, 1, 1), (4, 1, 1)), "MLX launches 1 to 2147483647"),
        (Launch((0, 1, 1), (4, 1, 1)), "MLX launches 1 to"),
        (Launch((2, 1, 1), (4, 1, 1), threads=(7, 1, 1)), "no multiple of the block"),
    ],
)
def test_launches_that_mlx_cannot_take(mlx: FakeMlx, launch: Launch, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        MlxOperation(CUDA)([], launch)


def test_the_entry_takes_addresses_first() -> None:
    text = entry("e", "f<3>", ["A", "B", "C", "D"], ["out", 6, "changed", 4], 128)
    head, value, other, call = text.split("\n")[1:5]
    assert "launch_bounds(128)" in head
    assert head.partition(" e(")[2] == (
        "cu2mlx::place<C> a2, cu2mlx::place<A> a0, void* done, int a1_0, int a1_1, int a3_0) {"
    )
    assert value.strip() == "const int a1[] = {a1_0, a1_1};" and "a3[]" in other
    assert call.strip().startswith("f<3>(cu2mlx::argument<A>::at(a0), cu2mlx::value<B>(a1), ")


def _compiles(test: Callable[..., None]) -> Callable[..., None]:
    try:
        nvrtc.load_library()
    except nvrtc.NoNvrtcError as error:
        return pytest.mark.skip(reason=str(error))(test)
    return test


@_compiles
def test_entries_compile(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CU2MLX_CACHE", str(tmp_path))
    text = """struct P { int a; float b[3]; bool c; };
template <typename T, int N> __global__ void __launch_bounds__(64, 2) k(const T* __restrict__ x, P p, T* y, bool f) {
  if (f) y[threadIdx.x] = x[threadIdx.x] * N + p.b[1];
}"""
    kernel = KernelText("cuda", text, "k<float, 3>")
    first = compile_entry(kernel, ["in", 20, "out", 1], 64, "sm_90")
    assert first.symbol.startswith("cu2mlx_") and first.symbol.encode() in first.code
    for kinds, threads in ((["in", 20, "in", 1], 64), (["in", 20, "out", 1], 128)):
        assert compile_entry(kernel, kinds, threads, "sm_90").symbol != first.symbol, "MLX knows it by name"
    for kinds in (["in", 4, "in", "out"], ["in", "in", "in", "out"]):
        assert compile_entry(MSL, kinds, 32, "sm_90").code.startswith(b"\x7fELF")
