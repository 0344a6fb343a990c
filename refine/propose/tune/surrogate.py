"""A Gaussian process over the points seen so far; the next point is the one with the greatest expected improvement.

Speeds are modelled as a sum of effects of single numbers and of all of them together: most of
a kernel's time is explained by one number at a time, and the rest by how they meet (Rasmussen & Williams,
Gaussian Processes for Machine Learning, chapters 2 and 5; Jones, Schonlau & Welch 1998 for the improvement).
"""

import math
import random
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cu2mlx.refine.propose.tune.lattice import Lattice, Point
from cu2mlx.refine.propose.tune.strategy import Seen, unseen

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, np.dtype[np.float64]]

FIRST = 3  # points before anything is modelled: the start and some by chance
LENGTHS = (
    0.3,
    0.6,
    1.2,
    2.4,
)  # of the unit cube, over which costs resemble each other; the likeliest is taken
NOISE = 1e-2  # variance of a measurement, in those of the costs
DIGITS = 9  # expected improvements that agree so far are equal: the choice must not hang on the last bits


class Surrogate:
    name = "surrogate"

    def next(self, lattice: Lattice, seen: Seen, seed: int) -> Point | None:
        left = unseen(lattice, seen)
        if not left:
            return None
        chance = random.Random(f"{seed} {len(seen)}")
        if lattice.start not in seen:
            return lattice.start
        if len(seen) < FIRST:
            return chance.choice(left)
        gains = _expected_improvements(lattice, seen, left).round(DIGITS)
        top = gains.max()
        return chance.choice([point for point, gain in zip(left, gains, strict=True) if gain == top])


def _expected_improvements(lattice: Lattice, seen: Seen, left: Sequence[Point]) -> "Array":
    import numpy as np

    targets = _targets(seen)
    places = np.array([lattice.places[point] for point in seen])
    others = np.array([lattice.places[point] for point in left])
    length = max(LENGTHS, key=lambda each: round(_likelihood(places, targets, each), DIGITS))
    inverse = np.linalg.inv(_kernel(places, places, length) + NOISE * np.eye(len(places)))
    across = _kernel(others, places, length)
    mean = across @ inverse @ targets
    variance = np.maximum(1.0 + NOISE - ((across @ inverse) * across).sum(axis=1), 1e-12)
    spread = np.sqrt(variance)
    ahead = (targets.min() - mean) / spread
    density = np.exp(-0.5 * ahead**2) / math.sqrt(2 * math.pi)
    below = np.array([0.5 * (1 + math.erf(each / math.sqrt(2))) for each in ahead])
    improvements: Array = spread * (ahead * below + density)
    return improvements


def _targets(seen: Seen) -> "Array":
    """Square roots of speeds, negative and standardised: as even over slow points as logarithms of times are, but
    finer where it counts. A point that is no kernel is taken for as slow as the slowest."""
    import numpy as np

    known = [cost for cost in seen.values() if cost is not None]
    fastest, slowest = min(known, default=1.0), max(known, default=1.0)
    roots = np.array([-math.sqrt(fastest / (slowest if cost is None else cost)) for cost in seen.values()])
    spread = float(roots.std())
    standard: Array = (roots - roots.mean()) / (spread if spread > 0 else 1.0)
    return standard


def _kernel(one: "Array", other: "Array", length: float) -> "Array":
    """Matérn 5/2, half of it averaged over single numbers, half over all together."""
    import numpy as np

    total = np.zeros((len(one), len(other)))
    together = np.ones((len(one), len(other)))
    for left, right in zip(one.T, other.T, strict=True):
        apart = (math.sqrt(5) / length) * np.abs(left[:, None] - right[None, :])
        each = (1 + apart + apart * apart / 3) * np.exp(-apart)
        total += each
        together *= each
    mixed: Array = 0.5 * total / one.shape[1] + 0.5 * together
    return mixed


def _likelihood(places: "Array", targets: "Array", length: float) -> float:
    """Logarithm of the marginal likelihood, up to a constant."""
    import numpy as np

    covariance = _kernel(places, places, length) + NOISE * np.eye(len(places))
    _, volume = np.linalg.slogdet(covariance)
    return float(-0.5 * targets @ np.linalg.solve(covariance, targets) - 0.5 * volume)
