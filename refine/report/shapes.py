"""Measured shapes as the report shows them: each ratio as a whisker on one logarithmic axis."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

WIDTH, MARGIN = 230, 18  # of the axis, in SVG units
LEAST, MOST = 0.5, 2.0  # what the axis shows at least
TICKS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class Whisker:
    """Of one baseline: its time over the candidate's, above 1 where the candidate is faster."""

    name: str
    seconds: float
    ratio: float
    low: float
    high: float
    peak_bytes: int | None
    x: float
    left: float
    right: float

    @property
    def outcome(self) -> str:
        """faster, slower or even: beyond the interval, or not."""
        return "faster" if self.low > 1 else "slower" if self.high < 1 else "even"


@dataclass(frozen=True, slots=True)
class Shape:
    case: str
    device: str
    bytes: int
    peak_bytes: int | None
    copy_bandwidth: float | None
    roofline_share: float | None
    noise: float
    seconds: float
    whiskers: tuple[Whisker, ...]
    skipped: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """All shapes; `ticks`: (place, label) of the axis they share, `one` the place of 1×."""

    shapes: tuple[Shape, ...]
    ticks: tuple[tuple[float, str], ...]
    one: float
    width: int = WIDTH


def table(shapes: Sequence[Mapping[str, Any]]) -> Table | None:
    """Of refine.measure's JSON; None for no shapes."""
    rows = [row for shape in shapes for row in shape["rows"][1:]]
    if not shapes:
        return None
    least = min([LEAST, *(row["low"] for row in rows)])
    most = max([MOST, *(row["high"] for row in rows)])
    low, high = math.log(least), math.log(most)

    def place(ratio: float) -> float:
        return round(MARGIN + (math.log(ratio) - low) / (high - low) * (WIDTH - 2 * MARGIN), 1)

    def whiskers(shape: Mapping[str, Any]) -> Iterator[Whisker]:
        for row in shape["rows"][1:]:
            places = (place(row["ratio"]), place(row["low"]), place(row["high"]))
            yield Whisker(
                row["name"], row["seconds"], row["ratio"], row["low"], row["high"], row["peak_bytes"], *places
            )

    return Table(
        tuple(
            Shape(
                case=shape["case"],
                device=shape["device"],
                bytes=shape["bytes"],
                peak_bytes=shape["peak_bytes"],
                copy_bandwidth=shape["copy_bandwidth"],
                roofline_share=shape["roofline_share"],
                noise=shape["noise"],
                seconds=shape["rows"][0]["seconds"],
                whiskers=tuple(whiskers(shape)),
                skipped=tuple(shape["skipped"]),
            )
            for shape in shapes
        ),
        _ticks(least, most, place),
        place(1.0),
    )


def _ticks(least: float, most: float, place: Any) -> tuple[tuple[float, str], ...]:
    """At most five, 1× among them."""
    inside = [tick for tick in TICKS if least <= tick <= most]
    one = inside.index(1)
    every = max(1, math.ceil(len(inside) / 5))
    return tuple(
        (place(tick), f"{tick:g}×") for index, tick in enumerate(inside) if (index - one) % every == 0
    )
