"""What a strategy needs and reaches, counted on a recorded sweep."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median, quantiles

from cu2mlx.refine.propose.tune.lattice import Point
from cu2mlx.refine.propose.tune.strategy import Seen, Strategy
from cu2mlx.refine.propose.tune.tuner import is_settled, next_of, patience
from cu2mlx.refine.simulate.sweep import Sweep

SHARE = 0.95  # of the best known speed
SEEDS = 50


@dataclass(frozen=True, slots=True)
class Walk:
    """One search. `needed`: evaluations until a point had the share asked for. `stopped`: evaluations after which the
    tuner takes its best point for the optimum; `reached`: that point's share of the best known speed."""

    needed: int
    stopped: int
    reached: float


@dataclass(frozen=True, slots=True)
class Row:
    """Over seeds: median and quartiles of evaluations until `SHARE` of the best known speed, the median of those at
    which the tuner stops, the median and the least share of the best speed that it has found by then."""

    strategy: str
    lower: float
    median: float
    upper: float
    stopped: float
    reached: float
    least: float


def walk(sweep: Sweep, strategy: Strategy, seed: int, share: float = SHARE) -> Walk:
    """The strategy alone until it has what was asked for, and the tuner with it to its end. The point that a strategy
    starts with counts."""
    lattice, costs, goal = sweep.lattice, sweep.costs, sweep.best / share
    enough = patience(len(lattice.names), is_tuned=False)
    seen: dict[Point, float | None] = {}
    needed: int | None = None
    tuned: Seen | None = None
    while needed is None or tuned is None:
        point = strategy.next(lattice, seen, seed)
        if tuned is None and (point is None or is_settled(seen, enough)):
            tuned = _to_the_end(sweep, strategy, seed, seen)
        if point is None:
            break
        assert point not in seen, f"{strategy.name} tries {point} twice"
        cost = seen[point] = costs[point]
        if needed is None and cost is not None and cost <= goal:
            needed = len(seen)
    assert needed is not None, f"{strategy.name} gave up after {len(seen)} of {len(lattice.points)} points"
    assert tuned is not None
    fastest = min((cost for cost in tuned.values() if cost is not None), default=math.inf)
    return Walk(needed, len(tuned), sweep.best / fastest)


def _to_the_end(sweep: Sweep, strategy: Strategy, seed: int, seen: Seen) -> Seen:
    """What the tuner has seen when it stops, that has come so far."""
    lattice, costs = sweep.lattice, sweep.costs
    seen = dict(seen)
    while (point := next_of(lattice, seen, strategy, seed)) is not None:
        seen[point] = costs[point]
    return seen


def compare(
    sweep: Sweep, strategies: Sequence[Strategy], seeds: int = SEEDS, share: float = SHARE
) -> Iterator[Row]:
    for strategy in strategies:
        walks = [walk(sweep, strategy, seed, share) for seed in range(seeds)]
        lower, middle, upper = quantiles([each.needed for each in walks], n=4, method="inclusive")
        reached = [each.reached for each in walks]
        stopped = median(each.stopped for each in walks)
        yield Row(strategy.name, lower, middle, upper, stopped, median(reached), min(reached))
