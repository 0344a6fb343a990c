"""A run and its folder: run.json (settings), journal.jsonl, and what came out of it."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from cu2mlx.refine.evaluate.isolated import IsolatedEvaluator
from cu2mlx.refine.journal import EndOfJournal, Journal, JournalError, read
from cu2mlx.refine.loop import Search
from cu2mlx.refine.outcome import Outcome
from cu2mlx.refine.propose.prompts import Prompts
from cu2mlx.refine.propose.protocol import Proposer
from cu2mlx.refine.propose.replay import ReplayProposer
from cu2mlx.refine.session import Evaluator, Options, Session
from cu2mlx.refine.task import load_task

JOURNAL, SETTINGS = "journal.jsonl", "run.json"


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run depends on; kept with it, so that resuming cannot mix two."""

    task: str
    proposer: str = "rules"
    models: tuple[str, ...] = ()
    hardware: str = "apple-m1-m2"
    seed: int = 0
    options: Options = field(default_factory=Options)

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "Settings":
        rest = {key: value for key, value in data.items() if key not in ("models", "options")}
        return Settings(**rest, models=tuple(data["models"]), options=Options(**data["options"]))


class Progress(Protocol):
    def __call__(self, line: str, status: str) -> None:
        """`line` is what has happened, `status` where the search stands."""
        ...


def started(settings: Settings, proposer: Proposer, folder: Path | None, progress: Progress) -> Outcome:
    """A new run, in `runs/TASK-TIME` where no folder is named. Raises TaskError, ProposerError."""
    task = load_task(Path(settings.task))
    folder = folder or Path("runs") / f"{task.name}-{datetime.now().strftime('%Y%m%d-%H%M%S')}"
    if (folder / JOURNAL).exists():
        raise JournalError(f"{folder}: holds a run already; --resume {folder} goes on with it")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / SETTINGS).write_text(json.dumps(asdict(settings), indent=2) + "\n", encoding="utf-8")
        journal = Journal(folder / JOURNAL)
    except OSError as error:
        raise JournalError(f"{folder}: cannot be written: {error.strerror}") from None
    return _run(settings, proposer, folder, journal, progress)


def continued(
    folder: Path,
    options: Callable[[Options], Options],
    proposer: Callable[[Settings], Proposer],
    progress: Progress,
) -> Outcome:
    """Goes on where a run stopped; `options` may raise its budgets. Raises TaskError, ProposerError, JournalError."""
    settings = _settings(folder)
    settings = replace(settings, options=options(settings.options))
    return _run(settings, proposer(settings), folder, Journal.resume(folder / JOURNAL), progress)


def replayed(source: Path, folder: Path | None, progress: Progress) -> Outcome:
    """Runs a journal again without model and machine; a run that was cut short ends where it was cut."""
    settings = _settings(source)
    records = read(source / JOURNAL)
    folder = folder or source.with_name(f"{source.name}-replay")
    try:
        folder.mkdir(parents=True)
    except OSError as error:
        raise JournalError(f"{folder}: {error.strerror}; name another folder with --output") from None
    (folder / SETTINGS).write_bytes((source / SETTINGS).read_bytes())
    journal = Journal(folder / JOURNAL, records, replay_only=True)
    return _run(settings, ReplayProposer(), folder, journal, progress)


def _settings(folder: Path) -> Settings:
    try:
        return Settings.from_json(json.loads((folder / SETTINGS).read_text(encoding="utf-8")))
    except OSError as error:
        raise JournalError(f"{folder / SETTINGS}: cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError):
        raise JournalError(f"{folder / SETTINGS}: is not the settings of a run") from None


def _run(
    settings: Settings, proposer: Proposer, folder: Path, journal: Journal, progress: Progress
) -> Outcome:
    task = load_task(Path(settings.task))
    evaluator = IsolatedEvaluator(Path(task.spec.path))
    try:
        return search_in(settings, proposer, evaluator, folder, journal, progress)
    finally:
        evaluator.close()
        journal.close()


def search_in(
    settings: Settings,
    proposer: Proposer,
    evaluator: Evaluator,
    folder: Path,
    journal: Journal,
    progress: Progress,
) -> Outcome:
    """The search itself, with an evaluator of the caller's; writes the outcome into the folder."""
    task = load_task(Path(settings.task))

    def say(line: str) -> None:
        progress(line, status(search))

    session = Session(task, proposer, evaluator, journal, settings.options, say)
    search = Search(session, Prompts(task, settings.hardware))
    is_correct = True
    try:
        is_correct, reason = search.run()
    except KeyboardInterrupt:
        reason = f"interrupted; go on with: cu2mlx optimize --resume {folder}"
    except EndOfJournal:
        reason = "the journal ends here"
    outcome = Outcome.of(search, folder, is_correct=is_correct, reason=reason)
    outcome.write()
    return outcome


def status(search: Search) -> str:
    """Round, best and costs in a line."""
    session = search.session
    score = session.scores.get(search.best.key)
    best = "not timed" if score is None else f"{score:.1f}"
    money = "" if not session.usd else f" · {session.usd:.2f} USD"
    limit = session.options.budget_usd
    money += "" if limit is None else f" of {limit:g}"
    return f"round {session.rounds} of {session.options.rounds} · best {best}{money}"
