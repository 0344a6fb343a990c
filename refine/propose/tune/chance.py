"""Points by chance: what every other strategy has to beat."""

import random

from cu2mlx.refine.propose.tune.lattice import Lattice, Point
from cu2mlx.refine.propose.tune.strategy import Seen


class Chance:
    name = "random"

    def next(self, lattice: Lattice, seen: Seen, seed: int) -> Point | None:
        if len(seen) == len(lattice.points):
            return None
        chance = random.Random(f"{seed} {len(seen)}")
        while (point := chance.choice(lattice.points)) in seen:
            pass
        return point
