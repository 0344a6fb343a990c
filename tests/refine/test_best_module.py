"""best_mlx.py: the module of what a search found, run as its user would."""

import sys
import types
from dataclasses import replace

import pytest
from questions import task

from cu2mlx.refine.best_module import module
from cu2mlx.runtime.cpu.executor import CpuExecutor

pytestmark = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)


def loaded(text: str, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    pytest.importorskip("mlx.core")
    monkeypatch.setenv("CU2MLX_DEVICE", "cpu")
    found = types.ModuleType("best_mlx")
    monkeypatch.setitem(sys.modules, "best_mlx", found)
    exec(compile(text, "best_mlx.py", "exec"), found.__dict__)
    return found


def test_numbers_are_defaults_and_the_launch_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    import mlx.core as mx

    text = module(task(), task().seed.with_numbers({"BLOCK": 128}))
    assert "Launch it with grid = (rows), block = (BLOCK)." in text and "There, BLOCK = 128." in text
    softmax = loaded(text, monkeypatch).softmax_kernel
    x = mx.random.normal((3, 200))
    y = softmax(x, 200, grid=3, block=128, y_shape=(3, 200))
    assert mx.allclose(y, mx.softmax(x, axis=1), atol=1e-6)
    with pytest.raises(ValueError, match="grid"):  # the host code's launches are for other numbers
        softmax(x, 200, y_shape=(3, 200))


def test_the_baseline_keeps_the_launch_of_the_host_code(monkeypatch: pytest.MonkeyPatch) -> None:
    import mlx.core as mx

    saxpy = loaded(module(task("saxpy"), task("saxpy").seed), monkeypatch).saxpy
    x, y = mx.random.normal((1000,)), mx.random.normal((1000,))
    assert mx.allclose(saxpy(1000, 2.0, x, y), 2 * x + y)


def test_another_launch_has_no_cuda_text() -> None:
    """The original would run under it on NVIDIA's GPUs, and be wrong."""
    seed = task("saxpy").seed
    own = replace(seed, grid=("ceildiv(n, 64)",), block=("64",))
    kept, dropped = (module(task("saxpy"), each).count("blockIdx.x") for each in (seed, own))
    assert kept > dropped == 0
    assert "grid = (ceildiv(n, 64)), block = (64)" in module(task("saxpy"), own)
