"""How fast a candidate is on each large shape, beside the naive translation, the CUDA original and the baselines."""

import time
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from cu2mlx.refine.arena import Contender, arena
from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate import statistics
from cu2mlx.refine.evaluate.device import TimedDevice
from cu2mlx.refine.roofline import Limit, limits, measured_rates
from cu2mlx.refine.task import Task
from cu2mlx.runtime.spec import Case

ROW_SECONDS = 4.0  # at most for measuring one row, where a call is slow
FEWEST_PAIRS = 5


@dataclass(frozen=True, slots=True)
class Row:
    """`seconds` per call; `ratio` is them over the candidate's, measured in turns with it, with the bootstrap
    interval at 95 %: above 1 the candidate is faster. `peak_bytes`: memory of one call, None where unknown."""

    name: str
    seconds: float
    ratio: float
    low: float
    high: float
    peak_bytes: int | None


@dataclass(frozen=True, slots=True)
class ShapeResult:
    """One shape on one device. The first row is the candidate's.

    `bytes`: declared inputs and outputs, each moved once. `copy_bandwidth`: bytes per second that a copy reads and
    writes there, measured in the same run. `roofline_share`: of it, what the candidate reaches with `bytes`.
    `limits`: memory and the arithmetic that the task counts, at the rates measured there. `noise`: the candidate
    against itself. `skipped`: baselines that were not run, and why.
    """

    case: str
    device: str
    bytes: int
    peak_bytes: int | None
    copy_bandwidth: float
    roofline_share: float
    noise: float
    limits: tuple[Limit, ...]
    rows: tuple[Row, ...]
    skipped: tuple[str, ...]

    @property
    def reached(self) -> float:
        """The time of the tightest limit over the candidate's: 1 cannot be improved on."""
        return max(limit.seconds for limit in self.limits) / self.rows[0].seconds

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {
            "limits": [asdict(limit) for limit in self.limits],
            "rows": [asdict(row) for row in self.rows],
            "skipped": list(self.skipped),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "ShapeResult":
        lists = {
            "limits": tuple(Limit(**limit) for limit in data["limits"]),
            "rows": tuple(Row(**row) for row in data["rows"]),
            "skipped": tuple(data["skipped"]),
        }
        return ShapeResult(**{**data, **lists})


def measure_shapes(task: Task, candidate: Candidate, device: TimedDevice) -> tuple[ShapeResult, ...]:
    """Every timed case, the shown ones where there are none; cases that launch nothing are left out."""
    place = arena(device)
    rates = measured_rates(task, place)
    shapes = []
    for case in task.timed or task.shown:
        found = list(place.contenders(task, candidate, case))
        contenders = [each for each in found if isinstance(each, Contender)]
        if not contenders:
            continue
        skipped = tuple(each for each in found if isinstance(each, str))
        bounds = limits(task, case, device.rotated(task, case)[0], rates)
        shapes.append(_shape(case, place.device, bounds, contenders, skipped, device.pairs))
        for each in contenders:
            each.free()
    return tuple(shapes)


def _shape(
    case: Case,
    device: str,
    bounds: tuple[Limit, ...],
    contenders: list[Contender],
    skipped: tuple[str, ...],
    pairs: int,
) -> ShapeResult:
    candidate, *others = contenders
    itself = statistics.interleaved(candidate.stopwatch.seconds, candidate.stopwatch.seconds, pairs)
    floor = statistics.ratio(*itself)
    mine = [*itself[0], *itself[1]]
    rows = []
    for other in others:
        turns = _affordable(pairs, other.stopwatch.seconds)
        first, second = statistics.interleaved(candidate.stopwatch.seconds, other.stopwatch.seconds, turns)
        found = statistics.ratio(second, first)
        seconds = statistics.median(second)
        rows.append(Row(other.name, seconds, found.value, found.low, found.high, other.peak_bytes))
        mine += first
    seconds = statistics.median(mine)
    own = Row(candidate.name, seconds, 1.0, floor.low, floor.high, candidate.peak_bytes)
    memory = bounds[0]
    return ShapeResult(
        case=case.name,
        device=device,
        bytes=int(memory.amount),
        peak_bytes=candidate.peak_bytes,
        copy_bandwidth=memory.rate,
        roofline_share=memory.seconds / seconds,
        noise=floor.noise,
        limits=bounds,
        rows=(own, *rows),
        skipped=skipped,
    )


def _affordable(pairs: int, measure: Callable[[], float]) -> int:
    """How many measurements fit ROW_SECONDS."""
    start = time.perf_counter()
    measure()
    each = time.perf_counter() - start
    return max(FEWEST_PAIRS, min(pairs, int(ROW_SECONDS / max(each, 1e-9))))
