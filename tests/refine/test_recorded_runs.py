"""The recorded runs of bench/results replay: no GPU, no model, whatever today's translator makes of the task."""

import json
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


def test_there_are_runs() -> None:
    assert list(RUNS.glob("*/journal.jsonl"))
