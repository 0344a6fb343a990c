"""Time and memory of operations inside MLX."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle, islice
from math import ceil
from typing import TYPE_CHECKING

from cu2mlx.refine.evaluate.head_start import HeadStart
from cu2mlx.refine.task import Task
from cu2mlx.runtime.inputs import Inputs
from cu2mlx.transpiler.binding.interface import Role

if TYPE_CHECKING:
    import mlx.core as mx

    from cu2mlx.refine.evaluate.mlx_operation import Arrays, Operation

SAMPLE = 5e-3  # seconds that one measurement lasts at least: starting a graph takes a tenth of a millisecond
MOST_CALLS = 200
WARM_UP = 3  # measurements that do not count: MLX's memory pool grows to what as many calls need


@dataclass(frozen=True, slots=True)
class Applied:
    """An operation on one set of arrays."""

    operation: "Operation"
    arrays: "Arrays"

    def after(self, previous: "Arrays", link: tuple[str, str] | None) -> "Arrays":
        """Its outputs, when it has to wait for an earlier one: an output of that is its input, or, without a link,
        its inputs are not there before."""
        import mlx.core as mx

        if link is None:
            waiting = mx.depends(list(self.arrays.values()), list(previous.values()))
            return self.operation(dict(zip(self.arrays, waiting, strict=True)))
        output, name = link
        array = previous[output].reshape(self.arrays[name].shape)
        return self.operation({**self.arrays, name: array})


def link(task: Task, data: Inputs) -> tuple[str, str] | None:
    """An output, and an input of its shape and type that it can stand in for; None where there are none."""
    roles = {each.name: each.role for each in task.interface.parameters}
    for output in task.spec.outputs:
        if roles[output] is Role.OWNED:
            return output, output
        if roles[output] is Role.OUT:
            for name, array in data.buffers.items():
                like = array.shape == data.buffers[output].shape and data.dtypes[name] == data.dtypes[output]
                if roles[name] is Role.IN and like and array.size:
                    return output, name
    return None


@dataclass(slots=True)
class Chain:
    """Operations one after the other: each waits for the one before, so that MLX runs no two at once.

    `head_start`: None where operations run while the graph is built, as emulated ones do.
    """

    applied: "Sequence[Applied]"
    link: tuple[str, str] | None
    head_start: HeadStart | None = None
    count: int = 1
    _turns: "Iterator[Applied]" = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Compiles, warms up, and finds how many make a measurement."""
        self._turns = cycle(self.applied)
        self._by_the_host()
        self.count = max(1, min(MOST_CALLS, ceil(SAMPLE / max(self._by_the_host(), 1e-9))))
        for _ in range(WARM_UP):
            self.seconds()

    def seconds(self) -> float:
        """Of one call, to the end of the last: results made later would be timed as nothing.

        The device's part alone, where the host can prepare all calls during a head start. Fewer calls are measured
        until it can; a single one that takes longer than any head start is timed with its preparation.
        """
        while self.head_start is not None:
            ready, total = self._behind(self.head_start)
            ahead = self.head_start.seconds()
            if ready < ahead:
                return max(total - ahead, 1e-9) / self.count
            if not self.head_start.lengthen(ready):
                if self.count == 1:
                    break
                self.count //= 2
        return self._by_the_host()

    def _behind(self, head_start: HeadStart) -> tuple[float, float]:
        """Seconds from the beginning of the head start until all calls were prepared, and until they were done."""
        import mlx.core as mx

        waiting = self._graph()
        mx.synchronize()
        start = time.perf_counter()
        head_start.begin()
        mx.async_eval(waiting)  # type: ignore[no-untyped-call]  # its stub has no types
        ready = time.perf_counter() - start
        mx.synchronize()
        return ready, time.perf_counter() - start

    def _by_the_host(self) -> float:
        """With its preparation, and with building the graph only where that runs the operations."""
        import mlx.core as mx

        start = time.perf_counter()
        waiting = self._graph()
        if self.head_start is not None:
            start = time.perf_counter()
        mx.eval(waiting)
        return (time.perf_counter() - start) / self.count

    def _graph(self) -> "list[mx.array]":
        """The last one's outputs, not evaluated; goes on with the arrays after those of the last time."""
        turns = islice(self._turns, self.count)
        first = next(turns)
        outputs = first.operation(first.arrays)
        for each in turns:
            outputs = each.after(outputs, self.link)
        return list(outputs.values())

    def free(self) -> None:
        """MLX frees arrays by itself."""


def peak_bytes(applied: Applied) -> int:
    """Memory that one call needs: its arrays, and the most that MLX held beside them."""
    import mlx.core as mx

    mx.eval(list(applied.arrays.values()))
    mx.synchronize()  # what earlier calls held is free only then
    before = mx.get_active_memory()
    mx.reset_peak_memory()
    mx.eval(list(applied.operation(applied.arrays).values()))
    inputs = sum(each.nbytes for each in applied.arrays.values())
    return inputs + mx.get_peak_memory() - before
