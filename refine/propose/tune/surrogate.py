"""A Gaussian process over the points seen so far; the next point is the one with the greatest expected improvement.

Speeds are modelled as a sum of effects of single numbers and of all of them together: most of
a kernel's time is explained by one number at a time, and the rest by how they meet (Rasmussen & Williams,
Gaussian Processes for Machine Learning, chapters 2 and 5; Jones, Schonlau & Welch 1998 for the improvement).
"""

import math
import random
from collections.abc import Mapping
from typing import TYPE_CHECKING

from cu2mlx.refine.propose.tune.covariance import Covariance
from cu2mlx.refine.propose.tune.lattice import Lattice, Point
from cu2mlx.refine.propose.tune.strategy import Seen, unseen

if TYPE_CHECKING:
    from cu2mlx.refine.propose.tune.lattice import Array

FIRST = 3  # points before anything is modelled: the start and some by chance
# Of the unit cube, over which costs resemble each other; the likeliest is taken.
LENGTHS = (0.3, 0.6, 1.2, 2.4)
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
        open_ = lattice.ones[[point not in seen for point in lattice.points]]
        gains = _expected_improvements(lattice, known, open_)
        if len(known) < len(seen):
            gains = gains * _chances(lattice, seen, open_)
        gains = gains.round(DIGITS)
        best: list[int] = (gains == gains.max()).nonzero()[0].tolist()
        return left[chance.choice(best)]


def _expected_improvements(lattice: Lattice, known: Mapping[Point, float], open_: "Array") -> "Array":
    """Of the points of these rows (`Lattice.ones`), in standard deviations of what is modelled."""
    import numpy as np

    targets, ones = _targets(np.array(list(known.values()))), lattice.ones_of(known)
    kernels = [Covariance(lattice, length) for length in LENGTHS]
    covariance = max(kernels, key=lambda each: round(_likelihood(ones, targets, each), DIGITS))
    roots = np.linalg.inv(np.linalg.cholesky(covariance(ones, ones) + NOISE * np.eye(len(ones))))
    across = covariance(open_, ones) @ roots.T
    mean = across @ (roots @ targets)
    spread = np.sqrt(np.maximum(1.0 + NOISE - (across * across).sum(axis=1), 1e-12))
    ahead = (targets.min() - mean) / spread
    density = np.exp(-0.5 * ahead**2) / math.sqrt(2 * math.pi)
    below = np.array([0.5 * (1 + math.erf(each / math.sqrt(2))) for each in ahead.tolist()])
    improvements: Array = spread * (ahead * below + density)
    return improvements


def _chances(lattice: Lattice, seen: Seen, open_: "Array") -> "Array":
    """Of being a kernel at all: a point that is none may only be over a limit (registers, threads, memory), which says
    nothing of speed, but its neighbours may be too."""
    import numpy as np

    covariance, ones = Covariance(lattice, LIMITS_LENGTH), lattice.ones_of(seen)
    misses = np.array([1.0 if cost is None else 0.0 for cost in seen.values()])
    among = covariance(ones, ones) + LIMITS_NOISE * np.eye(len(ones))
    chances: Array = 1.0 - covariance(open_, ones) @ np.linalg.solve(among, misses)
    return chances.clip(LEAST_CHANCE, 1.0)


def _targets(costs: "Array") -> "Array":
    """Square roots of speeds, negative and standardised: as even over slow points as logarithms of times are, but
    finer where it counts."""
    import numpy as np

    roots = -np.sqrt(costs.min() / costs)
    spread = float(roots.std())
    standard: Array = (roots - roots.mean()) / (spread if spread > 0 else 1.0)
    return standard


def _likelihood(ones: "Array", targets: "Array", covariance: Covariance) -> float:
    """Logarithm of the marginal likelihood, up to a constant."""
    import numpy as np

    among = covariance(ones, ones) + NOISE * np.eye(len(ones))
    _, volume = np.linalg.slogdet(among)
    return float(-0.5 * targets @ np.linalg.solve(among, targets) - 0.5 * volume)
