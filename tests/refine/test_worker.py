"""The worker process: it hangs, crashes, runs out of memory, and the search goes on; one device at a time."""

import io
import json
import shutil
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from questions import SEEDS, task
from test_device import stand_in

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate import worker
from cu2mlx.refine.evaluate.canary import ghost_passes
from cu2mlx.refine.evaluate.device import TimedDevice
from cu2mlx.refine.evaluate.isolated import IsolatedEvaluator
from cu2mlx.refine.evaluate.lock import device_lock
from cu2mlx.refine.evaluate.oracle import OracleError
from cu2mlx.refine.evaluate.verdict import Status, Verdict
from cu2mlx.refine.measure import ShapeResult
from cu2mlx.refine.parts import Measured
from cu2mlx.refine.report.shapes import table
from cu2mlx.refine.task import Task
from cu2mlx.runtime.cpu.executor import CpuExecutor

compiler = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)
SAXPY = SEEDS / "saxpy" / "task.toml"


def copied(folder: Path) -> Path:
    """The task of saxpy, to be changed."""
    shutil.copytree(SAXPY.parent, folder / "saxpy")
    return folder / "saxpy"


@contextmanager
def evaluator(**options: float) -> Iterator[IsolatedEvaluator]:
    made = IsolatedEvaluator(SAXPY, **options)  # type: ignore[arg-type]
    try:
        yield made
    finally:
        made.close()


@compiler
def test_a_kernel_that_hangs_is_stopped_and_the_next_one_runs() -> None:
    seed = task("saxpy").seed
    with evaluator(seconds=1.0) as other:
        hang = replace(seed, body="volatile uint on = 1; while (on) {}\n" + seed.body)
        assert other.evaluate(hang).status is Status.TIMEOUT
        assert other.evaluate(seed).passed
        assert other.promote(seed).passed
        assert other.measure(seed) == Measured()  # no device here, nothing to measure


def test_an_evaluation_over_its_budget_is_stopped() -> None:
    start = time.monotonic()
    with evaluator(budget=0.05) as other:
        verdict = other.evaluate(task("saxpy").seed)
    assert verdict.status is Status.TIMEOUT and verdict.stage == "worker" and "0.05 s" in verdict.message
    assert time.monotonic() - start < 10


@compiler
def test_later_evaluations_may_take_some_times_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cu2mlx.refine.evaluate.isolated.LEAST_BUDGET", 0.0)
    monkeypatch.setattr("cu2mlx.refine.evaluate.isolated.TIMES_FIRST", 0.0)
    seed = task("saxpy").seed
    with evaluator() as other:
        assert not other.evaluate(replace(seed, body="nonsense")).passed
        assert other.evaluate(seed).passed
        assert other.evaluate(seed).status is Status.TIMEOUT


@compiler
def test_memory_that_runs_out_is_a_verdict(tmp_path: Path) -> None:
    """Here where kernels run: buffers of 128 MB, in a process that may have 64 MB."""
    folder = copied(tmp_path)
    spec = (folder / "task.toml").read_text()
    (folder / "task.toml").write_text(
        spec[: spec.index("[[cases]]")] + '[[cases]]\nname = "large"\nn = 33554432\n'
    )
    other = IsolatedEvaluator(folder / "task.toml", memory=64 << 20)
    try:
        verdict = other.evaluate(task("saxpy").seed)
    finally:
        other.close()
    assert verdict.status is Status.OUT_OF_MEMORY, verdict


@pytest.mark.skipif(sys.platform != "linux", reason="limits of address space hold on Linux only")
def test_memory_of_the_worker_itself() -> None:
    """The oracle asks for more than the worker may have; the next request is answered all the same."""
    code = textwrap.dedent(f"""
        from dataclasses import replace
        import numpy
        from cu2mlx.refine.evaluate import worker
        from cu2mlx.refine.task import load_task
        from pathlib import Path
        task = load_task(Path({str(SAXPY)!r}))
        def greedy(**numbers):
            return {{"y": numpy.ones(1 << 36)}}
        worker.serve(replace(task, reference=greedy), 5.0, 4 << 30)
    """)
    request = json.dumps({"request": "evaluate", "candidate": task("saxpy").seed.as_json(), "budget": 60})
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=f"{request}\n{request}\n",
        capture_output=True,
        text=True,
        timeout=120,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["status"] for answer in answers] == ["out of memory"] * 2, done.stderr


@compiler
def test_an_oracle_that_does_not_run_is_the_tasks_fault(tmp_path: Path) -> None:
    """No candidate is blamed: there is nothing to compare with."""
    folder = copied(tmp_path)
    (folder / "reference.py").write_text(
        "from cu2mlx.refine.evaluate.oracle import OracleError\n"
        "def reference(**_):\n    raise OracleError('the CUDA original does not run: no such element')\n"
    )
    other = IsolatedEvaluator(folder / "task.toml")
    try:
        with pytest.raises(OracleError, match="the CUDA original does not run"):
            other.evaluate(task("saxpy").seed)
    finally:
        other.close()


