"""The archive: what it remembers of candidates and failures; and that a search runs nothing twice."""

from pathlib import Path

from questions import task
from test_loop import INSERT, Machine, Notes, Script, kernel, search, still

from cu2mlx.refine.archive import REMEMBERED, Archive
from cu2mlx.refine.budget import Options
from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.verdict import Status, Timing, Verdict
from cu2mlx.refine.journal import Journal, read


def verdict(message: str, status: Status = Status.WRONG) -> Verdict:
    return Verdict(status, "correctness", message)


def test_failures_are_counted_by_kind_and_the_latest_kept() -> None:
    archive = Archive()
    archive.add(Candidate("", "good;"), Verdict(Status.PASSED, "timing", "", Timing("d", 1, 1, 0, 1, 1)))
    for number in range(REMEMBERED + 3):
        archive.add(Candidate("", f"a{number};"), verdict(f"kind  {number}\n  at x[{number}]"))
    archive.add(Candidate("", "b;"), verdict("kind 4 at x[4]"))
    archive.unreadable.append(verdict("no code", Status.UNREADABLE))
    archive.gates["k"] = verdict("differs")
    failures = archive.failures()
    assert len(failures) == REMEMBERED and failures[-1] == "1× wrong (correctness): differs"
    assert "2× wrong (correctness): kind 4 at x[4]" in failures
    assert not any("kind 0" in each for each in failures)


def test_the_same_text_is_not_run_twice_and_the_model_is_told(tmp_path: Path) -> None:
    """Machine fails where it is asked for the same candidate again; comments make no other candidate."""
    first, spaced = kernel(5, "bad;"), kernel(5, "  bad  ; // once more\n")
    script = Script([INSERT.format("root", "tile", 0.9), first, spaced, spaced])
    machine = Machine()
    run = search(tmp_path / "j", script, machine=machine, options=Options(rounds=99, stagnation=3))
    run.run()
    assert len(run.session.archive.verdicts) == 2 and len(machine.asked) == 2  # the baseline and this one
    assert "This text was tried before. off by one" in script.prompts[-2][1]


def test_a_text_is_in_the_journal_once(tmp_path: Path) -> None:
    """The tuner's points of it are numbers alone; a replay finds them by the same numbers."""
    story = [INSERT.format("root", "tile", 0.9), kernel(8), "no more", 'summary "done"']
    run = search(tmp_path / "j", Script(story), options=Options(rounds=99, stagnation=1))
    run.run()
    evaluated = [
        record["given"]["candidate"] for record in read(tmp_path / "j") if record["kind"] == "evaluate"
    ]
    assert len(evaluated) > 5
    assert [each["body"] for each in evaluated[:2]] == [task().seed.body, "us += 1;" * 8 + "\n"]
    assert all(each.keys() == {"grid", "block", "numbers", "text_of"} for each in evaluated[2:])
    assert {each["text_of"] for each in evaluated[2:]} == {1}


def test_failures_are_in_the_prompts_of_other_decisions(tmp_path: Path) -> None:
    story = [
        INSERT.format("root", "tile", 0.6) + INSERT.format("root", "unroll", 0.5),
        kernel(5, "bad;"),
        'summary "tiles do not fit"',
        kernel(4),
    ]
    script = Script(story)
    search(tmp_path / "j", script, options=Options(rounds=99, stagnation=1)).run()
    kind, prompt = script.prompts[3]
    assert str(kind) == "first" and "unroll: d" in prompt
    assert "1× wrong (correctness): off by one" in prompt


def test_a_resumed_run_has_the_same_archive(tmp_path: Path) -> None:
    """It is asked again for what the journal has, and the machine for nothing."""
    story = [INSERT.format("root", "tile", 0.9), kernel(5, "bad;"), kernel(8), kernel(9), ""]
    options = Options(rounds=99, stagnation=1)
    first = search(tmp_path / "j", Script(list(story)), options=options)
    first.run()
    first.session.journal.close()
    idle = Machine()
    again = search(
        tmp_path / "j", Script([]), machine=idle, options=options, observer=Notes(),
        journal=Journal.resume(tmp_path / "j", still),
    )  # fmt: skip
    again.run()
    assert again.session.archive == first.session.archive and not idle.asked
    assert task().seed.key in again.session.archive
