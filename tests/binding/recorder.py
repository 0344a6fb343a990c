"""A stand-in for MLX's back ends that records what it is asked to launch."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Recorder:
    """Kernels as MLX makes them, except that a launch gives outputs filled with `fill`."""

    fill: int = 0
    made: list[dict[str, Any]] = field(default_factory=list)
    launched: list[dict[str, Any]] = field(default_factory=list)

    def construct(self, **options: Any) -> Callable[..., list[Any]]:
        self.made.append(options)

        import mlx.core as mx

        def launch(**call: Any) -> list[Any]:
            self.launched.append(call)
            pairs = zip(call["output_shapes"], call["output_dtypes"], strict=True)
            return [mx.full(shape, self.fill, dtype=dtype) for shape, dtype in pairs]

        return launch
