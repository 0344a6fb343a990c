"""float64 references of the probes."""

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


def multiply_adds(x: Array, y: Array, ROUNDS: int, **_: Any) -> dict[str, Array]:  # noqa: N803
    return _sums(x[:, None] + np.arange(256), y, ROUNDS, lambda value: 0.5 * value + 0.25)


def exponentials(x: Array, y: Array, ROUNDS: int, **_: Any) -> dict[str, Array]:  # noqa: N803
    return _sums(x[:, None] * np.arange(256), y, ROUNDS, lambda value: np.exp(-value))


def _sums(value: Array, y: Array, rounds: int, step: Callable[[Array], Array]) -> dict[str, Array]:
    """One result a thread, the same in every block."""
    for _ in range(rounds):
        value = step(value)
    return {"y": np.tile(value.sum(axis=0), y.size // 256)}
