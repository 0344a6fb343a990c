"""What a run leaves behind: result.json, the best module, and every correct candidate."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.loop import Search
from cu2mlx.refine.report.page import page
from cu2mlx.refine.task import Task
from cu2mlx.refine.world.serial import as_json as world_as_json
from cu2mlx.transpiler.binding.interface import KernelInterface
from cu2mlx.transpiler.binding.module import emit_module


@dataclass(frozen=True, slots=True)
class Outcome:
    """`best` is the baseline unless another candidate was measured to be faster and passed the held-out cases."""

    search: Search
    folder: Path
    is_correct: bool
    reason: str

    @staticmethod
    def of(search: Search, folder: Path, *, is_correct: bool, reason: str) -> "Outcome":
        return Outcome(search, folder, is_correct, reason)

    @property
    def task(self) -> Task:
        return self.search.session.task

    @property
    def correct(self) -> tuple[str, ...]:
        """Keys of the candidates that passed, the baseline left out, in the order of their evaluation."""
        verdicts = self.search.session.verdicts
        return tuple(key for key, verdict in verdicts.items() if verdict.passed and key != self.task.seed.key)

    @property
    def is_timed(self) -> bool:
        return any(score is not None for score in self.search.session.scores.values())

    def as_json(self) -> dict[str, Any]:
        session = self.search.session
        return {
            "task": self.task.name,
            "folder": str(self.folder),
            "baseline_correct": self.is_correct,
            "ended": self.reason,
            "rounds": session.rounds,
            "questions": session.questions,
            "tokens": session.tokens,
            "usd": session.usd,
            "timed": self.is_timed,
            "best": self.search.best.key if self.is_correct else None,
            "best_is_baseline": self.search.best.key == self.task.seed.key,
            "candidates": [
                {"key": key, **verdict.as_json(), "score": verdict.score}
                for key, verdict in session.verdicts.items()
            ],
            "world": world_as_json(self.search.world),
        }

    def lines(self) -> Iterator[str]:
        """A summary for the terminal."""
        session, best = self.search.session, self.search.best
        yield f"{self.task.name}: {self.reason}"
        tried = len(session.verdicts) - 1
        yield f"{session.rounds} rounds, {tried} candidates besides the baseline, {len(self.correct)} of them correct"
        if session.tokens or session.usd:
            yield f"{session.tokens} tokens, {session.usd:.2f} USD"
        if not self.is_timed:
            yield "not timed: no device here; nothing is ranked, the baseline stays the best that is known"
        elif best.key == self.task.seed.key:
            yield "no candidate was faster than the baseline translation beyond the noise"
        else:
            timing = session.verdicts[best.key].timing
            assert timing is not None
            yield f"best {best.key}: {timing.score / 100:.2f}× the baseline translation on {timing.device}"
        yield f"run folder: {self.folder}"

    def write(self) -> None:
        """The files of the folder."""
        (self.folder / "result.json").write_text(
            json.dumps(self.as_json(), indent=2) + "\n", encoding="utf-8"
        )
        (self.folder / "report.html").write_text(page(self.search, self.reason), encoding="utf-8")
        if not self.is_correct:
            return
        (self.folder / "best_mlx.py").write_text(module(self.task, self.search.best), encoding="utf-8")
        candidates = self.folder / "candidates"
        candidates.mkdir(exist_ok=True)
        for key in self.correct:
            text = json.dumps(self.search.session.candidates[key].as_json(), indent=2)
            (candidates / f"{key}.json").write_text(text + "\n", encoding="utf-8")


def module(task: Task, candidate: Candidate) -> str:
    """The Python module of a candidate: the baseline's with its Metal text, and its numbers as defaults."""
    numbers = dict(candidate.numbers)
    template = tuple(
        replace(each, default=str(numbers[each.name])) if each.name in numbers else each
        for each in task.interface.template
    )
    interface: KernelInterface = replace(
        task.interface,
        metal_body=candidate.body,
        metal_header=candidate.header,
        template=template,
        documentation="\n".join([task.interface.documentation, *_launch_notes(candidate)]).strip(),
    )
    return emit_module([interface], Path(task.spec.source or "").name)


def _launch_notes(candidate: Candidate) -> Iterator[str]:
    for name, extents in (("grid", candidate.grid), ("block", candidate.block)):
        if extents:
            yield f"Call it with {name} = ({', '.join(extents)})."
    for name, value in candidate.numbers:
        yield f"Best found with {name} = {value}."
