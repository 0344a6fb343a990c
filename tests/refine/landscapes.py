"""Made-up spaces of tunables for tests of the search: each a lattice and the cost of every point, by seed and number of
dimensions. Nobody chose the strategy's constants on these seeds."""

import math
import random
from collections.abc import Callable, Mapping
from itertools import product

from cu2mlx.refine.propose.tune.lattice import Lattice, Point
from cu2mlx.refine.simulate.sweep import Result, Sweep

Costs = Mapping[Point, float | None]
Family = Callable[[int, int], tuple[Lattice, Costs]]
MOST_POINTS = 500


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


def separable(seed: int, dimensions: int = 4) -> tuple[Lattice, Costs]:
    """Every value has an effect of its own, whatever the others are."""
    chance = random.Random(seed)
    lattice = _lattice(chance, dimensions)
    effects = [{value: chance.gauss(0, 0.35) for value in values} for values in lattice.values]
    heights = {point: _sum_of(effects, point) for point in lattice.points}
    return lattice, {point: math.exp(height + chance.gauss(0, 0.01)) for point, height in heights.items()}


def rugged(seed: int, dimensions: int = 4) -> tuple[Lattice, Costs]:
    """Every value and every pair of neighbouring values has an effect of its own; one point in twelve fails."""
    chance = random.Random(seed)
    lattice = _lattice(chance, dimensions)
    effects = [{value: chance.gauss(0, 0.25) for value in values} for values in lattice.values]
    pairs: dict[tuple[int, int, int], float] = {}
    costs: dict[Point, float | None] = {}
    for point in lattice.points:
        height = _sum_of(effects, point)
        for index, value in enumerate(point):
            near = point[(index + 1) % dimensions]
            height += pairs.setdefault((index, value, near), chance.gauss(0, 0.1))
        fails = chance.random() < 1 / 12 and point != lattice.start
        costs[point] = None if fails else math.exp(height)
    return lattice, costs


def ridge(seed: int, dimensions: int = 4) -> tuple[Lattice, Costs]:
    """What counts is a sum of all numbers (threads of a block, say); along it there is a slight slope."""
    chance = random.Random(seed)
    lattice = _lattice(chance, dimensions)
    slope = [chance.gauss(0, 0.3) for _ in range(dimensions)]
    goal = sum(chance.random() for _ in range(dimensions))
    return lattice, {
        point: math.exp(2.5 * abs(sum(place) - goal) + _product(slope, place) + chance.gauss(0, 0.02))
        for point, place in lattice.places.items()
    }


def plateau(seed: int, dimensions: int = 4) -> tuple[Lattice, Costs]:
    """Two numbers matter, each in one step; the rest do nothing at all."""
    chance = random.Random(seed)
    lattice = _lattice(chance, dimensions)
    steps = [
        (index, chance.choice(lattice.values[index][1:])) for index in chance.sample(range(dimensions), 2)
    ]
    return lattice, {
        point: math.exp(0.5 * sum(point[index] >= edge for index, edge in steps)) for point in lattice.points
    }


def kinks(seed: int, dimensions: int = 4) -> tuple[Lattice, Costs]:
    """The largest of several limits, each of which every number pushes its own way."""
    chance = random.Random(seed)
    lattice = _lattice(chance, dimensions)
    limits = [([chance.gauss(0, 1.2) for _ in range(dimensions)], chance.gauss(0, 0.4)) for _ in range(4)]
    return lattice, {
        point: math.exp(max(_product(slope, place) + base for slope, base in limits))
        for point, place in lattice.places.items()
    }


def cliff(seed: int, dimensions: int = 4) -> tuple[Lattice, Costs]:
    """A bowl of which the far side fails: its best points lie at the edge."""
    chance = random.Random(seed)
    lattice, costs = bowl(seed, dimensions)
    weights = [chance.uniform(0.3, 1.0) for _ in range(dimensions)]
    good = sorted(lattice.points, key=lambda point: costs[point] or 0.0)[: len(costs) // 20 + 1]
    edge = _product(weights, lattice.places[chance.choice(good)]) + 1e-9
    return lattice, {
        point: cost if _product(weights, lattice.places[point]) <= edge or point == lattice.start else None
        for point, cost in costs.items()
    }


def needle(seed: int, dimensions: int = 4) -> tuple[Lattice, Costs]:
    """One point is faster, and nothing hints at it."""
    chance = random.Random(seed)
    lattice = _lattice(chance, dimensions)
    return lattice, {point: 1 + chance.gauss(0, 0.02) for point in lattice.points} | {
        chance.choice(lattice.points): 0.7
    }


FAMILIES: tuple[Family, ...] = (
    bowl,
    separable,
    rugged,
    ridge,
    plateau,
    kinks,
    cliff,
)


def recorded(lattice: Lattice, costs: Costs) -> Sweep:
    """A landscape as if it had been measured."""
    tunables = dict(zip(lattice.names, lattice.values, strict=True))
    results = {point: Result(cost, "" if cost else "wrong: off by one") for point, cost in costs.items()}
    return Sweep("made-up", {"n": 1}, "no device", "never", "made up", tunables, lattice.start, results)


def _lattice(chance: random.Random, dimensions: int) -> Lattice:
    names = tuple("abcdefgh"[:dimensions])
    counts = [chance.choice((3, 4, 5)) for _ in names]
    while math.prod(counts) > MOST_POINTS:
        counts[counts.index(max(counts))] -= 1
    values = tuple(tuple(2**power for power in range(count)) for count in counts)
    points = tuple(point for point in product(*values) if sum(point) % 7)  # some are not allowed
    return Lattice(names, values, points, points[0])


def _product(weights: list[float], place: tuple[float, ...]) -> float:
    return sum(weight * each for weight, each in zip(weights, place, strict=True))


def _sum_of(effects: list[dict[int, float]], point: Point) -> float:
    return sum(effect[value] for effect, value in zip(effects, point, strict=True))
