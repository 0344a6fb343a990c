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

    def after(self, previous: "Arrays", link: tuple[str, str]) -> "Arrays":
        """Its outputs, when an earlier one's output is its input."""
        output, name = link
        array = previous[output].reshape(self.arrays[name].shape)
        return self.operation({**self.arrays, name: array})


def link(task: Task, data: Inputs) -> tuple[str, str] | None:
    """An output, and an input of its shape and type that it can stand in for; None where there are none."""
    roles = {each.name: each.role for each in task.interface.parameters}
    for output in (name for name in task.spec.outputs if name in data.buffers):
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
    """Operations one after the other: each reads what the one before has written, so that MLX runs no two at once.

    Without a link each is evaluated for itself. `head_start`: None where operations run while the graph is built, as
    emulated ones do.
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
        until it can. A single one that takes longer than any head start is timed with its preparation, as are calls
        without a link.
        """
        while self.head_start is not None and self.link is not None:
            (waiting,) = self._graph()
            seconds = self.head_start.timed(waiting)
            if seconds is not None:
                return seconds / self.count
            if not self.head_start.lengthen():
                if self.count == 1:
                    break
                self.count //= 2
        return self._by_the_host()

    def _by_the_host(self) -> float:
        """With the preparation, and with building the graph only where that runs the operations."""
        import mlx.core as mx

        start = time.perf_counter()
        waiting = self._graph()
        if self.head_start is not None:
            start = time.perf_counter()
        for each in waiting:
            mx.eval(each)
        return (time.perf_counter() - start) / self.count

    def _graph(self) -> "list[list[mx.array]]":
        """What has to be evaluated, in turn; goes on with the arrays after those of the last time."""
        turns = list(islice(self._turns, self.count))
        if self.link is None:
            return [list(each.operation(each.arrays).values()) for each in turns]
        outputs = turns[0].operation(turns[0].arrays)
        for each in turns[1:]:
            outputs = each.after(outputs, self.link)
        return [list(outputs.values())]

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
