"""Simulated annealing: neighbours by chance, worse ones accepted the less, the later and the worse they are."""

import math
import random

from cu2mlx.refine.propose.tune.lattice import Lattice, Point
from cu2mlx.refine.propose.tune.strategy import Seen, unseen

WARM, COOLING = 0.5, 0.95  # accepted at first: costs higher by half; a twentieth less at each step
STALE = 100  # steps over known points after which another start is drawn


class Annealing:
    name = "annealing"

    def next(self, lattice: Lattice, seen: Seen, seed: int) -> Point | None:
        if not unseen(lattice, seen):
            return None
        chance = random.Random(str(seed))
        place, warmth, stale = lattice.start, WARM, 0
        while place in seen:
            near = list(lattice.neighbours(place))
            if not near or stale >= STALE:
                place, warmth, stale = chance.choice(lattice.points), WARM, 0
                continue
            step = chance.choice(near)
            if step not in seen:
                return step
            if chance.random() < _acceptance(seen[place], seen[step], warmth):
                place = step
            warmth *= COOLING
            stale += 1
        return place


def _acceptance(cost: float | None, other: float | None, warmth: float) -> float:
    if other is None:
        return 0.0
    if cost is None or other <= cost:
        return 1.0
    return math.exp(-math.log(other / cost) / warmth) if warmth > 1e-9 else 0.0
