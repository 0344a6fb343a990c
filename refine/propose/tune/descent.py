"""Descent: from the start to the best neighbour until none is better, then again from a point by chance."""

import random

from cu2mlx.refine.propose.tune.lattice import Lattice, Point
from cu2mlx.refine.propose.tune.strategy import Seen, unseen


class Descent:
    name = "descent"

    def next(self, lattice: Lattice, seen: Seen, seed: int) -> Point | None:
        left = unseen(lattice, seen)
        if not left:
            return None
        chance = random.Random(str(seed))
        place = lattice.start
        while True:
            if place not in seen:
                return place
            near = list(lattice.neighbours(place))
            chance.shuffle(near)
            new = next((point for point in near if point not in seen), None)
            if new is not None:
                return new
            better = min(near, key=lambda point: _cost(seen, point), default=place)
            is_valley = _cost(seen, better) >= _cost(seen, place)
            place = chance.choice(lattice.points) if is_valley else better


def _cost(seen: Seen, point: Point) -> float:
    cost = seen[point]
    return float("inf") if cost is None else cost
