"""The points of a space of tunables, enumerated, as a search over them sees them."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float64]]

Point = tuple[int, ...]


@dataclass(frozen=True)
class Lattice:
    """`values[i]`: those of `names[i]`, in increasing order. `points`: the combinations that are allowed.
    `start`: where a search begins, one of them."""

    names: tuple[str, ...]
    values: tuple[tuple[int, ...], ...]
    points: tuple[Point, ...]
    start: Point

    @cached_property
    def places(self) -> Mapping[Point, tuple[float, ...]]:
        """Each point in the unit cube, a number by its place among its values: 32, 64, 128 are equally far apart."""
        scales = [
            {value: index / max(len(values) - 1, 1) for index, value in enumerate(values)}
            for values in self.values
        ]
        return {
            point: tuple(scale[value] for scale, value in zip(scales, point, strict=True))
            for point in self.points
        }

    @cached_property
    def ones(self) -> "Array":
        """A row for each point: 1 in the column of each of its values, 0 in those of the others."""
        return self.ones_of(self.points)

    def ones_of(self, points: Iterable[Point]) -> "Array":
        """The same for some of the points."""
        import numpy as np

        numbers = np.array(list(points))
        chosen = [numbers[:, [index]] == np.array(values) for index, values in enumerate(self.values)]
        return np.concatenate(chosen, axis=1).astype(np.float64)

    def neighbours(self, point: Point) -> Iterator[Point]:
        """One step down and up in each number, where that is allowed."""
        for index, values in enumerate(self.values):
            place = values.index(point[index])
            for step in (-1, 1):
                if 0 <= place + step < len(values):
                    near = (*point[:index], values[place + step], *point[index + 1 :])
                    if near in self.places:
                        yield near
