"""A run and its folder: run.json (settings), journal.jsonl, and what came out of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from cu2mlx.refine.budget import Account, Options
from cu2mlx.refine.evaluate.isolated import IsolatedEvaluator
from cu2mlx.refine.evaluate.replay import ReplayEvaluator
from cu2mlx.refine.journal import EndOfJournal, Journal, JournalError, read
from cu2mlx.refine.loop import Search
from cu2mlx.refine.outcome import STOPPED, Outcome
from cu2mlx.refine.parts import Evaluator
from cu2mlx.refine.propose.prompts import Prompts
from cu2mlx.refine.propose.protocol import Proposer
from cu2mlx.refine.propose.replay import ReplayProposer
from cu2mlx.refine.recorded import CHANGED_FILES, RecordedTask
from cu2mlx.refine.session import Session
from cu2mlx.refine.settings import Settings
from cu2mlx.refine.task import Task, load_task

JOURNAL = "journal.jsonl"


class Progress(Protocol):
    def __call__(self, line: str | None, status: str) -> None:
        """`line` is what has happened, None where only the status has changed; `status` where the search stands
        and what is being tried."""
        ...


def started(settings: Settings, proposer: Proposer, folder: Path | None, progress: Progress) -> Outcome:
    """A new run, in `runs/TASK-TIME` where no folder is named. Raises TaskError, ProposerError, JournalError."""
    task = load_task(Path(settings.task))
    recorded = RecordedTask.of(task)
    folder = folder or Path("runs") / f"{task.name}-{datetime.now().strftime('%Y%m%d-%H%M%S')}"
    if (folder / JOURNAL).exists():
        raise JournalError(f"{folder}: holds a run already; --resume {folder} goes on with it")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise JournalError(f"{folder}: cannot be written: {error.strerror}") from None
    journal = Journal(folder / JOURNAL)
    settings.write(folder)
    journal.event("task", {}, recorded.as_json)
    return _evaluated(settings, proposer, folder, journal, task, progress)


def continued(
    folder: Path,
    options: Callable[[Options], Options],
    proposer: Callable[[Settings], Proposer],
    progress: Progress,
) -> Outcome:
    """Goes on where a run stopped, with the task as it was recorded; `options` may raise its budgets.

    Raises TaskError, ProposerError, JournalError.
    """
    settings = Settings.read(folder)
    settings = replace(settings, options=options(settings.options))
    voice = proposer(settings)
    journal = Journal.resume(folder / JOURNAL)
    recorded = _recorded(journal)
    changes = list(recorded.changes())
    if CHANGED_FILES in changes:
        raise JournalError(f"{folder}: {CHANGED_FILES}: {recorded.path}; start a new run")
    for change in changes:
        progress(f"note: {change}; the run goes on with what it began with", "")
    settings.write(folder)
    return _evaluated(settings, voice, folder, journal, recorded.task(for_evaluation=True), progress)


def replayed(source: Path, folder: Path | None, progress: Progress) -> Outcome:
    """Runs a journal again without model and machine; a run that was cut short ends where it was cut."""
    settings = Settings.read(source)
    records = read(source / JOURNAL)
    folder = folder or source.with_name(f"{source.name}-replay")
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise JournalError(f"{folder}: {error.strerror}; name another folder with --output") from None
    settings.write(folder)
    journal = Journal(folder / JOURNAL, records, replay_only=True)
    recorded = _recorded(journal)
    for change in recorded.changes():
        progress(f"note: {change}; the replay uses what was recorded", "")
    task = recorded.task(for_evaluation=False)
    return search_in(settings, ReplayProposer(), ReplayEvaluator(), folder, journal, task, progress)


def _recorded(journal: Journal) -> RecordedTask:
    """The task at the beginning of a journal; one that stopped before has none."""

    def missing() -> Mapping[str, Any]:
        raise JournalError("the journal is empty; start a new run")

    return RecordedTask.from_json(journal.event("task", {}, missing))


def _evaluated(
    settings: Settings, proposer: Proposer, folder: Path, journal: Journal, task: Task, progress: Progress
) -> Outcome:
    evaluator = IsolatedEvaluator(folder / JOURNAL)
    try:
        return search_in(settings, proposer, evaluator, folder, journal, task, progress)
    finally:
        evaluator.close()


def search_in(
    settings: Settings,
    proposer: Proposer,
    evaluator: Evaluator,
    folder: Path,
    journal: Journal,
    task: Task,
    progress: Progress,
) -> Outcome:
    """The search itself, with an evaluator of the caller's; writes the outcome into the folder."""
    watcher = _Watcher(progress)
    session = Session(task, proposer, evaluator, journal, Account(settings.options), watcher)
    search = watcher.search = Search(session, Prompts(task, settings.hardware))
    is_correct, measured = True, None
    try:
        is_correct, reason = search.run()
        if is_correct and session.archive.is_timed:
            measured = session.measure(search.best)
    except (KeyboardInterrupt, EndOfJournal):
        reason = STOPPED
    finally:
        journal.close()
    outcome = Outcome(search, folder, settings, is_correct, reason, measured)
    outcome.write()
    return outcome


@dataclass(slots=True)
class _Watcher:
    """Tells `progress` where the search stands whenever something happens in it."""

    progress: Progress
    search: Search | None = None

    def happened(self, line: str) -> None:
        self.progress(line, self._status(""))

    def trying(self, what: str) -> None:
        self.progress(None, self._status(f" · {what}"))

    def _status(self, what: str) -> str:
        return "" if self.search is None else status(self.search) + what


def status(search: Search) -> str:
    """Round, best and costs in a line."""
    session, account = search.session, search.session.account
    score = session.archive.scores.get(search.best.key)
    best = "not timed" if score is None else f"{score / 100:.2f}× the baseline translation"
    limit = account.options.budget_usd
    money = ""
    if account.usd or limit is not None:
        money = f" · {account.usd:.2f}" + (" USD" if limit is None else f" of {limit:g} USD")
    return f"round {account.rounds} of {account.options.rounds} · best {best}{money}"
