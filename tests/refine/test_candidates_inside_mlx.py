"""Candidates and originals as operations of MLX's CUDA back end, with the CPU machine in the GPU's place."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from questions import task

from cu2mlx.refine.arena import MlxArena
from cu2mlx.refine.evaluate.binding import bind
from cu2mlx.refine.evaluate.device import NOT_A_NUMBER, TimedDevice
from cu2mlx.refine.evaluate.mlx_device import MlxLauncher
from cu2mlx.refine.evaluate.mlx_operation import arrays_of, cuda_operation, from_mlx, original_operation
from cu2mlx.refine.evaluate.oracle import Oracle
from cu2mlx.refine.measure import measure_shapes
from cu2mlx.refine.task import Task
from cu2mlx.runtime.compare import compare_outputs, render, tolerances
from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.inputs import Inputs, make_inputs
from cu2mlx.runtime.protocol import KernelText, Launch, Status, Value

mx = pytest.importorskip("mlx.core")
pytestmark = pytest.mark.skipif(CpuExecutor().unavailable() is not None, reason="no C++ compiler")


@dataclass(frozen=True)
class OnTheCpu:
    """cu2mlx.runtime.cuda.mlx_operation.MlxOperation: the same constructor, the same call."""

    kernel: KernelText

    def __call__(
        self, arguments: Sequence[Any], launch: Launch, *, init_value: float | None = None
    ) -> list[Any]:
        from cu2mlx.runtime.cuda.mlx_operation import Changed, Fresh

        given: list[np.ndarray[Any, Any] | Value] = []
        outputs = []
        for each in arguments:
            if isinstance(each, Fresh):
                bits = mx.full(each.shape, 0 if init_value is not None else 85).astype(each.dtype)
                outputs.append((len(given), each.dtype))
                given.append(from_mlx(bits).copy())
            elif isinstance(each, Changed):
                outputs.append((len(given), each.array.dtype))
                given.append(from_mlx(each.array).copy())
            else:
                given.append(each if isinstance(each, Value) else from_mlx(each).copy())
        outcome = CpuExecutor().load(self.kernel).run(given, launch)
        assert outcome.status is Status.OK, outcome.message
        return [
            mx.array(given[at]).view(dtype) if dtype == mx.bfloat16 else mx.array(given[at])
            for at, dtype in outputs
        ]


@pytest.fixture(autouse=True)
def on_the_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cu2mlx.runtime.cuda.mlx_operation.MlxOperation", OnTheCpu)
    monkeypatch.setattr("cu2mlx.refine.evaluate.mlx_timing.MOST_CALLS", 1)
    monkeypatch.setattr("cu2mlx.refine.evaluate.device.ROTATED_BYTES", 1)
    monkeypatch.setattr("cu2mlx.refine.arena.COPIED_BYTES", 1 << 16)
    monkeypatch.setattr("cu2mlx.refine.roofline.PROBE_BLOCKS", 1)


def assert_right(task: Task, data: Inputs, outputs: dict[str, Any]) -> None:
    expected = Oracle().outputs(task, data)
    comparison = compare_outputs(expected, outputs, data.dtypes, tolerances(task.spec, data.dtypes))
    assert comparison.same, render(comparison)


# out; read and written by one thread; by anyone; only added to; several kernels, scratch memory, bfloat16
@pytest.mark.parametrize(
    "name", ["softmax", "saxpy", "rms_norm", "block_sum", "attention_decode", "mamba1_scan"]
)
def test_a_candidate_and_the_original(name: str) -> None:
    chosen = task(name)
    for case in (chosen.spec.cases[0], chosen.spec.cases[2]):
        data = make_inputs(chosen.spec, case, 7)
        if 0 in data.launch.grid:
            continue
        bound = bind(chosen, data, fill=NOT_A_NUMBER)
        made = cuda_operation(chosen, chosen.seed, case, bound)(arrays_of(data))
        for buffer, array in bound.written.items():
            array[...] = from_mlx(made[buffer]).view(array.dtype).reshape(array.shape)
        assert_right(chosen, data, bound.results())
        made = original_operation(chosen, data)(arrays_of(data))
        assert_right(chosen, data, {output: from_mlx(made[output]) for output in chosen.spec.outputs})


@pytest.mark.parametrize("name", ["attention_decode", "histogram", "int4_gemv"])
def test_arrays_are_the_data_bit_by_bit(name: str) -> None:
    """They are copies, and poison is a NaN of its own."""
    for case in task(name).spec.cases:
        data = make_inputs(task(name).spec, case, 3)
        for buffer, array in arrays_of(data).items():
            assert from_mlx(array).tobytes() == data.buffers[buffer].tobytes(), buffer
            assert array.shape == data.buffers[buffer].shape


def test_the_original_has_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    device = TimedDevice(MlxLauncher("no GPU", dict, None), Oracle(), pairs=2)
    monkeypatch.setattr("cu2mlx.refine.measure.arena", lambda device: MlxArena(device, None, None))
    step = task("mamba1_scan/step.toml")
    small = replace(step, timed=step.shown[1:2])
    (shape,) = measure_shapes(small, step.seed.with_numbers({"LANES": 2}), device)
    names = [row.name for row in shape.rows]
    assert names[:3] == ["candidate", "naive translation", "CUDA original"] and len(names) == 5
