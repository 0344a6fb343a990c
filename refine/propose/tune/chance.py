"""Points by chance: what every other strategy has to beat."""

import random

from cu2mlx.refine.propose.tune.lattice import Lattice, Point
from cu2mlx.refine.propose.tune.strategy import Seen, unseen


class Chance:
    name = "random"

    def next(self, lattice: Lattice, seen: Seen, seed: int) -> Point | None:
        left = unseen(lattice, seen)
        return random.Random(f"{seed} {len(seen)}").choice(left) if left else None
