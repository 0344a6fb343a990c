"""What the Metal executor does before and after the GPU."""

import os
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cu2mlx.runtime.isolate import Program
from cu2mlx.runtime.metal import MetalExecutor, executor, packing
from cu2mlx.runtime.metal.executor import MetalKernel, merge
from cu2mlx.runtime.metal.worker import serve
from cu2mlx.runtime.protocol import CompileError, KernelText, Launch, Outcome, Status, Value

mx = pytest.importorskip("mlx.core")

TEXT = """template <typename T, int N>
[[kernel]] void scale(
  const device float* x [[buffer(0)]],
  const constant float& a [[buffer(1)]],
  const constant bool& flip [[buffer(2)]],
  device bfloat16_t* y [[buffer(3)]],
  uint3 thread_position_in_grid [[thread_position_in_grid]]) {
uint i = thread_position_in_grid.x;
y[i] = bfloat16_t((flip ? -a : a) * x[i] * N);
}

template [[host_name("scale")]] [[kernel]] decltype(scale<float, 3>) scale<float, 3>;
"""
KERNEL = KernelText("msl", TEXT, "scale")


def loaded() -> MetalKernel:
    kernel = MetalExecutor().load(KERNEL)
    assert isinstance(kernel, MetalKernel)
    return kernel


def test_the_call_of_mlx() -> None:
    x = np.arange(8, dtype=np.float32).view(np.uint8)
    y = np.zeros(8, np.uint16)
    arguments = [x, Value(np.float32(2).tobytes()), Value(b"\1"), y]
    call = loaded().call(arguments, Launch((2, 1, 1), (4, 1, 1)))
    assert call["grid"] == (8, 1, 1) and call["threadgroup"] == (4, 1, 1)
    assert call["template"] == [("T", mx.float32), ("N", 3)]
    first, a, flip = call["inputs"]
    assert first.dtype == mx.float32 and first.tolist() == list(range(8))
    assert a.shape == () and a.item() == 2.0
    assert flip.dtype == mx.bool_ and flip.item() is True
    assert call["output_shapes"] == [(8,)] and call["output_dtypes"] == [mx.bfloat16]


def test_the_text_that_mlx_makes_of_it() -> None:
    kernel = loaded()
    assert [each.name for each in kernel.bound.inputs] == ["x", "a", "flip"]
    assert kernel.bound.outputs[0].dtype == "bfloat16"
    assert kernel.bound.body.startswith("uint i = ") and kernel.bound.body.endswith("* N);")
    assert callable(kernel.kernel())


def test_bits_there_and_back() -> None:
    for dtype in ("float16", "bfloat16", "uint8", "int64", "bool"):
        data = np.array([0, 1, 1, 0, 1, 0, 0, 1], np.uint8)
        assert packing.stored(packing.elements(data, dtype)) == data.tobytes()
    with pytest.raises(ValueError, match="no whole number"):
        packing.elements(np.zeros(6, np.uint8), "float32")


def test_limits() -> None:
    with pytest.raises(ValueError, match="2048 threads; Metal takes 1024"):
        packing.threads_of(Launch((1, 1, 1), (2048, 1, 1)))
    with pytest.raises(ValueError, match="2\\^32"):
        packing.threads_of(Launch((1 << 24, 1, 1), (1024, 1, 1)))
    assert packing.threads_of(Launch((4, 1, 1), (8, 1, 1), threads=(27, 1, 1))) == ((27, 1, 1), (8, 1, 1))
    with pytest.raises(ValueError, match="3 arguments for 4 buffers"):
        loaded().run([np.zeros(8, np.float32)] * 3, Launch((1, 1, 1), (8, 1, 1)))
    with pytest.raises(ValueError, match="y is written"):
        loaded().run([np.zeros(8, np.float32)] * 3 + [Value(b"12")], Launch((1, 1, 1), (8, 1, 1)))


