"""What the CUDA executor does around the GPU; with one, kernels run."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cu2mlx.runtime.cuda import worker
from cu2mlx.runtime.cuda.executor import CudaExecutor, CudaKernel, MlxKernel, read_back, write
from cu2mlx.runtime.cuda.mlx_operation import MlxOperation
from cu2mlx.runtime.cuda.nvrtc import Cubin
from cu2mlx.runtime.protocol import KernelText, Launch, Status, Value

REASON = CudaExecutor().unavailable()


def test_it_says_what_is_missing() -> None:
    assert REASON is None or "NVRTC" in REASON or "NVIDIA" in REASON


def test_arguments_go_through_a_file(tmp_path: Path) -> None:
    path = tmp_path / "memory"
    x, fixed = np.arange(3, dtype=np.float32), np.arange(5, dtype=np.int16)
    fixed.flags.writeable = False
    fields, places = write(path, [x, Value(b"\1\2"), fixed, x], frozenset(), values_in_memory=False)
    assert fields[1] == {"hex": "0102"}
    assert fields[0] == fields[3] == {"at": 0, "size": 12, "written": True}, (
        "an array given twice is one buffer"
    )
    assert fields[2]["at"] % 256 == 0 and fields[2]["size"] == 10 and not fields[2]["written"]
    assert len(places) == 1, "what cannot be written is not read back"
    with path.open("r+b") as file:
        file.write(np.float32(7).tobytes())
    read_back(path, places)
    assert x.tolist() == [7, 1, 2]


def test_msl_values(tmp_path: Path) -> None:
    path = tmp_path / "memory"
    arguments = [Value(b"\1\0\0\0"), Value(bytes(8))]
    fields, _ = write(path, arguments, frozenset({0}), values_in_memory=True)
    assert fields[0] == {"hex": "01000000"}, "a const reference goes by value"
    assert fields[1] == {"at": 0, "size": 8, "written": False}, "a buffer that holds a value stays a buffer"


@pytest.mark.parametrize(
    "kernel", [CudaKernel(Cubin(b"", "f"), "msl", frozenset()), MlxKernel(KernelText("msl", "", "f"))]
)
def test_partial_blocks_are_refused(kernel: CudaKernel | MlxKernel) -> None:
    with pytest.raises(ValueError, match="no multiple of the block"):
        kernel.run([], Launch((2, 1, 1), (32, 1, 1), threads=(40, 1, 1)))


def test_the_worker_runs_kernels_inside_mlx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mx = pytest.importorskip("mlx.core")

    def doubled(operation: MlxOperation, arguments: Sequence[Any], launch: Launch) -> list[Any]:
        read, changed, value = arguments
        assert operation.kernel == KernelText("cuda", "text", "f", ((3, "true"),))
        assert launch == Launch((1, 1, 1), (2, 1, 1), 64) and value == Value(b"\1\2")
        return [changed.array * 2 + read[:2]]

    monkeypatch.setattr(MlxOperation, "__call__", doubled)
    x, fixed = np.array([3, 4], np.uint8), np.array([1, 1, 9], np.uint8)
    fixed.flags.writeable = False
    fields, places = write(tmp_path / "m", [fixed, x, Value(b"\1\2")], frozenset(), values_in_memory=False)
    seconds = worker.run_in_mlx({
        "kernel": ["cuda", "text", "f", [[3, "true"]]], "grid": [1, 1, 1], "block": [2, 1, 1], "shared": 64,
        "memory": str(tmp_path / "m"), "arguments": fields,
    })  # fmt: skip
    read_back(tmp_path / "m", places)
    assert x.tolist() == [7, 9] and seconds > 0 and mx is not None


@pytest.mark.skipif(REASON is None, reason="there is a GPU")
def test_the_worker_answers_without_a_driver() -> None:
    command = [sys.executable, "-m", "cu2mlx.runtime.cuda.worker"]
    ran = subprocess.run(command, input='{"do": "describe"}\n', capture_output=True, text=True, check=False)
    answer = json.loads(ran.stdout) if ran.stdout else {}
    assert "unavailable" in answer or "name" in answer


@pytest.mark.skipif(REASON is not None, reason=str(REASON))
@pytest.mark.parametrize("driver_only", [False, True], ids=["inside MLX", "through the driver"])
def test_a_kernel_runs_and_a_crash_stays_outside(driver_only: bool) -> None:
    executor = CudaExecutor(driver_only)
    add = executor.load(KernelText("cuda", "__global__ void f(int* x, int n) { x[threadIdx.x] += n; }", "f"))
    x = np.arange(32, dtype=np.int32)
    assert add.run([x, Value(np.int32(5).tobytes())], Launch((1, 1, 1), (32, 1, 1))).status is Status.OK
    assert x.tolist() == list(range(5, 37))
    bad = executor.load(KernelText("cuda", "__global__ void f(int* x) { *(int*)8 = 1; }", "f"))
    assert bad.run([x], Launch((1, 1, 1), (1, 1, 1))).status is Status.CRASH
    assert add.run([x, Value(np.int32(1).tobytes())], Launch((1, 1, 1), (32, 1, 1))).status is Status.OK
