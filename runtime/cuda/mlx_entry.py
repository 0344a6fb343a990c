"""A kernel's text with an entry that MLX can call, compiled.

`mx.fast.precompiled_cuda_kernel` passes the inputs' addresses, then the outputs', then scalars (bool, int32 or
float32), and knows a binary by its symbol alone. So each text gets an entry of its own name that takes its
arguments in that order, values as 32-bit words, and calls the kernel.
"""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from cu2mlx.runtime.cuda import cuda_source, msl_source
from cu2mlx.runtime.cuda.compile import compile_unit
from cu2mlx.runtime.cuda.nvrtc import Cubin
from cu2mlx.runtime.msl.kernels import find_kernel
from cu2mlx.runtime.protocol import KernelText

# How an argument comes: the address of an input, of an input that the kernel may change since nobody else has
# it, of an output, or so many bytes by value.
Kind = Literal["in", "changed", "out"] | int

_HEADER = (Path(__file__).resolve().parent / "shim" / "mlx_entry.h").read_text(encoding="utf-8")
# In a text of CUDA every kernel becomes a function that the entry calls.
_NO_KERNELS = """#undef __global__
#define __global__ __device__ __forceinline__
#undef __launch_bounds__
#define __launch_bounds__(...)
#undef __grid_constant__
#define __grid_constant__
"""


def compile_entry(kernel: KernelText, kinds: Sequence[Kind], threads: int, architecture: str) -> Cubin:
    """The binary for blocks of up to `threads`; its symbol is the entry's name. Raises CompileError, NoNvrtcError."""
    unit, name = entry_unit(kernel, kinds, threads)
    return compile_unit(unit, name, kernel.language, architecture)


def entry_unit(kernel: KernelText, kinds: Sequence[Kind], threads: int) -> tuple[str, str]:
    """The translation unit and the name of its entry. Raises CompileError for a text without that kernel."""
    unit, callee, types = _msl(kernel) if kernel.language == "msl" else _cuda(kernel, len(kinds))
    digest = hashlib.sha256(repr((unit, callee, tuple(kinds), threads)).encode()).hexdigest()[:16]
    name = f"cu2mlx_{digest}"
    return unit + entry(name, callee, types, kinds, threads), name


def _cuda(kernel: KernelText, count: int) -> tuple[str, str, list[str]]:
    heads, line, body = cuda_source.translation_unit(kernel.text).partition('#line 1 "kernel.cu"\n')
    types = [f"cu2mlx::parameter<decltype(&{kernel.entry}), {index}>::type" for index in range(count)]
    return "\n".join([heads, _HEADER, _NO_KERNELS, line + body]), kernel.entry, types


def _msl(kernel: KernelText) -> tuple[str, str, list[str]]:
    constants = dict(kernel.constants)
    unit = msl_source.translation_unit(
        kernel.text, kernel.entry, constants, "static __device__ __forceinline__"
    )
    found, _ = find_kernel(kernel.text, kernel.entry)
    places = [found.parameters.index(buffer) for buffer in found.buffers()]
    types = [f"msl::argument<msl_kernel, {place}>" for place in places]
    return f"{unit}\n{_HEADER}", msl_source.ENTRY, types


def entry(name: str, callee: str, types: Sequence[str], kinds: Sequence[Kind], threads: int) -> str:
    """The entry's definition. `types`: the callee's parameters, as C++ names them.

    Where an input is changed, MLX makes one output more, which says that the kernel is done.
    """
    inputs = [index for index, kind in enumerate(kinds) if kind in ("in", "changed")]
    outputs = [index for index, kind in enumerate(kinds) if kind == "out"]
    parameters = [f"cu2mlx::place<{types[index]}> a{index}" for index in inputs + outputs]
    parameters += ["void* done"] if "changed" in kinds else []
    values, arguments = [], []
    for index, kind in enumerate(kinds):
        if isinstance(kind, str):
            arguments.append(f"cu2mlx::argument<{types[index]}>::at(a{index})")
            continue
        words = [f"a{index}_{word}" for word in range(-(-kind // 4))]
        parameters += [f"int {word}" for word in words]
        values.append(f"  const int a{index}[] = {{{', '.join(words)}}};")
        arguments.append(f"cu2mlx::value<{types[index]}>(a{index})")
    head = f'extern "C" __attribute__((global)) __attribute__((launch_bounds({threads})))'
    return "\n".join([
        '#line 1 "entry"', f"{head} void {name}({', '.join(parameters)}) {{", *values,
        f"  {callee}({', '.join(arguments)});", "}", "",
    ])  # fmt: skip
