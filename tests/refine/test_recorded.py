"""A timed run in its folder, whatever ends it, and its replay: the same bytes; the task as it was recorded."""

import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from questions import task
from reports import shapes
from test_loop import STORY, Machine, Script, kernel

from cu2mlx.refine.budget import Options
from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.journal import Journal, JournalError
from cu2mlx.refine.outcome import Outcome
from cu2mlx.refine.parts import Measured
from cu2mlx.refine.propose.protocol import Question, Reply
from cu2mlx.refine.recorded import RecordedTask
from cu2mlx.refine.run import JOURNAL, replayed, search_in
from cu2mlx.refine.settings import Settings
from cu2mlx.refine.task import TaskError

FILES = {"run.json", "journal.jsonl", "result.json", "report.html", "best_mlx.py"}


@dataclass
class Measuring(Machine):
    """`problem`: why nothing can be measured against baselines."""

    problem: str = ""

    def measure(self, candidate: Candidate) -> Measured:
        return Measured(problem=self.problem) if self.problem else Measured(tuple(shapes()))


def ignore(line: str | None, status: str) -> None:
    pass


def run(folder: Path, script: Script, machine: Machine, options: Options) -> Outcome:
    folder.mkdir()
    settings = Settings("softmax", "script", options=options)
    settings.write(folder)
    journal = Journal(folder / JOURNAL)
    journal.event("task", {}, RecordedTask.of(task()).as_json)
    return search_in(settings, script, machine, folder, journal, task(), ignore)


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


class Interrupted(Script):
    """Ctrl-C while the model is asked for the last time."""

    def ask(self, question: Question) -> Reply:
        if not self.answers:
            raise KeyboardInterrupt
        return Script.ask(self, question)


class Slow(Script):
    """Takes 30 ms to answer."""

    def ask(self, question: Question) -> Reply:
        time.sleep(0.03)
        return Script.ask(self, question)


LONG = Options(rounds=99, stagnation=3)


@pytest.mark.parametrize(
    ("make", "options", "reason"),
    [
        (lambda: Script(list(STORY)), LONG, "the script is over"),
        (lambda: Script(list(STORY)), Options(rounds=6, stagnation=3), "all 6 rounds are spent"),
        (lambda: Script(list(STORY)), Options(budget_usd=2.0), "the budget of 2 USD is spent"),
        (lambda: Interrupted(list(STORY[:9])), LONG, "stopped before its end"),
        (lambda: Slow(list(STORY)), Options(seconds=0.1), "the 0.1 seconds are over"),
    ],
)
def test_a_replay_has_the_same_bytes(
    tmp_path: Path, make: Callable[[], Script], options: Options, reason: str
) -> None:
    outcome = run(tmp_path / "run", make(), Measuring(), options)
    assert outcome.reason == reason
    again = replayed(tmp_path / "run", tmp_path / "again", ignore)
    assert set(files(tmp_path / "run")) == FILES
    for name, data in files(tmp_path / "run").items():
        assert files(tmp_path / "again")[name] == data, name
    assert again.reason == reason and again.search.best == outcome.search.best
    assert json.loads(files(tmp_path / "again")["result.json"])["best_is_baseline"] == (
        outcome.search.best == task().seed
    )


def test_a_cycle_that_the_budget_cuts_short_keeps_its_winner(tmp_path: Path) -> None:
    """The rounds end while the winner of the only cycle is tuned; it is judged all the same, and may be best."""
    outcome = run(tmp_path / "run", Script([STORY[0], kernel(8)]), Measuring(), Options(rounds=1))
    assert outcome.reason == "the one round is spent"
    assert outcome.search.best.body.count("us += 1;") == 8
    assert outcome.search.world.node("n1").measured == pytest.approx(10 / 8)


def test_shapes_are_in_all_that_a_run_leaves(tmp_path: Path) -> None:
    outcome = run(tmp_path / "run", Script(list(STORY)), Measuring(), LONG)
    found = files(tmp_path / "run")
    assert json.loads(found["result.json"])["measured"]["shapes"] == shapes()
    assert "12.6×".encode() in found["report.html"]
    lines = list(outcome.lines())
    assert (
        "  long cache: 12.57× naive translation, 1.00× CUDA original, 0.76× mx.fast.scaled_dot_product_attention"
        in lines
    )
    assert "failed: 2 wrong, 1 unreadable" in lines
    assert any(
        line.startswith("best ") and "1.56× the baseline translation (1.55 to 1.58)" in line for line in lines
    )


def test_what_cannot_be_measured_is_said(tmp_path: Path) -> None:
    outcome = run(
        tmp_path / "run", Script(list(STORY)), Measuring(problem="it did not end within 900 s"), LONG
    )
    assert any("not measured against the baselines: it did not end" in line for line in outcome.lines())
    assert (
        b"Not measured against the baselines: it did not end within 900 s."
        in files(tmp_path / "run")["report.html"]
    )


def test_a_task_comes_back_as_it_was(tmp_path: Path) -> None:
    for name in ("softmax", "rms_norm", "attention_decode"):
        recorded = RecordedTask.of(task(name))
        again = RecordedTask.from_json(json.loads(json.dumps(recorded.as_json())))
        assert again == recorded and not list(again.changes())
        found = again.task(for_evaluation=True)
        assert found.reference is not None
        for field in (
            "name",
            "spec",
            "original",
            "interface",
            "binding",
            "space",
            "shown",
            "held_out",
            "timed",
        ):
            assert getattr(found, field) == getattr(task(name), field), field
    with pytest.raises(JournalError, match="does not begin with its task"):
        RecordedTask.from_json({"name": "x"})


def test_a_task_that_has_moved_is_asked_for_where_it_is_needed() -> None:
    moved = replace(RecordedTask.of(task("softmax")), path="elsewhere/task.toml")
    assert moved.task(for_evaluation=False).shown == task("softmax").shown
    with pytest.raises(TaskError, match=r"elsewhere/task.toml: the task of the run is not here.*put it back"):
        moved.task(for_evaluation=True)
