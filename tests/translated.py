"""A small CUDA kernel and its translation, run on the same numpy arrays."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cu2mlx.runtime.check.translation import check_kernel
from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.inputs import Inputs, make_inputs
from cu2mlx.runtime.protocol import Executor, KernelText, Launch, Status, Value
from cu2mlx.runtime.spec import Case, Spec
from cu2mlx.runtime.spec.expression import parse
from cu2mlx.runtime.spec.model import Argument, Buffer, Initialiser, Scalar
from cu2mlx.runtime.verify.case import PREAMBLE
from cu2mlx.runtime.verify.kernel import kernel_of
from cu2mlx.runtime.verify.original import original_call
from cu2mlx.runtime.verify.packing import instance_of, pack, results
from cu2mlx.transpiler.binding.interface import Role
from cu2mlx.transpiler.diagnostics import Severity
from cu2mlx.transpiler.kernels import TranslatedKernel
from cu2mlx.transpiler.pipeline import Translation, translate
from cu2mlx.transpiler.source import SourceFile

Array = np.ndarray[Any, Any]
Arguments = Mapping[str, Array | np.generic]
CPU: Executor = CpuExecutor(threads=2)


class Both(NamedTuple):
    """Every buffer after the run of the original and after that of the translation."""

    original: dict[str, Array]
    translated: dict[str, Array]


def translated_kernel(cuda: str, entry: str) -> tuple[Translation, TranslatedKernel]:
    """The kernel, translated and type-checked. Raises AssertionError with the diagnostics otherwise."""
    translation = translate(SourceFile("kernel.cu", cuda))
    kernel = kernel_of(translation, entry)
    assert kernel is not None, f"no kernel {entry}"
    errors = [f"line {d.span.line}: {d.message}" for d in kernel.diagnostics if d.severity is Severity.ERROR]
    assert kernel.interface is not None, "\n".join(errors)
    checked = check_kernel(translation, kernel)
    assert not checked.diagnostics, [d.message for d in checked.diagnostics]
    return translation, checked.kernel


def run_both(
    cuda: str,
    arguments: Arguments,
    block: int,
    grid: int = 1,
    *,
    shared: int = 0,
    entry: str = "k",
    on: tuple[Executor, Executor] = (CPU, CPU),
    dtypes: Mapping[str, str] | None = None,
    fresh: bool = False,
) -> Both:
    """Run the kernel `entry` and its translation; arrays are pointers, numpy scalars go by value.

    `fresh`: outputs that are written only start with every bit set, as MLX's may, not with what the array holds.

    `dtypes` names element types that numpy has not got: {"x": "bfloat16"} for an array of uint16 bits. `on`:
    the executors of the original and of the translation.
    """
    translation, kernel = translated_kernel(cuda, entry)
    assert kernel.interface is not None
    launch = Launch((grid, 1, 1), (block, 1, 1), shared)
    given = _inputs(entry, arguments, launch, dtypes or {})
    expected = given.copy()
    call = original_call(kernel, expected)
    _run(on[0], call.text, call.arguments, launch)
    instance = instance_of(kernel.interface, given.resolved, translation.unit.text, narrow=False)
    packed = pack(kernel.interface, instance, given)
    for buffer, made in packed.outputs.values() if fresh else ():
        if buffer.parameter.role is Role.OUT:
            made[...] = 0xFF
    text = KernelText("msl", PREAMBLE + packed.text, packed.entry)
    _run(on[1], text, packed.arguments, Launch((grid, 1, 1), (block, 1, 1)))
    written, _ = results(packed, given, True)
    return Both(dict(expected.buffers), {**given.buffers, **written})


def _run(executor: Executor, text: KernelText, arguments: Sequence[Array | Value], launch: Launch) -> None:
    outcome = executor.load(text).run(arguments, launch)
    assert outcome.status is Status.OK, (text.language, outcome.status, outcome.message, outcome.faults)


def _inputs(entry: str, arguments: Arguments, launch: Launch, dtypes: Mapping[str, str]) -> Inputs:
    described = tuple(_argument(name, given, dtypes) for name, given in arguments.items())
    case = Case("", (), (), ())
    spec = Spec(
        path="",
        kernel=entry,
        description="",
        source=None,
        includes=(),
        records=(),
        reference=None,
        operation="exact",
        let=(),
        arguments=described,
        grid=tuple(parse(str(n)) for n in launch.grid),
        block=tuple(parse(str(n)) for n in launch.block),
        shared=parse(str(launch.shared_bytes)),
        cases=(case,),
        tolerances=(),
        optimize={},
    )
    inputs = make_inputs(spec, case)
    for name, buffer in inputs.buffers.items():
        buffer[...] = arguments[name]
    return inputs


def _argument(name: str, given: Array | np.generic, dtypes: Mapping[str, str]) -> Argument:
    dtype = dtypes.get(name, given.dtype.name)
    if isinstance(given, np.ndarray):
        shape = tuple(parse(str(n)) for n in given.shape)
        return Buffer(name, dtype, shape, Initialiser("zeros"), output=True)
    return Scalar(name, dtype, (parse(str(given.item())),))
