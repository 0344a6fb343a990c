"""The recorded runs of bench/results replay: no GPU, no model, whatever today's translator makes of the task."""

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from cu2mlx.cli import main

RUNS = Path(__file__).parents[2] / "bench" / "results" / "optimize"


@pytest.mark.parametrize("run", sorted(path.parent.name for path in RUNS.glob("*/journal.jsonl")))
def test_replay(run: str, tmp_path: Path) -> None:
    again = tmp_path / "again"
    result = CliRunner().invoke(main, ["optimize", "--replay", str(RUNS / run), "-o", str(again)])
    assert result.exit_code == 0, result.output
    assert (again / "journal.jsonl").read_bytes() == (RUNS / run / "journal.jsonl").read_bytes()
    assert (again / "result.json").read_bytes() == (RUNS / run / "result.json").read_bytes()
    assert json.loads((again / "result.json").read_text())["timed"]
    compile((again / "best_mlx.py").read_text(), "best_mlx.py", "exec")


@pytest.mark.parametrize("kind", ["evaluate", "promote", "ask", "end", "measure"])
def test_an_outcome_of_another_version_is_refused(kind: str, tmp_path: Path) -> None:
    """Not with a traceback, and whatever the kind of record."""
    shutil.copytree(RUNS / "mamba1_scan", tmp_path / "run")
    journal = tmp_path / "run" / "journal.jsonl"
    records = [json.loads(line) for line in journal.read_text().splitlines()]
    next(record for record in records if record["kind"] == kind)["outcome"] = {"colour": "red"}
    journal.write_text("".join(f"{json.dumps(record)}\n" for record in records))
    result = CliRunner().invoke(main, ["optimize", "--replay", str(tmp_path / "run")])
    assert result.exit_code == 2
    assert f"the outcome of a '{kind}' record cannot be read" in result.output


def test_there_are_runs() -> None:
    assert list(RUNS.glob("*/journal.jsonl"))
