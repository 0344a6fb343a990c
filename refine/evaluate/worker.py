"""Evaluates candidates in a process of its own: `python -m cu2mlx.refine.evaluate.worker TASK SECONDS MEMORY`.

One request a line on standard input, one answer a line on standard output, both JSON.
"""

import json
import os
import resource
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.canary import ghost_passes
from cu2mlx.refine.evaluate.cascade import evaluate, promote
from cu2mlx.refine.evaluate.device import TimedDevice, device_here
from cu2mlx.refine.evaluate.lock import device_lock
from cu2mlx.refine.evaluate.oracle import OracleError
from cu2mlx.refine.evaluate.speed_limit import least_seconds
from cu2mlx.refine.evaluate.trial import Bench
from cu2mlx.refine.evaluate.verdict import Status, Verdict
from cu2mlx.refine.journal import read
from cu2mlx.refine.parts import Measured
from cu2mlx.refine.recorded import RecordedTask
from cu2mlx.refine.task import Task, TaskError, load_task
from cu2mlx.runtime.cpu.executor import CpuExecutor

Answer = Mapping[str, Any]
LONGEST_WORDS = 1000  # characters
OUT_OF_MEMORY = Verdict(Status.OUT_OF_MEMORY, "worker", "the evaluation needs more memory than there is")


@dataclass(frozen=True, slots=True)
class Examiner:
    """Answers requests, each method one kind. `least_seconds`: no honest kernel is faster on `device`."""

    bench: Bench
    device: TimedDevice | None
    least_seconds: float

    @staticmethod
    def of(task: Task, seconds: float, memory: int) -> "Examiner":
        """Raises OracleError where there is a device that cannot be believed."""
        bench = Bench(task, CpuExecutor(memory=memory), seconds=seconds)
        device = device_here()
        if device is None:
            _limit_memory()
            return Examiner(bench, None, 0.0)
        with device_lock():
            if ghost_passes(task, device):
                raise OracleError(
                    f"on {device.device} a kernel that does nothing passes: it cannot be believed"
                )
            return Examiner(bench, device, least_seconds(task, device))

    def evaluate(self, candidate: Candidate) -> Answer:
        verdict = evaluate(self.bench, candidate, device=self.device, least_seconds=self.least_seconds)
        return verdict.as_json()

    def promote(self, candidate: Candidate) -> Answer:
        return promote(self.bench, candidate, device=self.device).as_json()

    def measure(self, candidate: Candidate) -> Answer:
        if self.device is None:
            return asdict(Measured())
        from cu2mlx.refine.measure import measure_shapes

        with device_lock():
            shapes = measure_shapes(self.bench.task, candidate, self.device)
        return asdict(Measured(tuple(shape.as_json() for shape in shapes)))


REQUESTS: Mapping[str, Callable[[Examiner, Candidate], Answer]] = {
    "evaluate": Examiner.evaluate,
    "promote": Examiner.promote,
    "measure": Examiner.measure,
}


def serve(task: Task, seconds: float, memory: int) -> None:
    """Answers until standard input ends. Running out of memory is a verdict, whoever runs out of it here."""
    examiner: Examiner | None = None
    for line in sys.stdin:
        request = json.loads(line)
        _limit_processor_time(request["budget"])
        try:
            examiner = examiner or Examiner.of(task, seconds, memory)
            answer = REQUESTS[request["request"]](examiner, Candidate.from_json(request["candidate"]))
        except (OracleError, TaskError) as error:
            answer = {"error": str(error)}
        except MemoryError:
            answer = OUT_OF_MEMORY.as_json() | asdict(Measured(problem=OUT_OF_MEMORY.message))
        print(json.dumps(answer), flush=True)


def task_of(path: Path) -> Task:
    """The task of a spec file, or the one that a run's journal begins with."""
    if path.suffix != ".jsonl":
        return load_task(path)
    return RecordedTask.from_json(read(path)[0]["outcome"]).task(for_evaluation=True)


def _limit_memory() -> None:
    """What takes more than this machine has (a compiler, a reference) fails here, not elsewhere. A GPU's driver
    reserves more address space than that, so it is for machines without one; macOS ignores such limits."""
    if sys.platform != "linux":
        return
    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(
        resource.RLIMIT_AS, (limit if hard == resource.RLIM_INFINITY else min(limit, hard), hard)
    )


def _limit_processor_time(budget: float) -> None:
    """A compiler that never ends dies by itself, even after this process was killed: children inherit this."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime + budget) + 1
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(
        resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard)
    )


def _last_words(kind: type[BaseException], error: BaseException, _: TracebackType | None) -> None:
    """Instead of a traceback that nobody reads: what has ended this process, as the answer to its last request."""
    print(json.dumps({"unforeseen": f"{kind.__name__}: {error}"[:LONGEST_WORDS]}), flush=True)


if __name__ == "__main__":
    sys.excepthook = _last_words
    serve(task_of(Path(sys.argv[1])), float(sys.argv[2]), int(sys.argv[3]))
