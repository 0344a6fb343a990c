"""What a search does to the world outside, each act once and in the journal: asking, evaluating, paying."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.verdict import Verdict
from cu2mlx.refine.journal import Journal
from cu2mlx.refine.propose.protocol import Kind, Proposer, Question, Reply
from cu2mlx.refine.task import Task
from cu2mlx.refine.world.model import Node, World


class Evaluator(Protocol):
    def evaluate(self, candidate: Candidate) -> Verdict: ...
    def promote(self, candidate: Candidate) -> Verdict: ...
    def confirm(self, candidate: Candidate) -> Verdict: ...


@dataclass(frozen=True, slots=True)
class Options:
    """`rounds`: attempts in all; `stagnation`: attempts of a cycle without a new best one before it ends."""

    rounds: int = 30
    stagnation: int = 5
    budget_usd: float | None = None


class OutOfBudget(Exception):
    """Rounds or money are spent."""


@dataclass(slots=True)
class Session:
    """`say` gets one line for each thing that happens. All verdicts and candidates by key; costs so far."""

    task: Task
    proposer: Proposer
    evaluator: Evaluator
    journal: Journal
    options: Options
    say: Callable[[str], None]
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    candidates: dict[str, Candidate] = field(default_factory=dict)
    gates: dict[str, Verdict] = field(default_factory=dict)
    rounds: int = 0
    questions: int = 0
    tokens: int = 0
    usd: float = 0.0

    def evaluate(self, candidate: Candidate) -> Verdict:
        """The same candidate is never run twice."""
        if candidate.key not in self.verdicts:
            given = {"candidate": candidate.as_json()}
            outcome = self.journal.event(
                "evaluate", given, lambda: self.evaluator.evaluate(candidate).as_json()
            )
            self.verdicts[candidate.key] = Verdict.from_json(outcome)
            self.candidates[candidate.key] = candidate
        return self.verdicts[candidate.key]

    def promote(self, candidate: Candidate) -> Verdict:
        """The held-out cases."""
        if candidate.key not in self.gates:
            given = {"candidate": candidate.key}
            outcome = self.journal.event(
                "promote", given, lambda: self.evaluator.promote(candidate).as_json()
            )
            self.gates[candidate.key] = Verdict.from_json(outcome)
        return self.gates[candidate.key]

    def confirm(self, candidate: Candidate) -> Verdict:
        """Measures a finalist once more, in a fresh process: a lucky measurement does not win."""
        given = {"candidate": candidate.key}
        outcome = self.journal.event("confirm", given, lambda: self.evaluator.confirm(candidate).as_json())
        self.verdicts[candidate.key] = Verdict.from_json(outcome)
        return self.verdicts[candidate.key]

    def ask(self, kind: Kind, prompt: str, world: World, node: Node, base: Candidate) -> Reply:
        """Raises OutOfBudget before a question that is no longer affordable, and ProposerError."""
        self.check_budget()
        question = Question(kind, prompt, self.questions, self.task, world, node, base, self.scores)
        given = {"question": str(kind), "number": self.questions, "node": node.id, "prompt": prompt}
        reply = Reply(**self.journal.event("ask", given, lambda: self.proposer.ask(question).as_json()))
        self.questions += 1
        self.tokens += reply.tokens_in + reply.tokens_out
        self.usd += reply.usd
        return reply

    def check_budget(self) -> None:
        if self.rounds >= self.options.rounds:
            raise OutOfBudget(f"all {self.options.rounds} rounds are spent")
        if self.options.budget_usd is not None and self.usd >= self.options.budget_usd:
            raise OutOfBudget(f"the budget of {self.options.budget_usd:g} USD is spent")

    def spend_round(self) -> None:
        self.check_budget()
        self.rounds += 1

    def better(self, candidate: Candidate, than: Candidate | None) -> bool:
        """Whether it beats another by more than the noise; without times a correct one only beats none.

        Against the baseline, which it was measured in turns with, its whole interval must be above 1.
        """
        if than is None:
            return self.verdicts[candidate.key].passed
        mine, other = self.verdicts[candidate.key], self.verdicts[than.key]
        if mine.score is None or other.score is None or mine.timing is None or other.timing is None:
            return False
        if than.key == self.task.seed.key and mine.timing.low <= 1:
            return False
        return mine.score > other.score * (1 + max(mine.timing.noise, other.timing.noise))

    @property
    def scores(self) -> dict[str, float | None]:
        return {key: verdict.score for key, verdict in self.verdicts.items()}
