"""An exhaustive sweep of a task's tunables on one device, as data."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cu2mlx.refine.propose.tune.lattice import Lattice, Point


class SweepError(Exception):
    """A file that is no sweep; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Result:
    """`seconds` of one launch, or why there are none."""

    seconds: float | None
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Sweep:
    """`results` by point, the values in the order of `tunables`. `start`: the task's own numbers.

    `case`: the sizes and template it was measured with; `kernel`: the key of its text, empty where nobody noted it;
    `how`, `when` and `device`: what was measured, for people.
    """

    task: str
    case: Mapping[str, Any]
    device: str
    when: str
    how: str
    tunables: Mapping[str, tuple[int, ...]]
    start: Point
    results: Mapping[Point, Result]
    kernel: str = ""

    @property
    def lattice(self) -> Lattice:
        return Lattice(tuple(self.tunables), tuple(self.tunables.values()), tuple(self.results), self.start)

    @property
    def costs(self) -> Mapping[Point, float | None]:
        return {point: result.seconds for point, result in self.results.items()}

    @property
    def best(self) -> float:
        """Seconds of the fastest point."""
        return min(each.seconds for each in self.results.values() if each.seconds is not None)

    def dump(self) -> str:
        """JSON, one point a line."""
        head = {
            "task": self.task,
            "case": dict(self.case),
            "kernel": self.kernel,
            "device": self.device,
            "when": self.when,
            "how": self.how,
            "tunables": {name: list(values) for name, values in self.tunables.items()},
            "start": list(self.start),
        }
        rows = [
            {"at": list(point)}
            | ({"failure": each.failure} if each.seconds is None else {"seconds": each.seconds})
            for point, each in self.results.items()
        ]
        points = ",\n".join(f"  {json.dumps(row)}" for row in rows)
        return f'{json.dumps(head, indent=1)[:-2]},\n "points": [\n{points}\n ]\n}}\n'


def read_sweep(path: Path) -> Sweep:
    """Raises SweepError."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        sweep = Sweep(
            task=data["task"],
            case=data["case"],
            device=data["device"],
            when=data["when"],
            how=data["how"],
            tunables={name: tuple(values) for name, values in data["tunables"].items()},
            start=tuple(data["start"]),
            results={tuple(row["at"]): _result(row) for row in data["points"]},
            kernel=data.get("kernel", ""),
        )
    except OSError as error:
        raise SweepError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise SweepError(f"{path}: is no sweep of bench/sweep.py ({error!r})") from None
    if not any(each.seconds for each in sweep.results.values()):
        raise SweepError(f"{path}: holds no point that was timed")
    if sweep.start not in sweep.results:
        raise SweepError(f"{path}: start {list(sweep.start)} is not among the points")
    for point in sweep.results:
        if not _fits(point, sweep.tunables):
            raise SweepError(f"{path}: point {list(point)} is none of {dict(sweep.tunables)}")
    return sweep


def _result(row: Mapping[str, Any]) -> Result:
    if "seconds" in row:
        return Result(float(row["seconds"]))
    return Result(None, str(row["failure"]))


def _fits(point: Point, tunables: Mapping[str, tuple[int, ...]]) -> bool:
    return len(point) == len(tunables) and all(
        value in values for value, values in zip(point, tunables.values(), strict=True)
    )
