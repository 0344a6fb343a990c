"""What a session is given by others: who evaluates, and who watches."""

from dataclasses import dataclass
from typing import Any, Protocol

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Measured:
    """`shapes`: refine.measure.ShapeResult as JSON, one for each timed case; `problem`: why there are none."""

    shapes: tuple[dict[str, Any], ...] = ()
    problem: str = ""


class Evaluator(Protocol):
    def evaluate(self, candidate: Candidate) -> Verdict:
        """Correctness, and the time where there is a device."""
        ...

    def promote(self, candidate: Candidate) -> Verdict:
        """The held-out cases."""
        ...

    def confirm(self, candidate: Candidate) -> Verdict:
        """As evaluate, in a process that has run nothing else."""
        ...

    def measure(self, candidate: Candidate) -> Measured:
        """Each timed case against each baseline."""
        ...


class Observer(Protocol):
    def happened(self, line: str) -> None: ...
    def trying(self, what: str) -> None: ...
