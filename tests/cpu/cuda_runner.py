"""Run small CUDA kernels on the CPU machine."""

from typing import Any

import numpy as np

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.protocol import KernelText, Launch, Status, Value

Array = np.ndarray[Any, Any]
EXECUTOR = CpuExecutor(threads=2)


def run(
    text: str,
    *arguments: Array | np.generic,
    entry: str = "k",
    block: int | tuple[int, int, int] = 32,
    grid: int | tuple[int, int, int] = 1,
    shared: int = 0,
) -> str:
    """Run once and return what the kernel printed; arrays are updated in place, numpy scalars go by value."""
    launch = Launch(
        (grid, 1, 1) if isinstance(grid, int) else grid,
        (block, 1, 1) if isinstance(block, int) else block,
        shared,
    )
    passed = [a if isinstance(a, np.ndarray) else Value(a.tobytes()) for a in arguments]
    outcome = EXECUTOR.load(KernelText("cuda", text, entry)).run(passed, launch)
    assert outcome.status is Status.OK, outcome
    return outcome.output


def elementwise(types: tuple[str, str], body: str, inputs: list[Array], out: Any, headers: str = "") -> Array:
    """`out[i] = body` for arrays a, b, c of types[0] and results of types[1]."""
    names = "abc"[: len(inputs)]
    parameters = "".join(f"const {types[0]}* {n}_, " for n in names)
    locals_ = "".join(f"const {types[0]} {n} = {n}_[i]; " for n in names)
    text = (
        f"{headers}\n__global__ void k({parameters}{types[1]}* out, int n) {{\n"
        f"  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) {{ {locals_} out[i] = {body}; }}\n}}\n"
    )
    n = len(inputs[0])
    result = np.zeros(n, out)
    run(text, *inputs, result, np.int32(n), block=256, grid=-(-n // 256))
    return result


def each(
    types: tuple[str, str], rows: list[tuple[str, list[Any]]], inputs: Any, out: Any, headers: str = ""
) -> Array:
    """One result per row (expression, operands), compiled at once; a, b, c are the operands, of types[0]."""
    columns = max(len(operands) for _, operands in rows)
    padded = np.array(
        [[*operands, *operands[:1] * (columns - len(operands))] for _, operands in rows]
    ).astype(inputs)
    names = "abc"[:columns]
    cases = "\n".join(
        f"    case {j}: out[i] = {expression}; break;" for j, (expression, _) in enumerate(rows)
    )
    locals_ = "".join(f"const {types[0]} {n} = in[{columns} * i + {j}]; " for j, n in enumerate(names))
    text = (
        f"{headers}\n__global__ void k(const {types[0]}* in, {types[1]}* out) {{\n"
        f"  int i = blockIdx.x; {locals_}\n  switch (i) {{\n{cases}\n  }}\n}}\n"
    )
    result = np.zeros(len(rows), out)
    run(text, padded, result, block=1, grid=len(rows))
    return result
