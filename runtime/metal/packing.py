"""Numpy arguments as the arrays that MLX is given, and MLX's outputs as the bytes that the protocol wants."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cu2mlx.runtime.metal.binding import Array
from cu2mlx.runtime.protocol import Launch, Value
from cu2mlx.transpiler.binding.dtypes import BITS_OF_SIZE, ITEM_SIZE
from cu2mlx.transpiler.binding.signature import MAXIMUM_THREADS

if TYPE_CHECKING:
    import mlx.core as mx
    import numpy as np

    Argument = np.ndarray[Any, Any] | Value


def elements(argument: "Argument", dtype: str) -> "mx.array":
    """The bytes of an argument as a flat array of a dtype; a value's as a 0-d array where it is one element."""
    import mlx.core as mx
    import numpy as np

    is_value = isinstance(argument, Value)
    data = argument.data if isinstance(argument, Value) else np.ascontiguousarray(argument).tobytes()
    size = ITEM_SIZE[dtype]
    if len(data) % size:
        raise ValueError(f"{len(data)} bytes are no whole number of {dtype}")
    if dtype == "bool":
        made = mx.array(np.frombuffer(data, np.bool_))
    else:
        made = mx.array(np.frombuffer(data, BITS_OF_SIZE[size])).view(getattr(mx, dtype))
    return made.reshape(()) if is_value and made.size == 1 else made


def count(argument: "Argument", dtype: str) -> int:
    """How many elements of a dtype an argument has."""
    size = len(argument.data) if isinstance(argument, Value) else argument.nbytes
    return size // ITEM_SIZE[dtype]


def stored(array: "mx.array") -> bytes:
    """An output's bytes."""
    import mlx.core as mx
    import numpy as np

    bits = array if array.dtype == mx.bool_ else array.view(getattr(mx, BITS_OF_SIZE[array.dtype.size]))
    return np.array(bits).tobytes()


def initial(outputs: "Sequence[np.ndarray[Any, Any]]") -> float | None:
    """What MLX must fill the outputs with: 0 if any is to start at zero, None if all may start as they please."""
    return 0.0 if any(each.size and not each.any() for each in outputs) else None


def threads_of(launch: Launch) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """MLX's `grid` (in threads) and `threadgroup`. Raises ValueError for a block over the limit."""
    block = launch.block
    if math.prod(block) > MAXIMUM_THREADS:
        raise ValueError(f"a block of {block} has {math.prod(block)} threads; Metal takes {MAXIMUM_THREADS}")
    x, y, z = (groups * size for groups, size in zip(launch.grid, block, strict=True))
    if max(x, y, z) >= 1 << 32:
        raise ValueError(f"grid {launch.grid}: each dimension must have fewer than 2^32 threads")
    if launch.threads is not None:
        return (min(x, launch.threads[0]), min(y, launch.threads[1]), min(z, launch.threads[2])), block
    return (x, y, z), block


def check_count(arguments: "Sequence[Argument]", inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
    """Raises ValueError where the arguments are not one per buffer, or an output cannot be written."""
    expected = len(inputs) + len(outputs)
    if len(arguments) != expected:
        raise ValueError(f"{len(arguments)} arguments for {expected} buffers")
    for made, argument in zip(outputs, arguments[len(inputs) :], strict=True):
        if isinstance(argument, Value):
            raise ValueError(f"{made.name} is written: it needs an array, not a value")
