"""Search on this machine's GPU, then time what was found against every baseline, as one command:

python bench/device/search.py [TASK…] [--seconds 240] [--rounds 400] [--out FOLDER]

Runs `cu2mlx optimize TASK` for `--seconds` each (one that does not end by itself is interrupted, and keeps what it
has), and `cu2mlx bench TASK --candidate RUN`. Leaves in FOLDER one archive with the run folders, which `cu2mlx optimize
--replay` takes, and shapes_TASK.json for each task. Without --out it only says what is here and what is missing.
"""

import argparse
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
from pathlib import Path

from cu2mlx.refine.evaluate.device import device_here
from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.cuda import mlx_operation

TASKS = ("seeds/attention_decode", "seeds/mamba1_scan")
GRACE = 120.0  # seconds for a search that was asked to end: it finishes the candidate at hand


def needs() -> list[str]:
    """What the search lacks here; says what is here, and what its comparison goes without."""
    device = device_here()
    print(f"GPU: {'none' if device is None else device.device}")
    print(f"baselines: {mlx_operation.unavailable() or 'inside MLX'}")
    reasons = (
        "a GPU: NVIDIA's with NVRTC, or Apple's with MLX" if device is None else None,
        CpuExecutor().unavailable(),
    )
    return [each for each in reasons if each is not None]


def search(task: str, folder: Path, rounds: int, seconds: float) -> int:
    """The exit code of cu2mlx optimize, which is interrupted as by Ctrl-C when it does not end in time by itself."""
    limits = ["--rounds", str(rounds), "--seconds", f"{seconds:g}"]
    command = [sys.executable, "-m", "cu2mlx", "optimize", task, *limits, "-o", str(folder)]
    process = subprocess.Popen(command)
    try:
        return process.wait(timeout=seconds + GRACE)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
        try:
            return process.wait(timeout=GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            return process.wait()


def measure(task: str, folder: Path, out: Path) -> int:
    """The exit code of cu2mlx bench; its JSON goes to `out`."""
    command = [sys.executable, "-m", "cu2mlx", "bench", task, "--candidate", str(folder), "--json"]
    finished = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    out.write_bytes(finished.stdout)
    return finished.returncode


def name_of(task: str) -> str:
    path = Path(task)
    return path.name if path.suffix != ".toml" else f"{path.parent.name}-{path.stem}"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("tasks", nargs="*", default=TASKS, metavar="TASK")
    parser.add_argument("--seconds", type=float, default=240.0, help="for the search of one task")
    parser.add_argument("--rounds", type=int, default=400)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    lacking = needs()
    for each in lacking:
        print(f"needs {each}")
    if lacking or options.out is None:
        return 3 if lacking else 0
    options.out.mkdir(parents=True, exist_ok=True)
    failed = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        tarfile.open(options.out / "runs.tar.gz", "w:gz") as archive,
    ):
        for task in options.tasks:
            started = time.monotonic()
            run = Path(folder) / name_of(task)
            codes = [search(task, run, options.rounds, options.seconds)]
            searched = time.monotonic() - started
            codes.append(measure(task, run, options.out / f"shapes_{name_of(task)}.json"))
            if run.exists():
                archive.add(run, run.name)
            total = time.monotonic() - started
            print(f"{task}: optimize ended with {codes[0]} after {searched:.0f} s")
            print(f"{task}: bench ended with {codes[1]} after {total:.0f} s")
            failed += any(codes)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
