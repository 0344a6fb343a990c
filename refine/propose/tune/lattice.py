"""The points of a space of tunables, enumerated, as a search over them sees them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

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

    def neighbours(self, point: Point) -> Iterator[Point]:
        """One step down and up in each number, where that is allowed."""
        for index, values in enumerate(self.values):
            place = values.index(point[index])
            for step in (-1, 1):
                if 0 <= place + step < len(values):
                    near = (*point[:index], values[place + step], *point[index + 1 :])
                    if near in self.places:
                        yield near
