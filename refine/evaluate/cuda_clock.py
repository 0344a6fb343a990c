"""The time of an NVIDIA GPU inside a graph of MLX's."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cu2mlx.runtime.protocol import KernelText, Launch

if TYPE_CHECKING:
    import mlx.core as mx


def clock_text(count: int) -> KernelText:
    """A kernel of `count` addresses that it does not read, and one of a 64-bit number."""
    waited_for = "".join(f"const unsigned char* after{index}, " for index in range(count))
    body = 'asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(*now));'
    return KernelText(
        "cuda",
        f"__global__ void read_clock({waited_for}unsigned long long* now) {{ {body} }}\n",
        "read_clock",
    )


def cuda_clock(arrays: "Sequence[mx.array]") -> "mx.array":
    """The GPU's time in nanoseconds once all arrays are there: MLX orders kernels by the memory that they are given."""
    import mlx.core as mx

    from cu2mlx.runtime.cuda.mlx_operation import Fresh, MlxOperation

    waited_for = [array.reshape(-1).view(mx.uint8) for array in arrays if array.size]
    one = Launch((1, 1, 1), (1, 1, 1))
    return MlxOperation(clock_text(len(waited_for)))([*waited_for, Fresh((1,), mx.uint64)], one)[0]
