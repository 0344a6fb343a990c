"""Every candidate of a run: nothing is run twice, also over --resume, and no failure is forgotten."""

from collections import Counter
from dataclasses import dataclass, field

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.verdict import Verdict

REMEMBERED = 6  # kinds of failure that a prompt repeats
LENGTH = 200  # characters of each


@dataclass(slots=True)
class Archive:
    """By a candidate's key: what it is, what its evaluation and the held-out cases came to.

    `unreadable`: replies without a candidate. It is filled from the journal's events alone, so a resumed or
    replayed run has the same one.
    """

    candidates: dict[str, Candidate] = field(default_factory=dict)
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    gates: dict[str, Verdict] = field(default_factory=dict)
    unreadable: list[Verdict] = field(default_factory=list)

    def __contains__(self, key: str) -> bool:
        return key in self.verdicts

    def add(self, candidate: Candidate, verdict: Verdict) -> None:
        self.candidates[candidate.key] = candidate
        self.verdicts[candidate.key] = verdict

    def final(self, key: str) -> Verdict:
        """What a candidate came to: the held-out cases have the last word where it failed them."""
        gate = self.gates.get(key)
        return gate if gate is not None and not gate.passed else self.verdicts[key]

    @property
    def scores(self) -> dict[str, float | None]:
        return {key: verdict.score for key, verdict in self.verdicts.items()}

    @property
    def is_timed(self) -> bool:
        return any(score is not None for score in self.scores.values())

    def failures(self) -> list[str]:
        """What went wrong so far, each kind once with how often, the latest REMEMBERED ones."""
        counts: Counter[str] = Counter()
        for verdict in (*self.unreadable, *self.verdicts.values(), *self.gates.values()):
            if not verdict.passed:
                text = f"{verdict.status} ({verdict.stage}): {' '.join(verdict.message.split())[:LENGTH]}"
                counts[text] = counts.pop(text, 0) + 1  # the latest last
        return [f"{count}× {text}" for text, count in counts.items()][-REMEMBERED:]
