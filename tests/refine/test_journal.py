"""The journal: append, crash, resume, replay."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cu2mlx.refine.journal import EndOfJournal, Journal, JournalError, read


def still() -> float:
    """A clock for journals whose bytes are compared."""
    return 0.0


def run(journal: Journal, upto: int, produced: list[int]) -> list[int]:
    """A small search: each event depends on the last one's outcome."""
    value, values = 0, []
    for number in range(upto):

        def produce(number: int = number, value: int = value) -> Mapping[str, Any]:
            produced.append(number)
            return {"value": value * 2 + number, "text": "é\n"}

        value = journal.event("step", {"number": number, "last": value}, produce)["value"]
        values.append(value)
    journal.close()
    return values


def test_resume_produces_only_what_is_missing(tmp_path: Path) -> None:
    path, whole = tmp_path / "a", tmp_path / "b"
    produced: list[int] = []
    run(Journal(path, clock=still), 3, produced)
    assert run(Journal.resume(path, still), 5, produced) == run(Journal(whole, clock=still), 5, [])
    assert produced == [0, 1, 2, 3, 4]
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("cut", [1, 7, 30])
def test_a_line_that_a_crash_cut_off_is_dropped(tmp_path: Path, cut: int) -> None:
    path, whole = tmp_path / "a", tmp_path / "b"
    run(Journal(path, clock=still), 4, [])
    run(Journal(whole, clock=still), 4, [])
    path.write_bytes(path.read_bytes()[:-cut])
    produced: list[int] = []
    run(Journal.resume(path, still), 4, produced)
    assert produced == [3]
    assert path.read_bytes() == whole.read_bytes()


def test_replay_is_byte_for_byte_and_produces_nothing(tmp_path: Path) -> None:
    run(Journal(tmp_path / "a", clock=still), 4, [])
    produced: list[int] = []
    run(Journal(tmp_path / "b", read(tmp_path / "a"), replay_only=True), 4, produced)
    assert not produced
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    with pytest.raises(EndOfJournal):
        run(Journal(tmp_path / "c", read(tmp_path / "a"), replay_only=True), 5, produced)


def summed_up(journal: Journal, steps: int, produced: list[int]) -> list[int]:
    """Some steps, and a closing record."""
    values = []
    for number in range(steps):
        try:
            values.append(
                journal.event("step", {"number": number}, lambda n=number: made(n, produced))["value"]
            )
        except EndOfJournal:
            values.append(-1)
            break
    journal.conclude()
    values.append(journal.event("end", {}, lambda: made(99, produced))["value"])
    journal.close()
    return values


def made(number: int, produced: list[int]) -> dict[str, int]:
    produced.append(number)
    return {"value": number}


def test_closing_records_are_passed_over_by_a_run_that_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "a"
    assert summed_up(Journal(path, clock=still), 2, []) == [0, 1, 99]
    produced: list[int] = []
    assert summed_up(Journal.resume(path, still), 4, produced) == [0, 1, 2, 3, 99] and produced == [2, 3, 99]
    assert [record["is_closing"] for record in read(path)] == [False, False, True, False, False, True]
    produced.clear()
    assert summed_up(Journal(tmp_path / "b", read(path), replay_only=True), 4, produced) == [0, 1, 2, 3, 99]
    assert not produced and (tmp_path / "b").read_bytes() == path.read_bytes()


def test_a_replay_of_a_run_that_ended_early_ends_there_too(tmp_path: Path) -> None:
    """The search would go on (its model was away, say); the closing records are answered all the same."""
    summed_up(Journal(tmp_path / "a", clock=still), 2, [])
    produced: list[int] = []
    found = summed_up(Journal(tmp_path / "b", read(tmp_path / "a"), replay_only=True), 5, produced)
    assert found == [0, 1, -1, 99] and not produced


def test_a_resumed_run_that_is_over_produces_nothing(tmp_path: Path) -> None:
    summed_up(Journal(tmp_path / "a", clock=still), 2, [])
    produced: list[int] = []
    assert summed_up(Journal.resume(tmp_path / "a"), 2, produced) == [0, 1, 99] and not produced


def test_notes_are_kept_and_not_compared_and_seconds_are_measured(tmp_path: Path) -> None:
    ticks = iter([1.0, 3.5])
    journal = Journal(tmp_path / "a", clock=lambda: next(ticks))
    journal.event("ask", {}, dict, notes={"prompt": "be fast"})
    journal.close()
    (record,) = read(tmp_path / "a")
    assert (record["notes"], record["seconds"]) == ({"prompt": "be fast"}, 2.5)
    again = Journal(tmp_path / "b", (record,), replay_only=True)
    again.event("ask", {}, dict, notes={"prompt": "worded otherwise"})
    again.close()
    assert again.seconds == {"ask": 2.5}
    assert (tmp_path / "b").read_bytes() == (tmp_path / "a").read_bytes()


def test_another_search_is_noticed(tmp_path: Path) -> None:
    run(Journal(tmp_path / "a", clock=still), 2, [])
    journal = Journal.resume(tmp_path / "a")
    with pytest.raises(JournalError, match="record 0 is 'step', but the search is at 'other'"):
        journal.event("other", {}, dict)
    journal.close()


def test_unusable_files(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be read"):
        read(tmp_path / "none")
    (tmp_path / "a").write_text("nonsense\n")
    with pytest.raises(JournalError, match="line 1 is not JSON"):
        read(tmp_path / "a")
    (tmp_path / "b").write_text('{"n": 1}\n')
    with pytest.raises(JournalError, match="line 1 is not record 0"):
        read(tmp_path / "b")


def test_two_processes_do_not_work_on_one_run(tmp_path: Path) -> None:
    first = Journal(tmp_path / "a", clock=still)
    first.event("step", {}, dict)
    for start in (Journal, Journal.resume):
        with pytest.raises(JournalError, match="another process is at work"):
            start(tmp_path / "a")
    first.close()
    Journal.resume(tmp_path / "a").close()
    assert len(read(tmp_path / "a")) == 1


def test_resuming_nothing_makes_nothing(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be read"):
        Journal.resume(tmp_path / "a")
    assert not list(tmp_path.iterdir())


def test_a_journal_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="cannot be written: Is a directory"):
        Journal(tmp_path)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs Linux's full device")
def test_a_full_disk_is_said_and_what_was_written_stays(tmp_path: Path) -> None:
    path = tmp_path / "a"
    journal = Journal(Path("/dev/full"), clock=still)
    with pytest.raises(JournalError, match="No space left on device; --resume goes on"):
        journal.event("step", {}, dict)
    journal.close()
    run(Journal(path, clock=still), 2, [])
    path.write_bytes(path.read_bytes() + b'{"n":2,"kin')  # what a disk that fills up leaves
    assert run(Journal.resume(path, still), 3, []) and len(read(path)) == 3
