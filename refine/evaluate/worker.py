"""Evaluates candidates in a process of its own: `python -m cu2mlx.refine.evaluate.worker TASK SECONDS MEMORY`.

One request a line on standard input, one answer a line on standard output, both JSON.
"""

import json
import os
import resource
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
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
from cu2mlx.refine.recorded import RecordedTask
from cu2mlx.refine.task import Task, load_task
from cu2mlx.runtime.cpu.executor import CpuExecutor

Answer = Mapping[str, Any]
OUT_OF_MEMORY = Verdict(Status.OUT_OF_MEMORY, "worker", "the evaluation needs more memory than there is")


def serve(task: Task, seconds: float, memory: int) -> None:
    """Answers until standard input ends. Running out of memory is a verdict, whoever runs out of it here."""
    bench = Bench(task, CpuExecutor(memory=memory), seconds=seconds)
    device = device_here()
    if (
        device is None and sys.platform == "linux"
    ):  # a GPU's driver reserves more address space than there is memory
        _limit_memory()
    fastest, broken = 0.0, ""
    if device is not None:
        with device_lock():
            fastest = least_seconds(task, device)
            if ghost_passes(task, device):
                broken = (
                    f"on {device.device} a kernel that does nothing passes: nothing it says can be believed"
                )
    answers: Mapping[str, Callable[[Candidate], Answer]] = {
        "evaluate": lambda candidate: evaluate(
            bench, candidate, device=device, least_seconds=fastest
        ).as_json(),
        "promote": lambda candidate: promote(bench, candidate, device=device).as_json(),
        "measure": lambda candidate: {"shapes": measured(task, candidate, device), "problem": ""},
    }
    for line in sys.stdin:
        request = json.loads(line)
        _limit_processor_time(request["budget"])
        try:
            if broken:
                raise OracleError(broken)
            answer = answers[request["request"]](Candidate.from_json(request["candidate"]))
        except OracleError as error:
            answer = {"error": str(error)}
        except MemoryError:
            answer = OUT_OF_MEMORY.as_json() | {"shapes": [], "problem": OUT_OF_MEMORY.message}
        print(json.dumps(answer), flush=True)


def measured(task: Task, candidate: Candidate, device: TimedDevice | None) -> list[dict[str, Any]]:
    if device is None:
        return []
    from cu2mlx.refine.measure import measure_shapes

    with device_lock():
        return [shape.as_json() for shape in measure_shapes(task, candidate, device)]


def task_of(path: Path) -> Task:
    """The task of a spec file, or the one that a run's journal begins with."""
    if path.suffix != ".jsonl":
        return load_task(path)
    return RecordedTask.from_json(read(path)[0]["outcome"]).task(for_evaluation=True)


def _limit_memory() -> None:
    """What takes more than this machine has (a compiler, a reference) fails here, not elsewhere."""
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


if __name__ == "__main__":
    serve(task_of(Path(sys.argv[1])), float(sys.argv[2]), int(sys.argv[3]))
