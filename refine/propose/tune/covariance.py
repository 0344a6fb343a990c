"""How much alike the costs of a lattice's points are, for thousands of points at a time."""

import math
from typing import TYPE_CHECKING

from cu2mlx.refine.propose.tune.lattice import Lattice

if TYPE_CHECKING:
    from cu2mlx.refine.propose.tune.lattice import Array


class Covariance:
    """Matérn 5/2 over `length` (of the unit cube), half of it averaged over single numbers, half over all together.

    It depends on the values of two points alone, of which there are few: in rows of ones (`Lattice.ones`) the average
    is a matrix product, and the product over all numbers the exponential of one.
    """

    def __init__(self, lattice: Lattice, length: float) -> None:
        import numpy as np

        ends = np.cumsum([len(values) for values in lattice.values])
        self.single = np.zeros((ends[-1], ends[-1]))
        self.logarithms = np.zeros_like(self.single)
        for end, values in zip(ends, lattice.values, strict=True):
            own = slice(end - len(values), end)
            place = np.arange(len(values)) / max(len(values) - 1, 1)
            apart = (math.sqrt(5) / length) * np.abs(place[:, None] - place)
            polynomial = 1 + apart + apart * apart / 3
            self.single[own, own] = polynomial * np.exp(-apart) / len(lattice.values)
            self.logarithms[own, own] = np.log(polynomial) - apart

    def __call__(self, one: "Array", other: "Array") -> "Array":
        """Between the points of rows of ones, one by one."""
        import numpy as np

        together: Array = np.exp(one @ (self.logarithms @ other.T))
        return 0.5 * (one @ (self.single @ other.T) + together)
