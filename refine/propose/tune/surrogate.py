"""A Gaussian process over the points seen so far; the next point is the one with the greatest expected improvement.

Speeds are modelled as a sum of effects of single numbers and of all of them together: most of
a kernel's time is explained by one number at a time, and the rest by how they meet (Rasmussen & Williams,
Gaussian Processes for Machine Learning, chapters 2 and 5; Jones, Schonlau & Welch 1998 for the improvement).
"""

import math
import random
from collections.abc import Iterable, Mapping, Sequence
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
LIMITS_LENGTH, LIMITS_NOISE = 0.6, 0.05  # the same of whether a point is a kernel at all
LEAST_CHANCE = 0.02  # of being one, among points that are none
DIGITS = 9  # gains that agree so far are equal: the choice must not hang on the last bits


class Surrogate:
    name = "surrogate"

    def next(self, lattice: Lattice, seen: Seen, seed: int) -> Point | None:
        left = unseen(lattice, seen)
        if not left:
            return None
        chance = random.Random(f"{seed} {len(seen)}")
        if lattice.start not in seen:
            return lattice.start
        known = {point: cost for point, cost in seen.items() if cost is not None}
        if len(seen) < FIRST or not known:
            return chance.choice(left)
        gains = _expected_improvements(lattice, known, left)
        if len(known) < len(seen):
            gains = gains * _chances(lattice, seen, left)
        gains = gains.round(DIGITS)
        top = gains.max()
        return chance.choice([point for point, gain in zip(left, gains, strict=True) if gain == top])


def _expected_improvements(lattice: Lattice, known: Mapping[Point, float], left: Sequence[Point]) -> "Array":
    import numpy as np

    targets = _targets(np.array(list(known.values())))
    places, others = _places(lattice, known), _places(lattice, left)
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


def _chances(lattice: Lattice, seen: Seen, left: Sequence[Point]) -> "Array":
    """Of being a kernel at all: a point that is none may only be over a limit (registers, threads, memory), which says
    nothing of speed, but its neighbours may be too."""
    import numpy as np

    places, others = _places(lattice, seen), _places(lattice, left)
    misses = np.array([1.0 if cost is None else 0.0 for cost in seen.values()])
    covariance = _kernel(places, places, LIMITS_LENGTH) + LIMITS_NOISE * np.eye(len(places))
    chances: Array = 1.0 - _kernel(others, places, LIMITS_LENGTH) @ np.linalg.solve(covariance, misses)
    return chances.clip(LEAST_CHANCE, 1.0)


def _places(lattice: Lattice, points: Iterable[Point]) -> "Array":
    import numpy as np

    return np.array([lattice.places[point] for point in points])


def _targets(costs: "Array") -> "Array":
    """Square roots of speeds, negative and standardised: as even over slow points as logarithms of times are, but
    finer where it counts."""
    import numpy as np

    roots = -np.sqrt(costs.min() / costs)
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
