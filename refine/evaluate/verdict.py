"""What became of a candidate, as data."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Status(StrEnum):
    PASSED = "passed"
    UNREADABLE = "unreadable"  # the reply held no candidate
    REFUSED = "refused"  # breaks a limit or reaches past MSL
    ILL_TYPED = "ill-typed"
    WRONG = "wrong"
    FAULT = "fault"  # race, out of bounds, uninitialised memory, divergent barrier
    CHEAT = "cheat"  # right answers that were not computed
    CRASH = "crash"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out of memory"


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds per launch on a device that is named, over the task's timed cases; `baseline` is the seed's,
    measured in turns with the candidate. `noise`: relative spread of the seed against itself; `low` and `high`:
    the bootstrap interval of baseline over candidate. `cases`: name, seconds and the seed's seconds of each."""

    device: str
    seconds: float
    baseline: float
    noise: float
    low: float
    high: float
    cases: tuple[tuple[str, float, float], ...] = ()

    @property
    def score(self) -> float:
        """Baseline time over candidate time, times 100."""
        return 100.0 * self.baseline / self.seconds

    def as_json(self) -> dict[str, Any]:
        """What was recorded without cases stays so."""
        data = asdict(self)
        return data if self.cases else {key: value for key, value in data.items() if key != "cases"}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "Timing":
        return Timing(**{**data, "cases": tuple((*each,) for each in data.get("cases", ()))})


@dataclass(frozen=True, slots=True)
class Verdict:
    """`stage` is where it was decided, `message` what a model or a person is told."""

    status: Status
    stage: str
    message: str = ""
    timing: Timing | None = None

    @property
    def passed(self) -> bool:
        return self.status is Status.PASSED

    @property
    def score(self) -> float | None:
        """None without a measurement: correctness alone ranks nothing."""
        return self.timing.score if self.passed and self.timing is not None else None

    def as_json(self) -> dict[str, Any]:
        return {
            "status": str(self.status),
            "stage": self.stage,
            "message": self.message,
            "timing": None if self.timing is None else self.timing.as_json(),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "Verdict":
        timing = None if data["timing"] is None else Timing.from_json(data["timing"])
        return Verdict(Status(data["status"]), data["stage"], data["message"], timing)
