"""The journal of a run: every event, one JSON object a line, appended and never changed.

The search asks the journal for each event. What is recorded is answered from the record; what is not is
produced, written, flushed to disk and only then used. So going on after a crash is reading from the start,
and a replay is the same with a producer that refuses.
"""

import contextlib
import fcntl
import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

Record = dict[str, Any]
_FIELDS = {"n", "kind", "given", "is_closing", "outcome", "seconds"}


class JournalError(Exception):
    """A journal that does not belong to this search, cannot be read or written, or is in use."""


class Journal:
    """Appends to `path`, which no other process may do meanwhile. `recorded` is answered first, event by event, in its
    order. Raises JournalError where that cannot be.

    A record is {n, kind, given, is_closing, outcome, seconds} and perhaps notes. `given` is what an event depends
    on: where the search asks for another event than the one recorded, JournalError is raised. `notes` are kept
    and never compared (a prompt, whose wording may change between versions); `seconds` is how long the outcome
    took. Closing records sum a search up; one that goes on from there passes them over.
    """

    def __init__(
        self,
        path: Path,
        recorded: "tuple[Record, ...]" = (),
        *,
        replay_only: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.seconds: dict[str, float] = {}  # by kind of event
        self._path = path
        self._recorded = recorded
        self._position = 0
        self._replay_only = replay_only
        self._clock = clock
        self._is_resuming = False
        self._is_closing = False
        try:
            self._file = path.open("ab")
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # the system frees it when its holder dies
        except BlockingIOError:
            raise JournalError(f"{path}: another process is at work on this run") from None
        except OSError as error:
            raise JournalError(f"{path}: cannot be written: {error.strerror}") from None

    @staticmethod
    def resume(path: Path, clock: Callable[[], float] = time.monotonic) -> "Journal":
        """Goes on with a journal; a last line that a crash cut off is dropped. Raises JournalError."""
        read(path)  # nothing is made where there is none
        journal = Journal(path, clock=clock)
        journal._recorded, length = _read(path)  # now that nobody else writes it
        journal._file.truncate(length)
        journal._is_resuming = True
        return journal

    @property
    def is_live(self) -> bool:
        """Whether the next event is a new one."""
        return self._position >= len(self._recorded)

    def conclude(self) -> None:
        """From here on, events close the search."""
        self._is_closing = True

    def event(
        self,
        kind: str,
        given: Mapping[str, Any],
        produce: Callable[[], Mapping[str, Any]],
        *,
        notes: Mapping[str, Any] | None = None,
    ) -> Record:
        """The outcome of an event: from the record, else `produce` makes it. Raises JournalError."""
        if not self._is_closing:
            self._pass_over()
        head = {
            "n": self._position,
            "kind": kind,
            "given": dict(given),
            "is_closing": self._is_closing,
        }
        if not self.is_live:
            record = self._recorded[self._position]
            if _dump({key: record.get(key) for key in head}) != _dump(head):
                raise JournalError(
                    f"record {self._position} is {record.get('kind')!r}, but the search is at {kind!r} with other "
                    "data: the task, the options or the program have changed; start a new run"
                )
        elif self._replay_only:
            raise EndOfJournal
        else:
            start = self._clock()
            outcome = dict(produce())
            record = head | {"outcome": outcome, "seconds": round(self._clock() - start, 3)}
            if notes is not None:
                record["notes"] = dict(notes)
            record = json.loads(_dump(record))  # as a replay will see it
        self._keep(record)
        kept: Record = record["outcome"]
        return kept

    def _pass_over(self) -> None:
        """Closing records, where the search goes on behind them. Raises EndOfJournal."""
        if self._replay_only and all(record["is_closing"] for record in self._recorded[self._position :]):
            raise EndOfJournal
        while not self.is_live and self._recorded[self._position]["is_closing"]:
            self._keep(self._recorded[self._position])

    def _keep(self, record: Record) -> None:
        if self.is_live or not self._is_resuming:
            self._append(record)
        self.seconds[record["kind"]] = self.seconds.get(record["kind"], 0.0) + record["seconds"]
        self._position += 1

    def _append(self, record: Record) -> None:
        try:
            self._file.write(_dump(record).encode() + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise JournalError(
                f"{self._path}: cannot be written: {error.strerror}; --resume goes on when it can"
            ) from None

    def close(self) -> None:
        with contextlib.suppress(OSError):  # what it could not write it has said, and tries again
            self._file.close()


class EndOfJournal(Exception):
    """A replay has come to the end of what was recorded."""


def read(path: Path) -> tuple[Record, ...]:
    """The complete records of a journal. Raises JournalError."""
    return _read(path)[0]


def _read(path: Path) -> tuple[tuple[Record, ...], int]:
    """The complete records and their length in bytes."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise JournalError(f"{path}: cannot be read: {error.strerror}") from None
    records: list[Record] = []
    end = 0
    while (line_end := data.find(b"\n", end)) >= 0:
        try:
            record = json.loads(data[end:line_end])
        except ValueError:
            raise JournalError(f"{path}: line {len(records) + 1} is not JSON: the file was changed") from None
        if not isinstance(record, dict) or record.get("n") != len(records) or _FIELDS - record.keys():
            raise JournalError(f"{path}: line {len(records) + 1} is not record {len(records)} of a journal")
        records.append(record)
        end = line_end + 1
    return tuple(records), end


def _dump(record: Mapping[str, Any]) -> str:
    return json.dumps(record, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
