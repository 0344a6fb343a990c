"""What a search does to the world outside, each act once and in the journal: asking, evaluating, paying."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar, cast

from cu2mlx.refine.archive import Archive
from cu2mlx.refine.budget import Account
from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.verdict import Verdict
from cu2mlx.refine.journal import Journal, JournalError, Record
from cu2mlx.refine.parts import Evaluator, Measured, Observer
from cu2mlx.refine.plain import from_plain, to_plain
from cu2mlx.refine.propose.protocol import Kind, Proposer, ProposerError, Question, Reply
from cu2mlx.refine.propose.tune.tuner import next_point
from cu2mlx.refine.task import Task
from cu2mlx.refine.world.model import Node, World

T = TypeVar("T")


@dataclass(slots=True)
class Session:
    """Candidates and verdicts are in the archive, rounds and costs in the account."""

    task: Task
    proposer: Proposer
    evaluator: Evaluator
    journal: Journal
    account: Account
    observer: Observer
    archive: Archive = field(default_factory=Archive)
    proposer_failed: bool = False
    _baseline_seconds: float = 0.0

    def evaluate(self, candidate: Candidate) -> Verdict:
        """The same candidate is never run twice."""
        if candidate.key in self.archive:
            known = self.archive.verdicts[candidate.key]
            return replace(known, message=f"This text was tried before. {known.message}".rstrip())
        self.observer.trying(f"evaluating {candidate.key}")
        given = {"candidate": self._given(candidate)}
        verdict = self._verdict("evaluate", given, self.evaluator.evaluate, candidate)
        self.archive.add(candidate, verdict)
        return verdict

    def promote(self, candidate: Candidate) -> Verdict:
        """The held-out cases."""
        gates, key = self.archive.gates, candidate.key
        if key not in gates:
            self.observer.trying(f"held-out cases for {key}")
            gates[key] = self._verdict("promote", {"candidate": key}, self.evaluator.promote, candidate)
        return gates[key]

    def confirm(self, candidate: Candidate) -> Verdict:
        """Measures a finalist once more, in a fresh process: a lucky measurement does not win."""
        self.observer.trying(f"measuring {candidate.key} again")
        given = {"candidate": candidate.key}
        verdict = self._verdict("confirm", given, self.evaluator.confirm, candidate)
        self.archive.verdicts[candidate.key] = verdict
        return verdict

    def measure(self, candidate: Candidate) -> Measured:
        """Each shape against each baseline; once, for what a run ends with."""
        self.observer.trying(f"measuring {candidate.key} against the baselines")
        given = {"candidate": candidate.key}

        def produce() -> Record:
            return cast(Record, to_plain(self.evaluator.measure(candidate)))

        return self._event("measure", given, produce, partial(from_plain, Measured))

    def conclude(self, reason: str) -> str:
        """From here on the run is summed up. Returns why it ended, the recorded reason in a replay."""
        self.journal.conclude()
        return self._event("end", {}, lambda: {"reason": reason}, lambda outcome: str(outcome["reason"]))

    def next_point(self, candidate: Candidate) -> Candidate | None:
        """The tuner's next candidate with the same text; in the journal, so that a replay needs no tuner."""

        def produce() -> Record:
            point = next_point(self.task, candidate, self.archive.scores)
            return {"numbers": None if point is None else dict(point.numbers)}

        def point(outcome: Record) -> Candidate | None:
            numbers = outcome["numbers"]
            return (
                None if numbers is None else replace(candidate, numbers=tuple(sorted(dict(numbers).items())))
            )

        return self._event("tune", {"candidate": candidate.key}, produce, point)

    def ask(self, kind: Kind, prompt: str, world: World, node: Node, base: Candidate) -> Reply:
        """Raises OutOfBudget before a question that is no longer affordable, and ProposerError."""
        self.check_budget()
        self.observer.trying(f"asking {self.proposer.name} ({kind}): {node.name}")
        number, scores = self.account.questions, self.archive.scores
        question = Question(kind, prompt, number, self.task, world, node, base, scores, self.account.usd_left)
        given = {"question": str(kind), "number": number, "node": node.id}
        try:
            reply = self._event(
                "ask",
                given,
                lambda: self.proposer.ask(question).as_json(),
                lambda outcome: Reply(**outcome),
                notes={"prompt": prompt},
            )
        except ProposerError:
            self.proposer_failed = True
            raise
        self.account.pay(reply)
        return reply

    def check_budget(self) -> None:
        """Raises OutOfBudget."""
        self.account.check(self._seconds() - self._baseline_seconds)

    def begin(self) -> None:
        """The baseline is judged: from here on time is of the budget, so that a slow start leaves a search its own."""
        self._baseline_seconds = self._seconds()
        self.say(f"the baseline translation is correct (judged in {self._baseline_seconds:.1f} s)")

    def _seconds(self) -> float:
        return sum(self.journal.seconds.values())

    def spend_round(self) -> None:
        """Raises OutOfBudget."""
        self.check_budget()
        self.account.rounds += 1

    def better(self, candidate: Candidate, than: Candidate | None) -> bool:
        """Whether it beats another by more than the noise; without times a correct one only beats none.

        Against the baseline, which it was measured in turns with, its whole interval must be above 1.
        """
        verdicts = self.archive.verdicts
        if than is None:
            return verdicts[candidate.key].passed
        mine, other = verdicts[candidate.key], verdicts[than.key]
        if mine.score is None or other.score is None or mine.timing is None or other.timing is None:
            return False
        if than.key == self.task.seed.key and mine.timing.low <= 1:
            return False
        return mine.score > other.score * (1 + max(mine.timing.noise, other.timing.noise))

    def say(self, line: str) -> None:
        self.observer.happened(line)

    def _given(self, candidate: Candidate) -> dict[str, object]:
        """A candidate in the journal: its text once, afterwards the number of the evaluation that has the text (a
        tuner asks for one text with a hundred numbers)."""
        data = candidate.as_json()
        for number, other in enumerate(self.archive.candidates.values()):
            if (other.header, other.body) == (candidate.header, candidate.body):
                return {key: data[key] for key in ("grid", "block", "numbers")} | {"text_of": number}
        return data

    def _verdict(
        self,
        kind: str,
        given: Mapping[str, object],
        judge: Callable[[Candidate], Verdict],
        candidate: Candidate,
    ) -> Verdict:
        return self._event(kind, given, lambda: judge(candidate).as_json(), Verdict.from_json)

    def _event(
        self,
        kind: str,
        given: Mapping[str, object],
        produce: Callable[[], Record],
        read: Callable[[Record], T],
        *,
        notes: Mapping[str, object] | None = None,
    ) -> T:
        """What `read` makes of an event's outcome. Raises JournalError."""
        outcome = self.journal.event(kind, given, produce, notes=notes)
        try:
            return read(outcome)
        except (KeyError, TypeError, ValueError) as error:
            raise JournalError(
                f"the outcome of a {kind!r} record cannot be read ({error!r}): the journal was changed, or another "
                "version has written it"
            ) from None
