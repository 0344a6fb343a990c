"""A kernel's text as an operation of MLX's on an NVIDIA GPU: lazy, in one graph with MLX's own operations."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cu2mlx.runtime.cuda import nvrtc
from cu2mlx.runtime.cuda.driver import open_driver
from cu2mlx.runtime.cuda.executor import full_blocks, values
from cu2mlx.runtime.cuda.mlx_entry import Kind, compile_entry
from cu2mlx.runtime.cuda.nvrtc import Cubin, NoNvrtcError
from cu2mlx.runtime.protocol import KernelText, Launch, Value

if TYPE_CHECKING:
    import mlx.core as mx

_MOST_THREADS = 2**31 - 1  # in one dimension of a grid: MLX counts them in an int
_COPY = """template <class T> __global__ void copy(const T* from, T* to, unsigned long long count) {
  unsigned long long i = blockIdx.x * (unsigned long long)blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}
"""
_COPIED_AS = {1: "unsigned char", 2: "unsigned short", 4: "unsigned", 8: "unsigned long long"}
_COPY_BLOCK = 256


@dataclass(frozen=True, slots=True)
class Fresh:
    """An output that MLX allocates. Its memory is uninitialised unless the call has an `init_value`."""

    shape: tuple[int, ...]
    dtype: "mx.Dtype"


@dataclass(frozen=True, slots=True)
class Changed:
    """An array that the kernel changes in place: it gets a copy, since arrays of MLX never change."""

    array: "mx.array"


def unavailable() -> str | None:
    """Why nothing can run here: no MLX, no CUDA back end, no NVRTC. None when it can."""
    try:
        import mlx.core as mx

        nvrtc.load_library()
    except (ImportError, NoNvrtcError) as error:
        return str(error)
    return None if mx.cuda.is_available() else "this MLX has no CUDA back end, or finds no NVIDIA GPU"


@dataclass(frozen=True, slots=True)
class MlxOperation:
    """A text of CUDA or MSL. Its parameters, in order (for MSL the buffers by their indices), are given as

    an array to read · Fresh · Changed · a Value to pass by value (in a small array where MSL has a pointer).
    """

    kernel: KernelText

    def __call__(
        self,
        arguments: "Sequence[mx.array | Fresh | Changed | Value]",
        launch: Launch,
        *,
        init_value: float | None = None,
        stream: "mx.Stream | None" = None,
    ) -> "list[mx.array]":
        """The outputs, Fresh and Changed, in the order of the parameters; nothing runs until they are evaluated.

        Raises CompileError with the text's lines, NoNvrtcError; ValueError for a launch that MLX cannot take.
        """
        import mlx.core as mx

        grid = _threads(launch)
        packed = _Packed(self.kernel, arguments, stream)
        x, y, z = launch.block
        binary = _entry(self.kernel, tuple(packed.kinds), x * y * z)
        fresh = [each for each in arguments if isinstance(each, Fresh)]
        # What is changed in place is read after one output more, and so after the kernel.
        fresh += [Fresh((1,), mx.uint8)] if packed.copies else []
        made = mx.fast.precompiled_cuda_kernel(
            name=binary.symbol,
            compiled_source=binary.code,
            inputs=packed.inputs,
            output_shapes=[each.shape if 0 not in each.shape else (1,) for each in fresh],
            output_dtypes=[each.dtype for each in fresh],
            scalars=packed.words,
            grid=grid,
            threadgroup=launch.block,
            shared_memory=launch.shared_bytes,
            init_value=init_value,
            ensure_row_contiguous=True,
            stream=stream,
        )
        outputs = iter(made)
        results = []
        for each in arguments:
            if isinstance(each, Fresh):
                output = next(outputs)
                results.append(mx.zeros(each.shape, each.dtype) if 0 in each.shape else output)
            elif isinstance(each, Changed):
                copy = packed.copies[id(each.array)]
                after = mx.where(made[-1], copy, copy, stream=stream)
                results.append(after if each.array.size else each.array)
        return results


class _Packed:
    """Arguments as MLX passes them: `inputs` by address, `words` by value, `kinds` to tell which is which."""

    def __init__(
        self,
        kernel: KernelText,
        arguments: "Sequence[mx.array | Fresh | Changed | Value]",
        stream: "mx.Stream | None",
    ) -> None:
        self.kinds: list[Kind] = []
        self.inputs: list[mx.array] = []
        self.words: list[int] = []
        self.copies = {
            id(each.array): _private_copy(each.array, stream)
            for each in arguments
            if isinstance(each, Changed)
        }
        by_value = _values(kernel) if kernel.language == "msl" else frozenset(range(len(arguments)))
        for place, argument in enumerate(arguments):
            if isinstance(argument, Fresh):
                self.kinds.append("out")
            elif isinstance(argument, Value) and place in by_value:
                self.kinds.append(len(argument.data))
                self.words += _words(argument.data)
            else:
                self.kinds.append("changed" if isinstance(argument, Changed) else "in")
                self.inputs.append(self._input(argument))

    def _input(self, argument: "mx.array | Changed | Value") -> "mx.array":
        import mlx.core as mx

        if isinstance(argument, Value):
            return mx.array(list(argument.data), mx.uint8)
        array = argument.array if isinstance(argument, Changed) else argument
        return self.copies.get(id(array), _with_room(array))


def _threads(launch: Launch) -> tuple[int, int, int]:
    """The grid in threads. Raises ValueError for one that MLX cannot launch."""
    full_blocks(launch)
    x, y, z = (groups * size for groups, size in zip(launch.grid, launch.block, strict=True))
    if min(x, y, z) < 1 or max(x, y, z) > _MOST_THREADS:
        raise ValueError(f"{x} x {y} x {z} threads: MLX launches 1 to {_MOST_THREADS} in each dimension")
    return x, y, z


def _with_room(array: "mx.array") -> "mx.array":
    """The array, or one element where it has none: an address that is valid."""
    import mlx.core as mx

    return array if array.size else mx.zeros((1,), array.dtype)


def _private_copy(array: "mx.array", stream: "mx.Stream | None") -> "mx.array":
    """A copy that nothing else can come to share: MLX merges its own equal operations, but not a kernel's calls."""
    source = _with_room(array)
    text = KernelText("cuda", _COPY, f"copy<{_COPIED_AS[source.dtype.size]}>")
    launch = Launch((-(-source.size // _COPY_BLOCK), 1, 1), (_COPY_BLOCK, 1, 1))
    count = Value(source.size.to_bytes(8, "little"))
    return MlxOperation(text)([source, Fresh(source.shape, source.dtype), count], launch, stream=stream)[0]


def _words(data: bytes) -> list[int]:
    padded = data + bytes(-len(data) % 4)
    return [int.from_bytes(padded[at : at + 4], "little", signed=True) for at in range(0, len(padded), 4)]


@functools.lru_cache(maxsize=256)
def _values(kernel: KernelText) -> frozenset[int]:
    return values(kernel)


@functools.lru_cache(maxsize=256)
def _entry(kernel: KernelText, kinds: tuple[Kind, ...], threads: int) -> Cubin:
    return compile_entry(kernel, kinds, threads, _architecture())


@functools.cache
def _architecture() -> str:
    return open_driver().architecture
