"""Evaluates candidates in a process of its own: `python -m cu2mlx.refine.evaluate.worker TASK SECONDS`.

One request a line on standard input, one verdict a line on standard output, both JSON.
"""

import fcntl
import json
import resource
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.cascade import evaluate, promote
from cu2mlx.refine.evaluate.device import TimedDevice, device_here
from cu2mlx.refine.evaluate.stages import Bench
from cu2mlx.refine.task import load_task
from cu2mlx.runtime.cpu.compiler import cache_folder
from cu2mlx.runtime.cpu.executor import CpuExecutor

MEMORY = 16 << 30  # bytes of address space for the process that runs kernels


def serve(path: Path, seconds: float) -> None:
    """Answers until standard input ends."""
    bench = Bench(load_task(path), CpuExecutor(memory=MEMORY), seconds=seconds)
    device = device_here()
    for line in sys.stdin:
        request = json.loads(line)
        _limit_processor_time(request["budget"])
        candidate = Candidate.from_json(request["candidate"])
        verdict = promote(bench, candidate) if request["gate"] else evaluate(bench, candidate, device=device)
        print(json.dumps(verdict.as_json()), flush=True)


@contextmanager
def _alone(device: TimedDevice | None) -> Iterator[None]:
    """One search at a time uses the device of this machine; others wait."""
    if device is None:
        yield
        return
    lock = cache_folder() / "device.lock"
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _limit_processor_time(budget: float) -> None:
    """A compiler that never ends dies by itself, even after this process was killed: children inherit this."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime + budget) + 1
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(
        resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard)
    )


if __name__ == "__main__":
    serve(Path(sys.argv[1]), float(sys.argv[2]))
