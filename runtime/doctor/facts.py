"""The probes of `cu2mlx doctor`: one function each, in one table."""

import importlib.metadata
import platform
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum

_CUDA = """__global__ void doctor_scale(float* x, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= a;
}
"""
_PACKAGES = (
    "cu2mlx", "mlx", "mlx-metal", "mlx-cpu", "mlx-cuda-12", "mlx-cuda-13", "tree-sitter", "tree-sitter-cuda",
    "libclang", "ziglang", "numpy", "openai",
)  # fmt: skip


class Need(StrEnum):
    """Whether cu2mlx can do its work without it."""

    REQUIRED = "required"
    OPTIONAL = "optional"


@dataclass(frozen=True, slots=True)
class Finding:
    """`detail` says what was found, or why it does not work; `install` what to do about that."""

    name: str
    need: Need
    works: bool
    detail: str
    install: str = ""


@dataclass(frozen=True, slots=True)
class _Probe:
    """`run` gives what it found, and raises _NotHere with the reason otherwise."""

    name: str
    need: Need
    run: Callable[[], str]
    install: str


class _NotHere(Exception):
    """What a probe looks for does not work here."""


def versions() -> dict[str, str]:
    """This computer, and the packages that are installed."""
    found = {
        "system": platform.platform(),
        "machine": platform.machine(),
        "python": platform.python_version(),
    }
    for name in _PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def examine() -> Iterator[Finding]:
    """Each probe's finding, as soon as it is there."""
    for probe in _PROBES:
        try:
            yield Finding(probe.name, probe.need, True, probe.run())
        except _NotHere as reason:
            yield Finding(probe.name, probe.need, False, str(reason), probe.install)
        except ImportError as error:
            yield Finding(probe.name, probe.need, False, str(error), probe.install)


def _translate() -> str:
    return f"a kernel of {_CUDA.count(chr(10))} lines gave {len(_generated().splitlines())} lines of Metal"


def _generated() -> str:
    from cu2mlx.transpiler.binding.generator import generated_source
    from cu2mlx.transpiler.instance import default_instance
    from cu2mlx.transpiler.pipeline import translate
    from cu2mlx.transpiler.source import SourceFile

    interface = translate(SourceFile("doctor.cu", _CUDA)).kernels[0].interface
    if interface is None:
        raise _NotHere("a kernel that should translate was refused: please report this")
    return generated_source(interface, default_instance(interface))


def _check() -> str:
    from cu2mlx.runtime.check.checker import check_msl

    wrong = list(check_msl(_generated(), path="doctor.metal", mlx_preamble=True))
    if wrong:
        raise _NotHere(f"the checker finds fault with a right kernel: {wrong[0].message}")
    broken = _generated().replace("x[i]", "missing[i]")
    if not list(check_msl(broken, path="doctor.metal", mlx_preamble=True)):
        raise _NotHere("the checker finds nothing wrong in a broken kernel")
    return "libclang accepts a right kernel and finds the error in a broken one"


def _cpu() -> str:
    import numpy as np

    from cu2mlx.runtime.cpu.compiler import find_compiler
    from cu2mlx.runtime.cpu.executor import CpuExecutor
    from cu2mlx.runtime.protocol import KernelText, Launch, Status, Value

    executor = CpuExecutor(threads=1)
    reason = executor.unavailable()
    if reason is not None:
        raise _NotHere(reason)
    x = np.arange(64, dtype=np.float32)
    values = (x, Value(np.float32(2).tobytes()), Value(np.int32(64).tobytes()))
    kernel = executor.load(KernelText("cuda", _CUDA, "doctor_scale"))
    outcome = kernel.run(values, Launch((2, 1, 1), (32, 1, 1)))
    if outcome.status is not Status.OK or x[63] != 126:
        raise _NotHere(f"a kernel does not run: {outcome.status} {outcome.message}")
    compiler = find_compiler()
    return f"a kernel runs, compiled by {' '.join(compiler.command)} ({compiler.version.splitlines()[0]})"


def _mlx() -> str:
    import mlx.core as mx

    ends = [name for name, is_there in (("Metal", mx.metal), ("CUDA", mx.cuda)) if is_there.is_available()]
    return f"mlx {importlib.metadata.version('mlx')}, back ends: {', '.join([*ends, 'CPU'])}"


def _metal() -> str:
    from cu2mlx.runtime.metal import MetalExecutor

    reason = MetalExecutor().unavailable()
    if reason is not None:
        raise _NotHere(reason)
    import mlx.core as mx

    return ", ".join(f"{name} {value}" for name, value in sorted(mx.device_info().items()))


def _cuda() -> str:
    from cu2mlx.runtime.cuda import nvrtc
    from cu2mlx.runtime.cuda.executor import CudaExecutor

    executor = CudaExecutor()
    reason = executor.unavailable()
    if reason is not None:
        raise _NotHere(reason)
    return f"{executor.device()}, NVRTC {'.'.join(map(str, nvrtc.version()))}"


def _model() -> str:
    return f"openai {_installed('openai')}: any server that speaks its protocol can propose kernels"


def _installed(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        raise _NotHere(f"{re.sub('-', ' ', package)} is not installed") from None


_MLX_INSTALL = (
    "pip install mlx on a Mac; on Linux pip install 'cu2mlx[cpu]', 'cu2mlx[cuda12]' or 'cu2mlx[cuda13]'"
)
_PROBES = (
    _Probe("translate", Need.REQUIRED, _translate, "pip install --force-reinstall cu2mlx"),
    _Probe("check", Need.REQUIRED, _check, "pip install libclang==18.1.1"),
    _Probe(
        "cpu", Need.REQUIRED, _cpu, "install a C++20 compiler (c++, clang++ or g++), or pip install ziglang"
    ),
    _Probe("mlx", Need.OPTIONAL, _mlx, _MLX_INSTALL),
    _Probe("metal", Need.OPTIONAL, _metal, "a Mac with Apple silicon, and pip install mlx"),
    _Probe("cuda", Need.OPTIONAL, _cuda, "an NVIDIA GPU with its driver, and pip install 'cu2mlx[cuda13]'"),
    _Probe("model", Need.OPTIONAL, _model, "pip install 'cu2mlx[llm]'"),
)
