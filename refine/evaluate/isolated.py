"""Evaluation in a worker process that may hang, crash or run out of memory without taking the search along."""

import json
import sys
import time
from pathlib import Path
from typing import Any

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.verdict import Status, Verdict
from cu2mlx.runtime.isolate import Program, Stopped


class IsolatedEvaluator:
    """`seconds` bounds one launch, `budget` one whole evaluation. A worker that is over time is killed and
    replaced. The worker times candidates where it finds a device."""

    def __init__(self, task: Path, *, seconds: float = 20.0, budget: float = 300.0) -> None:
        self._program = Program(
            [sys.executable, "-m", "cu2mlx.refine.evaluate.worker", str(task), str(seconds)]
        )
        self._budget = budget

    def evaluate(self, candidate: Candidate) -> Verdict:
        """Correctness of a candidate, and its time where there is a device."""
        return self._ask(candidate, gate=False)

    def promote(self, candidate: Candidate) -> Verdict:
        """The held-out cases."""
        return self._ask(candidate, gate=True)

    def confirm(self, candidate: Candidate) -> Verdict:
        """As evaluate, in a worker that has run nothing else."""
        self._program.close()
        return self.evaluate(candidate)

    def _ask(self, candidate: Candidate, *, gate: bool) -> Verdict:
        request: dict[str, Any] = {"candidate": candidate.as_json(), "gate": gate, "budget": self._budget}
        try:
            self._program.send(json.dumps(request))
            return Verdict.from_json(json.loads(self._program.receive_line(time.monotonic() + self._budget)))
        except TimeoutError:
            return Verdict(Status.TIMEOUT, "worker", f"the evaluation did not end within {self._budget:g} s")
        except Stopped as stopped:
            return Verdict(Status.CRASH, "worker", f"the evaluation ended its process ({stopped})")

    def close(self) -> None:
        self._program.close()
