"""Macros that CUDA programs use without defining them: of CUDA's own headers, and of frameworks whose headers
are seldom at hand. A definition in the unit goes first."""

from collections.abc import Mapping
from functools import cache

from cu2mlx.transpiler.preprocess.definitions import read_define
from cu2mlx.transpiler.preprocess.unit import Macro
from cu2mlx.transpiler.source import SourceFile, Span

_GRID_STRIDE = (
    "for ({0} i = blockIdx.{1} * blockDim.{1} + threadIdx.{1}; i < (n); i += blockDim.{1} * gridDim.{1})"
)

_DEFINITIONS = (
    # CUDA
    "__align__(n) alignas(n)",
    "__builtin_align__(n) alignas(n)",
    # PyTorch, Caffe
    f"CUDA_KERNEL_LOOP(i, n) {_GRID_STRIDE.format('int', 'x')}",
    f"CUDA_KERNEL_LOOP_TYPE(i, n, type) {_GRID_STRIDE.format('type', 'x')}",
    f"CUDA_1D_KERNEL_LOOP(i, n) {_GRID_STRIDE.format('int', 'x')}",
    f"CUDA_1D_KERNEL_LOOP_T(type, i, n) {_GRID_STRIDE.format('type', 'x')}",
    f"CUDA_2D_KERNEL_LOOP(i, n, j, m) {_GRID_STRIDE.format('size_t', 'x')} "
    + _GRID_STRIDE.format("size_t", "y").replace(" i ", " j ").replace("; i", "; j").replace("(n)", "(m)"),
    "C10_LAUNCH_BOUNDS_0 ",
    "C10_LAUNCH_BOUNDS_1(threads) __launch_bounds__(threads)",
    "C10_LAUNCH_BOUNDS_2(threads, blocks) __launch_bounds__(threads, blocks)",
    "C10_DEVICE __device__",
    "C10_HOST __host__",
    "C10_HOST_DEVICE __host__ __device__",
    "C10_ALWAYS_INLINE inline",
    "C10_WARP_SIZE 32",
    "GPU_LAMBDA __host__ __device__",
    "AT_DEVICE __device__",
    "AT_HOST_DEVICE __host__ __device__",
    # CUTLASS
    "CUTLASS_DEVICE __device__ inline",
    "CUTLASS_HOST_DEVICE __host__ __device__ inline",
    """CUTLASS_PRAGMA_UNROLL _Pragma("unroll")""",
    """CUTLASS_PRAGMA_NO_UNROLL _Pragma("unroll 1")""",
    """CUTLASS_GEMM_LOOP _Pragma("unroll 1")""",
    "CUTE_DEVICE __device__ inline",
    "CUTE_HOST_DEVICE __host__ __device__ inline",
    """CUTE_UNROLL _Pragma("unroll")""",
)


@cache
def known_macros() -> Mapping[str, Macro]:
    """The macros of this table by name; read once."""
    found = {}
    for line in _DEFINITIONS:
        header = SourceFile("<known macros>", "#define " + line)
        macro = read_define(" " + line, Span(header, 0, len(header.text)), header.text)
        if macro is not None:
            found[macro.name] = macro
    return found