@compiler
def test_an_error_that_nobody_foresaw_is_told(tmp_path: Path) -> None:
    folder = copied(tmp_path)
    (folder / "reference.py").write_text("def reference(**_):\n    return {'y': 1 / 0}\n")
    made = IsolatedEvaluator(folder / "task.toml")
    verdicts = [made.evaluate(task("saxpy").seed) for _ in range(2)]
    made.close()
    assert [each.status for each in verdicts] == [Status.CRASH] * 2
    assert verdicts[0].message.endswith("(exit status 1: ZeroDivisionError: division by zero)")


def test_what_is_in_the_way_of_measuring_is_no_end_of_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OracleError("no such baseline")

    monkeypatch.setattr(IsolatedEvaluator, "_ask", refuse)
    with evaluator() as made:
        assert made.measure(task("saxpy").seed) == Measured(problem="no such baseline")


BOMB = "".join(f"#define A{n} A{n + 1} A{n + 1}\n" for n in range(40)) + "#define A40 + 1\n"


def test_a_text_that_grows_without_end_in_the_compiler_is_stopped() -> None:
    """Forty macros that double each other: no stage gets through that, and the worker's time ends it."""
    seed = task("saxpy").seed
    with evaluator(budget=4.0) as other:
        verdict = other.evaluate(
            replace(seed, header=seed.header + BOMB, body=seed.body + "int end = 0 A0;\n")
        )
    assert not verdict.passed and verdict.status in (
        Status.TIMEOUT,
        Status.CRASH,
        Status.OUT_OF_MEMORY,
        Status.ILL_TYPED,
    )


@compiler
def test_a_worker_that_dies_is_replaced(tmp_path: Path) -> None:
    """Its reference ends the process at the first call, and lives afterwards."""
    folder = copied(tmp_path)
    reference = (folder / "reference.py").read_text()
    mark = folder / "died"
    dying = f"""
import os, pathlib
def once():
    mark = pathlib.Path({str(mark)!r})
    if not mark.exists():
        mark.touch()
        os.abort()
once()
"""
    (folder / "reference.py").write_text(reference + dying)
    other = IsolatedEvaluator(folder / "task.toml")
    try:
        first, second = other.evaluate(task("saxpy").seed), other.evaluate(task("saxpy").seed)
    finally:
        other.close()
    assert first.status is Status.CRASH and "SIGABRT" in first.message
    assert second.passed, second


@compiler
def test_a_worker_with_a_device(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Here MLX's CPU: checked there, timed, promoted and measured, each request answered."""
    pytest.importorskip("mlx.core")
    saxpy = task("saxpy")
    requests = [
        {"request": each, "candidate": saxpy.seed.as_json(), "budget": 120}
        for each in ("evaluate", "promote", "measure")
    ]
    monkeypatch.setattr(worker, "device_here", stand_in)
    monkeypatch.setattr(worker, "_limit_processor_time", lambda budget: None)  # it would be this process's
    monkeypatch.setattr("sys.stdin", io.StringIO("\n".join(map(json.dumps, requests))))
    worker.serve(replace(saxpy, shown=saxpy.shown[:1]), 10.0, 4 << 30)
    evaluated, promoted, measured = map(json.loads, capsys.readouterr().out.splitlines())
    assert evaluated["status"] == "passed" and evaluated["timing"]["device"] == "the CPU machine"
    assert promoted["status"] == "passed" and promoted["stage"] == "held-out"
    (shape,) = measured["shapes"]
    assert shape["case"] == saxpy.shown[0].name and shape["rows"][0]["name"] == "candidate"
    assert table([ShapeResult.from_json(shape)]) is not None


@compiler
def test_a_device_that_notices_nothing_is_not_believed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It finds everything right, also a kernel that does nothing."""
    pytest.importorskip("mlx.core")
    saxpy = task("saxpy")

    class Blind(TimedDevice):
        def check(self, task: Task, candidate: Candidate) -> Verdict | None:
            return None

    here = stand_in()
    assert not ghost_passes(saxpy, here)
    monkeypatch.setattr(worker, "device_here", lambda: Blind(here.launcher, here.oracle))
    monkeypatch.setattr(worker, "_limit_processor_time", lambda budget: None)
    request = {"request": "evaluate", "candidate": saxpy.seed.as_json(), "budget": 120}
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(request)))
    worker.serve(saxpy, 10.0, 4 << 30)
    assert "a kernel that does nothing passes" in json.loads(capsys.readouterr().out)["error"]


HOLD = """
import sys
from pathlib import Path
from cu2mlx.refine.evaluate.lock import device_lock
with device_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_one_process_at_a_time_has_the_device(tmp_path: Path) -> None:
    """A second one waits for the first, also where the first is killed."""
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert other.stdout is not None and other.stdout.readline() == "held\n"
    entered = threading.Event()

    def enter() -> None:
        with device_lock(tmp_path):
            entered.set()

    thread = threading.Thread(target=enter)
    thread.start()
    assert not entered.wait(0.3)
    other.kill()
    other.communicate()
    assert entered.wait(10)
    thread.join()
