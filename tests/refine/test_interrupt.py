"""A real process is stopped in the middle; what --resume makes of it is what an undisturbed run comes to."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from questions import SEEDS

from cu2mlx.cli import main
from cu2mlx.runtime.cpu.executor import CpuExecutor

pytestmark = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)
TASK = str(SEEDS / "softmax")
OPTIONS = ["--rounds", "4", "--hardware", "apple-m5"]


def started(run: Path, *options: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "cu2mlx", "optimize", TASK, "-o", str(run), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(journal: Path, records: int, process: "subprocess.Popen[str]") -> None:
    end = time.monotonic() + 60
    while not journal.exists() or journal.read_bytes().count(b"\n") < records:
        assert time.monotonic() < end and process.poll() is None, "the run is over before it was stopped"
        time.sleep(0.01)


def resume(run: Path, *options: str) -> None:
    result = CliRunner().invoke(main, ["optimize", "--resume", str(run), *options])
    assert result.exit_code == 0, result.output


def timeless(data: Any) -> Any:
    """Without the seconds that things took, which no two runs have in common."""
    if isinstance(data, dict):
        return {key: timeless(value) for key, value in data.items() if key != "seconds"}
    return [timeless(each) for each in data] if isinstance(data, list) else data


def state(run: Path) -> dict[str, Any]:
    return {
        "journal": [timeless(json.loads(line)) for line in (run / "journal.jsonl").read_text().splitlines()],
        "result": timeless(json.loads((run / "result.json").read_text())),
        "best": (run / "best_mlx.py").read_text(),
        "settings": (run / "run.json").read_text(),
    }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """An undisturbed run."""
    run = tmp_path_factory.mktemp("whole") / "run"
    assert CliRunner().invoke(main, ["optimize", TASK, "-o", str(run), *OPTIONS]).exit_code == 0
    return state(run)


@pytest.mark.parametrize(
    ("how", "records"), [(signal.SIGINT, 2), (signal.SIGINT, 6), (signal.SIGKILL, 4), (signal.SIGKILL, 9)]
)
def test_stopped_and_resumed_is_the_same_run(
    tmp_path: Path, whole: dict[str, Any], how: signal.Signals, records: int
) -> None:
    assert len(whole["journal"]) > 10
    run = tmp_path / "run"
    process = started(run, *OPTIONS)
    wait_for(run / "journal.jsonl", records, process)
    process.send_signal(how)
    output, _ = process.communicate(timeout=60)
    before = (run / "journal.jsonl").read_bytes()
    assert before.count(b"\n") < len(whole["journal"])
    if how is signal.SIGINT:
        assert process.returncode == 0 and f"go on with: cu2mlx optimize --resume {run}" in output
    resume(run)
    after = (run / "journal.jsonl").read_bytes()
    assert after.startswith(before[: before.rfind(b"\n") + 1]) and after != before
    for name, expected in state(run).items():
        assert expected == whole[name], name


def test_more_rounds_later_are_the_same_as_at_once(tmp_path: Path, whole: dict[str, Any]) -> None:
    """But for the records that closed the shorter run, which stay where they are."""
    run = tmp_path / "run"
    short = ["optimize", TASK, "-o", str(run), "--rounds", "1", "--hardware", "apple-m5"]
    assert CliRunner().invoke(main, short).exit_code == 0
    resume(run, "--rounds", "4")
    found = state(run)
    assert found["best"] == whole["best"] and found["settings"] == whole["settings"]
    assert found["result"] == whole["result"]
    records = [{**record, "n": 0} for record in found["journal"]]
    last = records.index(next(record for record in records[::-1] if not record["is_closing"]))
    open_ones = [record for record in records[:last] if not record["is_closing"]] + records[last:]
    assert len(open_ones) < len(records)
    assert open_ones == [{**record, "n": 0} for record in whole["journal"]]
    again = tmp_path / "again"
    replay = CliRunner().invoke(main, ["optimize", "--replay", str(run), "-o", str(again)])
    assert replay.exit_code == 0
    for name in ("journal.jsonl", "result.json", "report.html", "best_mlx.py"):
        assert (again / name).read_bytes() == (run / name).read_bytes(), name


def test_a_search_in_the_background_is_stopped_too(tmp_path: Path) -> None:
    """A shell starts it with the signal ignored."""
    run = tmp_path / "run"
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = started(run, "--proposer", "command:sleep 60")
    finally:
        signal.signal(signal.SIGINT, before)
    wait_for(run / "journal.jsonl", 3, process)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=30)
    assert process.returncode == 0 and "stopped before its end" in output


def test_stopped_while_a_model_thinks(tmp_path: Path) -> None:
    run = tmp_path / "run"
    process = started(run, "--proposer", "command:sleep 60")
    wait_for(run / "journal.jsonl", 3, process)
    time.sleep(0.3)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=30)
    assert process.returncode == 0 and "stopped before its end" in output
    assert (run / "report.html").exists() and (run / "best_mlx.py").exists()
