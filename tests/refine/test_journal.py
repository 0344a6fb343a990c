"""The journal: append, crash, resume, replay."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from cu2mlx.refine.journal import EndOfJournal, Journal, JournalError, read


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
    run(Journal(path), 3, produced)
    assert run(Journal.resume(path), 5, produced) == run(Journal(whole), 5, [])
    assert produced == [0, 1, 2, 3, 4]
    assert path.read_bytes() == whole.read_bytes()


@pytest.mark.parametrize("cut", [1, 7, 30])
def test_a_line_that_a_crash_cut_off_is_dropped(tmp_path: Path, cut: int) -> None:
    path, whole = tmp_path / "a", tmp_path / "b"
    run(Journal(path), 4, [])
    run(Journal(whole), 4, [])
    path.write_bytes(path.read_bytes()[:-cut])
    produced: list[int] = []
    run(Journal.resume(path), 4, produced)
    assert produced == [3]
    assert path.read_bytes() == whole.read_bytes()


def test_replay_is_byte_for_byte_and_produces_nothing(tmp_path: Path) -> None:
    run(Journal(tmp_path / "a"), 4, [])
    produced: list[int] = []
    run(Journal(tmp_path / "b", read(tmp_path / "a"), replay_only=True), 4, produced)
    assert not produced
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    with pytest.raises(EndOfJournal):
        run(Journal(tmp_path / "c", read(tmp_path / "a"), replay_only=True), 5, produced)


def test_another_search_is_noticed(tmp_path: Path) -> None:
    run(Journal(tmp_path / "a"), 2, [])
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
