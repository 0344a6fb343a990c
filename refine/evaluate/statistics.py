"""Statistics of paired timings: medians, a bootstrap interval of their ratio, the noise of the machine."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

RESAMPLES = 2000
LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Ratio:
    """Median of the first over median of the second, with the bootstrap interval at LEVEL."""

    value: float
    low: float
    high: float

    @property
    def spread(self) -> float:
        """Half of the interval's width, relative to the value."""
        return (self.high - self.low) / 2 / self.value

    @property
    def noise(self) -> float:
        """Of a kernel against itself: how far it seems from itself, which an improvement has to exceed."""
        return max(abs(self.value - 1), self.spread)


def interleaved(
    first: Callable[[], float], second: Callable[[], float], pairs: int
) -> tuple[list[float], list[float]]:
    """`pairs` seconds of each, in the order A-B-B-A, so that a drift of the machine hits both alike."""
    firsts, seconds = [], []
    for pair in range(pairs):
        for which in (0, 1) if pair % 2 == 0 else (1, 0):
            if which == 0:
                firsts.append(first())
            else:
                seconds.append(second())
    return firsts, seconds


def median(seconds: Sequence[float]) -> float:
    """In seconds. Raises ValueError for none."""
    if not seconds:
        raise ValueError("no measurement, no median")
    ordered = sorted(seconds)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def ratio(first: Sequence[float], second: Sequence[float], *, seed: int = 0) -> Ratio:
    """`first` over `second`; the same seed gives the same interval."""
    import numpy as np

    rng = np.random.default_rng(seed)
    medians = [
        np.median(rng.choice(np.asarray(each), (RESAMPLES, len(each))), axis=1) for each in (first, second)
    ]
    low, high = np.quantile(medians[0] / medians[1], [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Ratio(median(first) / median(second), float(low), float(high))


def noise_floor(measure: Callable[[], float], pairs: int) -> float:
    """The noise of one kernel, measured against itself."""
    return ratio(*interleaved(measure, measure, pairs)).noise
