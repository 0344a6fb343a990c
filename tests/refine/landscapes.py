"""Made-up spaces of tunables for tests of the search: each a lattice and the cost of every point."""

import math
import random
from collections.abc import Mapping
from itertools import product

from cu2mlx.refine.propose.tune.lattice import Lattice, Point
from cu2mlx.refine.simulate.sweep import Result, Sweep

Costs = Mapping[Point, float | None]


def bowl(seed: int, dimensions: int = 4) -> tuple[Lattice, Costs]:
    """A smooth valley with cross terms and 2 % of noise."""
    chance = random.Random(seed)
    lattice = _lattice(chance, dimensions)
    best = [chance.random() for _ in range(dimensions)]
    weights = [[chance.gauss(0, 0.15) for _ in range(dimensions)] for _ in range(dimensions)]
    costs = {}
    for point, place in lattice.places.items():
        away = [a - b for a, b in zip(place, best, strict=True)]
        height = sum(each * each for each in away)
        height += sum(weights[i][j] * away[i] * away[j] for i in range(dimensions) for j in range(i))
        costs[point] = math.exp(max(height, 0.0) + chance.gauss(0, 0.02))
    return lattice, costs


def rugged(seed: int, dimensions: int = 4) -> tuple[Lattice, Costs]:
    """Every value and every pair of neighbouring values has an effect of its own; one point in twelve fails."""
    chance = random.Random(seed)
    lattice = _lattice(chance, dimensions)
    effects = [{value: chance.gauss(0, 0.25) for value in values} for values in lattice.values]
    pairs: dict[tuple[int, int, int], float] = {}
    costs: dict[Point, float | None] = {}
    for point in lattice.points:
        height = sum(effect[value] for effect, value in zip(effects, point, strict=True))
        for index, value in enumerate(point):
            near = point[(index + 1) % dimensions]
            height += pairs.setdefault((index, value, near), chance.gauss(0, 0.1))
        fails = chance.random() < 1 / 12 and point != lattice.start
        costs[point] = None if fails else math.exp(height)
    return lattice, costs


def recorded(lattice: Lattice, costs: Costs) -> Sweep:
    """A landscape as if it had been measured."""
    tunables = dict(zip(lattice.names, lattice.values, strict=True))
    results = {point: Result(cost, "" if cost else "wrong: off by one") for point, cost in costs.items()}
    return Sweep("made-up", {"n": 1}, "no device", "never", "made up", tunables, lattice.start, results)


def _lattice(chance: random.Random, dimensions: int) -> Lattice:
    names = tuple("abcdefgh"[:dimensions])
    values = tuple(tuple(2**power for power in range(chance.choice((3, 4, 5)))) for _ in names)
    points = tuple(point for point in product(*values) if sum(point) % 7)  # some are not allowed
    return Lattice(names, values, points, points[0])
