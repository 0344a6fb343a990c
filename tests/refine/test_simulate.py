"""Sweeps as data, and strategies compared on them; the shipped ones are what the built-in search is judged by."""

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from landscapes import bowl, recorded, rugged

from cu2mlx.refine.propose.tune import BUILT_IN
from cu2mlx.refine.propose.tune.chance import Chance
from cu2mlx.refine.propose.tune.lattice import Lattice, Point
from cu2mlx.refine.propose.tune.strategy import Seen, unseen
from cu2mlx.refine.propose.tune.tuner import patience
from cu2mlx.refine.simulate.runner import Walk, compare, walk
from cu2mlx.refine.simulate.sweep import Result, SweepError, read_sweep

SHIPPED = sorted((Path(__file__).parents[2] / "bench" / "results" / "sweeps").glob("*.json"))
LARGE = [
    path for path in SHIPPED if len(read_sweep(path).results) >= 100
]  # less is as well swept as searched


LINE = Lattice(("a",), (tuple(range(40)),), tuple((n,) for n in range(40)), (0,))


class Ascending:
    """Tries points in their order."""

    name = "ascending"

    def next(self, lattice: Lattice, seen: Seen, seed: int) -> Point | None:
        return next(iter(unseen(lattice, seen)), None)


@pytest.fixture
def sweep_file(tmp_path: Path) -> Path:
    path = tmp_path / "sweep.json"
    path.write_text(recorded(*rugged(2, dimensions=3)).dump())
    return path


def test_a_sweep_is_read_back(sweep_file: Path) -> None:
    assert read_sweep(sweep_file) == recorded(*rugged(2, dimensions=3))
    assert read_sweep(sweep_file).dump() == sweep_file.read_text()


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"start"', '"begin"', "no sweep of bench/sweep.py"),
        ('"at": [1, ', '"at": [3, ', "start"),
        ('"seconds"', '"failure"', "no point that was timed"),
        ("{", "", "no sweep"),
    ],
)
def test_other_files_are_refused(sweep_file: Path, old: str, new: str, message: str) -> None:
    sweep_file.write_text(sweep_file.read_text().replace(old, new))
    with pytest.raises(SweepError, match=message):
        read_sweep(sweep_file)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(SweepError, match="No such file"):
        read_sweep(tmp_path / "none.json")


def test_evaluations_are_counted_to_the_first_good_point() -> None:
    lattice, costs = bowl(1, dimensions=3)
    sweep = recorded(lattice, costs)
    order = [Chance().next(lattice, {}, 5)]
    lucky = replace(sweep, results={**sweep.results, order[0]: Result(1e-9)})  # type: ignore[dict-item]
    assert walk(lucky, Chance(), 5).needed == 1
    assert walk(sweep, Chance(), 5, share=1e-9).needed == 1
    assert 1 < walk(sweep, Chance(), 5, share=1.0).needed <= len(lattice.points)


def test_a_walk_says_where_the_tuner_would_have_stopped() -> None:
    flat = recorded(LINE, dict.fromkeys(LINE.points, 2.0) | {LINE.points[-1]: 1.0})
    found = walk(flat, Ascending(), 0)
    enough = patience(1, is_tuned=False)
    assert found == Walk(needed=len(LINE.points), stopped=enough + 2, reached=0.5)
    short = replace(flat, results=dict(list(flat.results.items())[-3:]), start=LINE.points[-3])
    assert walk(short, Ascending(), 0) == Walk(needed=3, stopped=3, reached=1.0)


def test_a_comparison_has_a_row_for_each_strategy() -> None:
    rows = list(compare(recorded(*bowl(1, dimensions=3)), [BUILT_IN, Chance()], seeds=10))
    assert [row.strategy for row in rows] == ["surrogate", "random"]
    assert all(1 <= row.lower <= row.median <= row.upper for row in rows)
    assert all(0 < row.least <= row.reached <= 1 and row.stopped > 1 for row in rows)


def test_the_command(sweep_file: Path) -> None:
    command = [sys.executable, "-m", "cu2mlx.refine.simulate", "--seeds", "4"]
    plain = subprocess.run([*command, str(sweep_file)], capture_output=True, text=True, check=True)
    assert "made-up on no device" in plain.stdout and "descent" in plain.stdout
    as_json = subprocess.run(
        [*command, "--json", str(sweep_file)], capture_output=True, text=True, check=True
    )
    assert {row["strategy"] for row in json.loads(as_json.stdout)[0]["strategies"]} >= {"surrogate", "random"}
    wrong = subprocess.run([*command, "nowhere.json"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2 and "nowhere.json: cannot be read" in wrong.stderr


def test_two_large_sweeps_are_shipped() -> None:
    assert len(LARGE) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("path", LARGE, ids=lambda path: path.stem)
def test_the_built_in_search_needs_at_most_half_of_random_search_s_evaluations(path: Path) -> None:
    sweep = read_sweep(path)
    built_in, chance = compare(sweep, [BUILT_IN, Chance()], seeds=7)
    assert built_in.median <= chance.median / 2
    assert built_in.reached > 0.9  # where the tuner stops