def test_what_the_kernel_leaves_alone_keeps_its_value() -> None:
    array = np.array([9, 9, 9], np.float32)
    runs = [np.array(each, np.float32).tobytes() for each in ([5, 0, 7], [5, 1, 7])]
    merge(array, *runs, 4)
    assert array.tolist() == [5, 9, 7]
    assert packing.initial([np.ones(3), np.zeros(2)]) == 0.0
    assert packing.initial([np.ones(3), np.zeros(0)]) is None


def test_a_run_without_metal_is_a_crash_with_mlx_message() -> None:
    if mx.metal.is_available():
        pytest.skip("there is Metal")
    arguments = [
        np.zeros(8, np.float32),
        Value(np.float32(2).tobytes()),
        Value(b"\1"),
        np.zeros(8, np.uint16),
    ]
    outcome = loaded().run(arguments, Launch((1, 1, 1), (8, 1, 1)))
    assert outcome.status is Status.CRASH and "No Metal back-end" in outcome.message


def test_mlx_ending_its_process_is_an_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    """MLX throws where nobody catches: what it said on stderr tells how the kernel failed."""
    arguments = [
        np.zeros(8, np.float32),
        Value(np.float32(2).tobytes()),
        Value(b"\1"),
        np.zeros(8, np.uint16),
    ]

    def run(said: str) -> Outcome:
        script = f"read folder; printf '%s' {shlex.quote(said)} > $folder/said; kill -ABRT $$"
        monkeypatch.setattr(executor, "_worker", lambda: Program(["sh", "-c", script]))
        return loaded().run(arguments, Launch((1, 1, 1), (8, 1, 1)))

    abort = "libc++abi: terminating due to uncaught exception of type std::runtime_error: "
    timeout = "[METAL] Command buffer execution failed: Caused GPU Timeout Error (00000002:kIOGPUCommandBufferCallbackErrorTimeout)"
    assert run(abort + timeout).status is Status.TIMEOUT
    assert "SIGABRT" in run("").message
    compiler = "mlx/backend/metal/kernels/utils.h:473:22: error: use of undeclared identifier 'flipp'"
    source = "y[i] = bfloat16_t((flip ? -a : a) * x[i] * N);"
    with pytest.raises(CompileError, match=r"kernel\.metal:9:22: error"):
        run(
            f"{abort}[metal::Device] Unable to build metal library from source\n{compiler}\n{source}\n      ^\n"
        )


def test_what_the_worker_leaves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker that runs in this process: the arrays come back, and a request is served whole."""
    y = np.zeros(8, np.uint16)
    arguments = [np.ones(8, np.float32), Value(np.float32(2).tobytes()), Value(b"\1"), y]

    def evaluated(kernel: MetalKernel, given: list[Any], launch: Launch) -> Outcome:
        assert kernel == loaded() and launch.block == (8, 1, 1)
        given[3][...] = 7
        return Outcome(Status.OK, seconds=0.5)

    class Here:
        def send(self, line: str) -> None:
            stderr = os.dup(2)
            serve(Path(line))
            os.dup2(stderr, 2)

        def receive_line(self, deadline: float) -> str:
            return "done"

    monkeypatch.setattr(MetalKernel, "evaluated", evaluated)
    monkeypatch.setattr(executor, "_worker", Here)
    assert loaded().run(arguments, Launch((1, 1, 1), (8, 1, 1))).seconds == 0.5
    assert y.tolist() == [7] * 8


def test_what_it_refuses() -> None:
    with pytest.raises(ValueError, match="original CUDA"):
        MetalExecutor().load(KernelText("cuda", "__global__ void f() {}", "f"))
    with pytest.raises(ValueError, match="checked mode"):
        MetalExecutor().load(KERNEL, checked=True)
    with pytest.raises(CompileError, match="function constants"):
        MetalExecutor().load(KernelText("msl", TEXT, "scale", ((0, "true"),)))


def test_it_says_why_it_cannot_run() -> None:
    reason = MetalExecutor().unavailable()
    assert (reason is None) == mx.metal.is_available()
    assert reason is None or "Apple silicon" in reason
