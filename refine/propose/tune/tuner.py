"""The autotuner in a search: which numbers to try next with a candidate's text."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.tune.descent import Descent
from cu2mlx.refine.propose.tune.lattice import Lattice, Point
from cu2mlx.refine.propose.tune.strategy import Seen, Strategy
from cu2mlx.refine.propose.tune.surrogate import Surrogate
from cu2mlx.refine.space import Space
from cu2mlx.refine.task import Task

STEP = 0.01  # an improvement that counts; less is within the noise of most devices


def next_point(
    task: Task, base: Candidate, results: Mapping[str, float | None], strategy: Strategy | None = None
) -> Candidate | None:
    """The next candidate with `base`'s text to try, None when nothing better is to be expected.

    `results`: scores (more is better) by candidate key, in the order of their evaluation; None for what failed or
    was not timed. Depends on its arguments alone.
    """
    lattice = lattice_of(task, base)
    if lattice is None:
        return None
    plain = replace(base, numbers=())
    points = {**_points_by_key(plain, lattice.names, lattice.points), base.key: lattice.start}
    if (own := _wish(task, plain)) in lattice.points:
        points[plain.key] = own
    seen = {points[key]: score and 1 / score for key, score in results.items() if key in points}
    # A text that was never tried without numbers has its first ones from another text, with which they were tuned:
    # the best are not far.
    is_tuned = plain.key not in results
    strategy = strategy or (Descent() if is_tuned else Surrogate())
    point = next_of(lattice, seen, strategy, 0, is_tuned=is_tuned)
    return None if point is None else _at(base, lattice.names, point)


def next_of(
    lattice: Lattice, seen: Seen, strategy: Strategy, seed: int, *, is_tuned: bool = False
) -> Point | None:
    """The strategy's point; when those bring nothing more, what is left of the best one's neighbours, so that it is
    surely better than they are; then None. Not from numbers that were tuned before (`is_tuned`)."""
    if not is_settled(seen, patience(len(lattice.names), is_tuned=is_tuned)):
        return strategy.next(lattice, seen, seed)
    known = [point for point, cost in seen.items() if cost is not None]
    if is_tuned or not known:
        return None
    best = min(known, key=lambda point: seen[point] or 0.0)
    return next((point for point in lattice.neighbours(best) if point not in seen), None)


def lattice_of(task: Task, base: Candidate) -> Lattice | None:
    """The task's space around a candidate; what its numbers leave open is as in the task. None where nothing can
    be varied."""
    points = _points(task.space)
    if len(points) < 2:
        return None
    wish = _wish(task, base)
    names = tuple(each.name for each in task.tunables)
    values = tuple(each.values for each in task.tunables)
    return Lattice(names, values, points, wish if wish in points else points[0])


def _wish(task: Task, base: Candidate) -> Point:
    """A candidate's numbers, allowed or not."""
    settled = dict(task.space.settings[0]) | dict(base.numbers)
    return tuple(int(settled.get(each.name, each.values[0])) for each in task.tunables)


@lru_cache(maxsize=8)
def _points(space: Space) -> tuple[Point, ...]:
    return tuple(tuple(point.values()) for point in space.points())


def patience(dimensions: int, *, is_tuned: bool) -> int:
    """Evaluations without a better point after which the best one is taken for the optimum; fewer from numbers
    that were tuned with another text, which are close to it. Chosen on sweeps and made-up spaces (docs/tuning.md)."""
    return dimensions + 1 if is_tuned else 3 * dimensions + 6


def is_settled(seen: Seen, patience: int) -> bool:
    best, since = float("inf"), 0
    for cost in seen.values():
        if cost is not None and cost < best * (1 - STEP):
            best, since = cost, 0
        else:
            since += 1
    return since > patience


@lru_cache(maxsize=8)
def _points_by_key(
    plain: Candidate, names: tuple[str, ...], points: tuple[Point, ...]
) -> Mapping[str, Point]:
    """Of one text with all numbers: a key is a digest of the text, and there may be thousands."""
    return {_at(plain, names, point).key: point for point in points}


def _at(base: Candidate, names: tuple[str, ...], point: Point) -> Candidate:
    return base.with_numbers(dict(zip(names, point, strict=True)))
