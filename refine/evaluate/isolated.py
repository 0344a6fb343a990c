"""Evaluation in a worker process that may hang, crash or run out of memory without taking the search along."""

import json
import sys
import time
from pathlib import Path
from typing import Any

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.oracle import OracleError
from cu2mlx.refine.evaluate.verdict import Status, Verdict
from cu2mlx.refine.parts import Measured
from cu2mlx.runtime.isolate import Program, Stopped

MEASURING = 900.0  # seconds for all shapes and baselines
LEAST_BUDGET, TIMES_FIRST = 30.0, 4.0  # seconds, and times the first evaluation, that a later one may take
MEMORY = 16 << 30  # bytes of address space for the process that runs kernels


class IsolatedEvaluator:
    """`task`: a spec file, or the journal that begins with the task. `seconds` bounds one launch, `budget` one
    whole evaluation, `memory` the address space of the process that runs kernels, in bytes. Once a first candidate,
    the baseline as a rule, has passed, the others may take some times as long as that: compilers need minutes for a
    text that is unrolled without end. A worker that is over its time is killed, one that crashed is replaced. It
    times candidates where it finds a device.

    `evaluate`, `promote` and `confirm` raise OracleError where the task itself cannot say what is right.
    """

    def __init__(
        self, task: Path, *, seconds: float = 20.0, budget: float = 300.0, memory: int = MEMORY
    ) -> None:
        worker = [sys.executable, "-m", "cu2mlx.refine.evaluate.worker", str(task), str(seconds), str(memory)]
        self._program = Program(worker)
        self._budget = budget
        self._has_passed = False

    def evaluate(self, candidate: Candidate) -> Verdict:
        """Correctness of a candidate, and its time where there is a device."""
        start = time.monotonic()
        verdict = self._verdict("evaluate", candidate)
        if verdict.passed and not self._has_passed:
            self._has_passed = True
            self._budget = min(self._budget, max(LEAST_BUDGET, TIMES_FIRST * (time.monotonic() - start)))
        return verdict

    def promote(self, candidate: Candidate) -> Verdict:
        """The held-out cases."""
        return self._verdict("promote", candidate)

    def confirm(self, candidate: Candidate) -> Verdict:
        """As evaluate, in a worker that has run nothing else."""
        self._program.close()
        return self.evaluate(candidate)

    def measure(self, candidate: Candidate) -> Measured:
        """Each shape against each baseline; the search is over, so whatever is in the way is data."""
        try:
            answer = self._ask("measure", candidate, MEASURING)
        except OracleError as error:
            return Measured(problem=str(error))
        except TimeoutError:
            return Measured(problem=f"it did not end within {MEASURING:g} s")
        except Stopped as stopped:
            return Measured(problem=f"the worker ended ({stopped})")
        return Measured(tuple(answer["shapes"]), answer["problem"])

    def _verdict(self, request: str, candidate: Candidate) -> Verdict:
        try:
            return Verdict.from_json(self._ask(request, candidate, self._budget))
        except TimeoutError:
            return Verdict(Status.TIMEOUT, "worker", f"the evaluation did not end within {self._budget:g} s")
        except Stopped as stopped:
            return Verdict(Status.CRASH, "worker", f"the evaluation ended its process ({stopped})")

    def _ask(self, request: str, candidate: Candidate, budget: float) -> dict[str, Any]:
        line = json.dumps({"request": request, "candidate": candidate.as_json(), "budget": budget})
        self._program.send(line)
        answer: dict[str, Any] = json.loads(self._program.receive_line(time.monotonic() + budget))
        if "error" in answer:
            raise OracleError(answer["error"])
        if "unforeseen" in answer:
            raise Stopped(1, answer["unforeseen"])
        return answer

    def close(self) -> None:
        self._program.close()
