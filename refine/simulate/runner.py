"""How many evaluations a strategy needs, counted on a recorded sweep."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import quantiles

from cu2mlx.refine.propose.tune.strategy import Strategy
from cu2mlx.refine.simulate.sweep import Sweep

SHARE = 0.95  # of the best known speed
SEEDS = 50


@dataclass(frozen=True, slots=True)
class Row:
    """Evaluations until a strategy had found `SHARE` of the best known speed: median and quartiles over seeds."""

    strategy: str
    lower: float
    median: float
    upper: float


def evaluations(sweep: Sweep, strategy: Strategy, seed: int, share: float = SHARE) -> int:
    """How many points it tries until one has `share` of the best speed; the point it starts with counts."""
    lattice, costs, goal = sweep.lattice, sweep.costs, sweep.best / share
    seen: dict[tuple[int, ...], float | None] = {}
    while (point := strategy.next(lattice, seen, seed)) is not None:
        assert point not in seen, f"{strategy.name} tries {point} twice"
        cost = seen[point] = costs[point]
        if cost is not None and cost <= goal:
            return len(seen)
    raise AssertionError(f"{strategy.name} gave up after {len(seen)} of {len(lattice.points)} points")


def compare(
    sweep: Sweep, strategies: Sequence[Strategy], seeds: int = SEEDS, share: float = SHARE
) -> Iterator[Row]:
    for strategy in strategies:
        counts = [evaluations(sweep, strategy, seed, share) for seed in range(seeds)]
        lower, median, upper = quantiles(counts, n=4, method="inclusive")
        yield Row(strategy.name, lower, median, upper)
