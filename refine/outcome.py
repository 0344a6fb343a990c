"""What a run leaves behind: result.json, the best module, and every correct candidate."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from cu2mlx.refine.archive import Archive
from cu2mlx.refine.best_module import module
from cu2mlx.refine.journal import JournalError
from cu2mlx.refine.loop import Search
from cu2mlx.refine.parts import Measured
from cu2mlx.refine.plain import to_plain
from cu2mlx.refine.report.page import page
from cu2mlx.refine.report.units import counted
from cu2mlx.refine.settings import Settings
from cu2mlx.refine.task import Task

STOPPED = "stopped before its end"


@dataclass(frozen=True, slots=True)
class Outcome:
    """`best` is the baseline unless another candidate was measured to be faster and passed the held-out cases.

    `reason`: what ended the run. `measured`: the best against each baseline, None for a run that was not timed or
    has not come to its end.
    """

    search: Search
    folder: Path
    settings: Settings
    is_correct: bool
    reason: str
    measured: Measured | None

    @property
    def task(self) -> Task:
        return self.search.session.task

    @property
    def archive(self) -> Archive:
        return self.search.session.archive

    @property
    def correct(self) -> tuple[str, ...]:
        """Keys of the candidates that passed, the baseline left out, in the order of their evaluation."""
        archive, seed = self.archive, self.task.seed.key
        return tuple(key for key in archive.verdicts if key != seed and archive.final(key).passed)

    @property
    def failed(self) -> dict[str, int]:
        """How many candidates and replies came to each verdict that is no pass."""
        archive = self.archive
        verdicts = (*map(archive.final, archive.verdicts), *archive.unreadable)
        return dict(Counter(str(verdict.status) for verdict in verdicts if not verdict.passed))

    @property
    def is_untried(self) -> bool:
        """The proposer failed before anything was tried."""
        session = self.search.session
        return session.proposer_failed and session.account.rounds == 0

    def as_json(self) -> dict[str, Any]:
        """The same for a run and its replay."""
        session = self.search.session
        return {
            "task": self.task.name,
            "baseline_correct": self.is_correct,
            "ended": self.reason,
            "proposer": self.settings.proposer,
            "hardware": self.settings.hardware,
            "rounds": session.account.rounds,
            "questions": session.account.questions,
            "costs": {model: asdict(cost) for model, cost in session.account.costs.items()},
            "seconds": {kind: round(spent, 3) for kind, spent in session.journal.seconds.items()},
            "timed": self.archive.is_timed,
            "best": self.search.best.key if self.is_correct else None,
            "best_is_baseline": self.search.best.key == self.task.seed.key,
            "failed": self.failed,
            "measured": to_plain(self.measured),
            "candidates": [
                {"key": key, **verdict.as_json(), "score": verdict.score}
                for key, verdict in self.archive.verdicts.items()
            ],
            "world": to_plain(self.search.world),
        }

    def lines(self) -> Iterator[str]:
        """A summary for the terminal."""
        account, best = self.search.session.account, self.search.best
        yield f"{self.task.name}: {self.reason}"
        tried = max(0, len(self.archive.verdicts) - 1)  # none yet where the run was stopped at once
        rounds, candidates = counted(account.rounds, "round"), counted(tried, "candidate")
        yield f"{rounds}, {candidates} besides the baseline, {len(self.correct)} of them correct"
        if self.failed:
            yield "failed: " + ", ".join(f"{count} {status}" for status, count in self.failed.items())
        if account.tokens or account.usd:
            yield f"{counted(account.questions, 'question')}, {account.tokens} tokens, {account.price}"
        if not self.archive.is_timed:
            yield "not timed: no device here; nothing is ranked, the baseline stays the best that is known"
        elif best.key == self.task.seed.key:
            yield "no candidate was faster than the baseline translation beyond the noise"
        else:
            timing = self.archive.verdicts[best.key].timing
            assert timing is not None
            yield (
                f"best {best.key}: {timing.score / 100:.2f}× the baseline translation ({timing.low:.2f} to "
                f"{timing.high:.2f}) on {timing.device}"
            )
        if self.measured is not None and self.measured.problem:
            yield f"not measured against the baselines: {self.measured.problem}"
        for shape in self.measured.shapes if self.measured is not None else ():
            rows = [f"{row['ratio']:.2f}× {row['name']}" for row in shape["rows"][1:]]
            yield f"  {shape['case']}: {', '.join(rows)}"
        yield f"run folder: {self.folder}"
        if self.reason == STOPPED:
            yield f"go on with: cu2mlx optimize --resume {self.folder}"

    def page(self) -> str:
        """The HTML report."""
        return page(self.search, self.settings, self.reason, self.measured)

    def write(self) -> None:
        """The files of the folder. Raises JournalError."""
        try:
            self._write()
        except OSError as error:
            raise JournalError(
                f"{error.filename or self.folder}: cannot be written: {error.strerror}; --resume writes it again"
            ) from None

    def _write(self) -> None:
        (self.folder / "result.json").write_text(
            json.dumps(self.as_json(), indent=2) + "\n", encoding="utf-8"
        )
        (self.folder / "report.html").write_text(self.page(), encoding="utf-8")
        if not self.is_correct:
            return
        (self.folder / "best_mlx.py").write_text(module(self.task, self.search.best), encoding="utf-8")
        candidates = self.folder / "candidates"
        candidates.mkdir(exist_ok=True)
        for key in self.correct:
            text = json.dumps(self.archive.candidates[key].as_json(), indent=2)
            (candidates / f"{key}.json").write_text(text + "\n", encoding="utf-8")
