"""The picture of a search: every evaluation, and the best so far, as places in an SVG."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from cu2mlx.refine.evaluate.verdict import Verdict

WIDTH, HEIGHT = 960, 280
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 16, 40  # margins
TICKS = 4


@dataclass(frozen=True, slots=True)
class Mark:
    """One evaluation. `speed`: times the baseline translation's, None for what failed, which stands at the foot.
    `is_promoted`: it passed the held-out cases too."""

    x: float
    y: float
    number: int
    speed: float | None
    status: str
    is_promoted: bool


@dataclass(frozen=True, slots=True)
class Tick:
    place: float
    label: str


@dataclass(frozen=True, slots=True)
class Curve:
    """`path`: the best so far of what passed the held-out cases. `baseline`: the height of 1×."""

    marks: tuple[Mark, ...]
    path: str
    baseline: float
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    foot: int = HEIGHT - BOTTOM


def curve(verdicts: Sequence[Verdict], promoted: Collection[int]) -> Curve | None:
    """Of the evaluations in their order, the baseline first; `promoted`: which passed the held-out cases. None
    where nothing was timed.

    The scale of speeds begins at 0.
    """
    speeds = [None if verdict.score is None else verdict.score / 100 for verdict in verdicts]
    timed = [speed for speed in speeds if speed is not None]
    if not timed:
        return None
    step = _step(max(timed) / TICKS)
    top = step * (int(max(timed) * 1.02 / step) + 1)
    last = max(1, len(verdicts) - 1)

    def x(number: int) -> float:
        return round(LEFT + number / last * (WIDTH - LEFT - RIGHT), 1)

    def y(speed: float) -> float:
        return round(HEIGHT - BOTTOM - speed / top * (HEIGHT - TOP - BOTTOM), 1)

    marks = tuple(
        Mark(x(number), y(speed or 0), number, speed, str(verdicts[number].status), number in promoted)
        for number, speed in enumerate(speeds)
    )
    across = range(0, last + 1, max(1, round(_step(last / TICKS))))
    return Curve(
        marks,
        steps(marks, WIDTH - RIGHT),
        y(speeds[0] or 1.0),
        tuple(Tick(x(number), str(number)) for number in across),
        tuple(Tick(y(step * number), f"{step * number:g}×") for number in range(int(top / step + 0.5) + 1)),
    )


def steps(marks: Sequence[Mark], right: float) -> str:
    """The best so far as an SVG path: it steps up at each better candidate and goes on to the right edge."""
    path, best = "", 0.0
    for mark in marks:
        if mark.is_promoted and mark.speed is not None and mark.speed > best:
            path += f"H{mark.x} V{mark.y} " if path else f"M{mark.x} {mark.y} "
            best = mark.speed
    return f"{path}H{right}" if path else ""


def _step(least: float) -> float:
    """The next round number: 1, 2 or 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)
