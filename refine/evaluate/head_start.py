"""Work that keeps the device busy while the host prepares what is timed.

Preparing one call takes MLX some 10 to 100 µs. A chain of short kernels would be timed as that.
"""

import math
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import mlx.core as mx

LONGEST = 20e-3  # seconds; the difference of two measurements has the noise of both
MARGIN = 1.3  # times as long as the host was seen to need
FIRST_SIDE, STEP = 512, 512


@dataclass(slots=True)
class HeadStart:
    """One product of square matrices in half precision: a single operation, since MLX stops preparing when it has
    handed over some ten parts of a graph that are not done."""

    side: int = FIRST_SIDE
    _matrix: "mx.array | None" = field(default=None, init=False, repr=False)

    def begin(self) -> None:
        """Returns at once."""
        import mlx.core as mx

        if self._matrix is None:
            self._matrix = mx.zeros((self.side, self.side), mx.float16)
            mx.eval(self._matrix @ self._matrix)  # the first product of a size chooses its kernel
        mx.async_eval(self._matrix @ self._matrix)  # type: ignore[no-untyped-call]  # its stub has no types

    def seconds(self) -> float:
        """How long the device is busy, measured now."""
        import mlx.core as mx

        mx.synchronize()
        start = time.perf_counter()
        self.begin()
        mx.synchronize()
        return time.perf_counter() - start

    def lengthen(self, needed: float) -> bool:
        """To `needed` seconds and some more. False where that is too long."""
        if needed * MARGIN > LONGEST:
            return False
        while (seconds := self.seconds()) < needed:
            # the time of a product grows with the cube of its side
            scale = (needed * MARGIN / seconds) ** (1 / 3)
            self.side = STEP * max(self.side // STEP + 1, math.ceil(self.side * scale / STEP))
            self._matrix = None
            self.begin()
        return True
