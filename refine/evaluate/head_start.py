"""The device's part of what MLX runs, timed behind work that keeps the device busy while the host prepares.

Preparing one call takes MLX some 10 to 100 µs: a chain of short kernels would be timed as that.
"""

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import mlx.core as mx

    Clock = Callable[[Sequence[mx.array]], mx.array]

LONGEST = 20e-3  # seconds
MARGIN = 1.3  # times as long as the host was seen to need
SHORTEST = 1e-9  # seconds: what no clock can tell from nothing is no division by zero
FIRST_SIDE, STEP = 512, 512  # of the matrices; sides are multiples of STEP


@dataclass(slots=True)
class HeadStart:
    """The work is one product of square matrices in half precision: a single operation, since MLX stops preparing
    once some ten parts of a graph are handed over and not done.

    `clock`: makes an array of the device's time in nanoseconds when the arrays given to it are there. Without one the
    time of the work alone is subtracted, whose noise is then in the result. The work is measured each time in any case:
    the device is not always as fast, and a bound that was too long would let the host's time in unseen.
    """

    clock: "Clock | None" = None
    side: int = FIRST_SIDE
    _matrix: "mx.array | None" = field(default=None, init=False, repr=False)
    _needed: float = field(default=0.0, init=False, repr=False)

    def timed(self, waiting: "Sequence[mx.array]") -> float | None:
        """Seconds that the device takes for arrays that are not evaluated yet; None when they were not prepared by
        the time that the device could begin with them."""
        import mlx.core as mx

        ended = None if self.clock is None else self.clock(waiting)
        self._ready()
        start = time.perf_counter()
        began = self._begin()
        mx.async_eval(*waiting, *([] if ended is None else [ended]))  # type: ignore[no-untyped-call]  # no types
        self._needed = time.perf_counter() - start
        mx.synchronize()
        total = time.perf_counter() - start
        ahead = self.seconds()
        if self._needed >= ahead:
            return None
        if began is None or ended is None:
            return max(total - ahead, SHORTEST)
        first, last = began.item(), ended.item()
        assert isinstance(first, int) and isinstance(last, int)
        return max((last - first) * 1e-9, SHORTEST)

    def seconds(self) -> float:
        """How long the device is busy with the work, measured now."""
        import mlx.core as mx

        self._ready()
        start = time.perf_counter()
        self._begin()
        mx.synchronize()
        return time.perf_counter() - start

    def lengthen(self) -> bool:
        """To more than the host needed last. False where that is too long."""
        if self._needed * MARGIN > LONGEST:
            return False
        while (seconds := self.seconds()) < self._needed:
            # the time of a product grows with the cube of its side
            scale = (self._needed * MARGIN / seconds) ** (1 / 3)
            self.side = STEP * max(self.side // STEP + 1, math.ceil(self.side * scale / STEP))
            self._matrix = None
        return True

    def _ready(self) -> None:
        """The device idle, and the work as short as it is from now on."""
        import mlx.core as mx

        if self._matrix is None:
            self._matrix = mx.zeros((self.side, self.side), mx.float16)
            mx.eval(self._matrix @ self._matrix)  # the first product of a size chooses its kernel
        mx.synchronize()

    def _begin(self) -> "mx.array | None":
        """Returns at once, with the time at the end of the work where there is a clock."""
        import mlx.core as mx

        assert self._matrix is not None
        product = self._matrix @ self._matrix
        now = None if self.clock is None else self.clock([product])
        # an evaluation of its own: what is evaluated next begins when all of it is done
        mx.async_eval(product if now is None else now)  # type: ignore[no-untyped-call]  # no types
        return now
