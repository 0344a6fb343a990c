"""Short ways to run a kernel on the CPU machine in tests."""

from typing import Any

import numpy as np

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.protocol import KernelText, Launch, Outcome, Status, Value

METAL = "#include <metal_stdlib>\nusing namespace metal;\n"
EXECUTOR = CpuExecutor(threads=2)


def value(number: float, dtype: str) -> Value:
    """A scalar argument."""
    return Value(np.array(number, dtype).tobytes())


def run_msl(
    text: str,
    entry: str,
    arguments: list[Any],
    launch: Launch,
    *,
    constants: tuple[tuple[int, str], ...] = (),
    checked: bool = False,
    timeout: float = 60.0,
) -> Outcome:
    """Compile and run a Metal kernel."""
    kernel = EXECUTOR.load(KernelText("msl", text, entry, constants), checked=checked)
    return kernel.run(arguments, launch, timeout=timeout)


def run_cuda(
    text: str,
    entry: str,
    arguments: list[Any],
    launch: Launch,
    *,
    checked: bool = False,
    timeout: float = 60.0,
) -> Outcome:
    """Compile and run a CUDA kernel."""
    kernel = EXECUTOR.load(KernelText("cuda", text, entry), checked=checked)
    return kernel.run(arguments, launch, timeout=timeout)


def ok(outcome: Outcome) -> None:
    assert outcome.status is Status.OK, outcome
