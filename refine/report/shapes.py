"""Measured shapes as the report shows them: each ratio as a whisker on one logarithmic axis."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from cu2mlx.refine.measure import Row, ShapeResult

WIDTH, MARGIN = 230, 18  # of the axis, in SVG units
LEAST, MOST = 0.5, 2.0  # what the axis shows at least
TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
MOST_TICKS = 5


@dataclass(frozen=True, slots=True)
class Whisker:
    """A baseline and the places of its ratio and interval on the axis."""

    row: Row
    x: float
    left: float
    right: float

    @property
    def outcome(self) -> str:
        """Whether the candidate is faster or slower beyond the interval, or even."""
        return "faster" if self.row.low > 1 else "slower" if self.row.high < 1 else "even"


@dataclass(frozen=True, slots=True)
class Shape:
    result: ShapeResult
    whiskers: tuple[Whisker, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """All shapes; `ticks`: (place, label) of the axis they share, `one` the place of 1×."""

    shapes: tuple[Shape, ...]
    ticks: tuple[tuple[float, str], ...]
    one: float
    width: int = WIDTH


def table(shapes: Sequence[ShapeResult]) -> Table | None:
    """None for no shapes."""
    if not shapes:
        return None
    rows = [row for shape in shapes for row in shape.rows[1:]]
    least = min([LEAST, *(row.low for row in rows)])
    most = max([MOST, *(row.high for row in rows)])
    low, high = math.log(least), math.log(most)

    def place(ratio: float) -> float:
        return round(MARGIN + (math.log(ratio) - low) / (high - low) * (WIDTH - 2 * MARGIN), 1)

    def whisker(row: Row) -> Whisker:
        return Whisker(row, place(row.ratio), place(row.low), place(row.high))

    return Table(
        tuple(Shape(shape, tuple(map(whisker, shape.rows[1:]))) for shape in shapes),
        _ticks(least, most, place),
        place(1.0),
    )


def _ticks(least: float, most: float, place: Callable[[float], float]) -> tuple[tuple[float, str], ...]:
    """About MOST_TICKS, 1× among them."""
    inside = [tick for tick in TICKS if least <= tick <= most]
    one = inside.index(1)
    every = max(1, math.ceil(len(inside) / MOST_TICKS))
    return tuple(
        (place(tick), f"{tick:g}×") for index, tick in enumerate(inside) if (index - one) % every == 0
    )
