"""What a search over tunables is: the points seen so far go in, the next one comes out."""

from collections.abc import Mapping
from typing import Protocol

from cu2mlx.refine.propose.tune.lattice import Lattice, Point

Seen = Mapping[Point, float | None]
"""Costs by point, in the order of their evaluation (seconds, or anything that grows with them); None: no kernel."""


class Strategy(Protocol):
    name: str

    def next(self, lattice: Lattice, seen: Seen, seed: int) -> Point | None:
        """A point not seen yet, None where all are. Depends on its arguments alone, so that a search can be
        resumed and replayed; `seed` drives what is random in it."""
        ...


def unseen(lattice: Lattice, seen: Seen) -> list[Point]:
    return [point for point in lattice.points if point not in seen]
