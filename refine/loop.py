"""The search: choose a decision, try it until it stagnates, revise the tree, go on."""

from dataclasses import dataclass, field

from cu2mlx.refine.budget import OutOfBudget
from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.verdict import Status, Verdict
from cu2mlx.refine.journal import EndOfJournal
from cu2mlx.refine.propose.prompts import Prompts
from cu2mlx.refine.propose.protocol import Kind, ProposerError, Reply
from cu2mlx.refine.propose.reply import ReplyError, is_finished, read_candidate
from cu2mlx.refine.revision import revised
from cu2mlx.refine.session import Session
from cu2mlx.refine.world.edit import FIRST_NODES, MAXIMUM_NEW
from cu2mlx.refine.world.model import ROOT, Node, World, select


@dataclass(slots=True)
class Search:
    """One run. `best` is the fastest candidate that passed the held-out cases; at first the baseline.

    `underway`: the decision being tried and its best correct candidate so far.
    """

    session: Session
    prompts: Prompts
    world: World = field(init=False)
    best: Candidate = field(init=False)
    underway: tuple[Node, Candidate] | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.best = self.session.task.seed
        self.world = World.start(self.best.key)

    def run(self) -> tuple[bool, str]:
        """Whether the baseline is correct, and what ended the search.

        Raises KeyboardInterrupt, JournalError, and EndOfJournal for a replay of a run that was interrupted.
        """
        session, seed = self.session, self.best
        for verdict in (session.evaluate(seed), session.promote(seed)):
            if not verdict.passed:
                return False, f"the baseline translation does not pass: {verdict.stage}: {verdict.message}"
        session.begin()
        try:
            self.revise(Kind.WORLD, self.world.node(ROOT), "", FIRST_NODES)
            while (node := select(self.world)) is not None:
                self.cycle(node)
        except (OutOfBudget, ProposerError, EndOfJournal) as reason:
            return True, self.conclude(str(reason))
        return True, self.conclude("nothing is left to try")

    def cycle(self, node: Node) -> None:
        """Attempts at one decision, then what they mean for the tree."""
        base, archive = self.solution(self.world.node(node.parent or ROOT)), self.session.archive
        shown, stale = base, 0
        tried: list[tuple[Candidate, Verdict]] = []
        winner: Candidate | None = None
        while stale < self.session.account.options.stagnation:
            kind = Kind.FIRST if not tried else Kind.DEBUG if winner is None else Kind.IMPROVE
            prompt = self.prompts.attempt(kind, self.world, node, shown, tried, archive.failures())
            reply = self.session.ask(kind, prompt, self.world, node, shown)
            if is_finished(reply):
                break
            candidate, verdict = self.attempt(node, reply, shown)
            tried.append((candidate, verdict))
            if candidate.key != base.key and verdict.passed and self.session.better(candidate, winner):
                shown = winner = candidate
                stale, self.underway = 0, (node, winner)
                if verdict.score is None:  # nothing here can tell a faster one from a slower one
                    break
            else:
                shown, stale = winner or candidate, stale + 1
        if not tried:
            self.world = self.world.closed(node.id)
            return
        self.tune()
        lesson = self.judge(node, f"{tried[-1][1].status}: {tried[-1][1].message[:300]}")
        self.revise(Kind.EDIT, self.world.node(node.id), lesson, MAXIMUM_NEW)

    def attempt(self, node: Node, reply: Reply, base: Candidate) -> tuple[Candidate, Verdict]:
        """The candidate of a reply and its verdict; an unreadable reply leaves the base to mend."""
        session = self.session
        session.spend_round()
        try:
            candidate = read_candidate(reply, base)
        except ReplyError as mistake:
            candidate, verdict = base, Verdict(Status.UNREADABLE, "reply", str(mistake))
            session.archive.unreadable.append(verdict)
        else:
            verdict = session.evaluate(candidate)
        score = "" if verdict.score is None else f", score {verdict.score:.1f}"
        session.say(f"{node.name}: {verdict.status}{score}")
        return candidate, verdict

    def tune(self) -> None:
        """Finishes the winner's idea before it is judged: the best point of the tunables around it that holds on the
        held-out cases too."""
        session = self.session
        if self.underway is None or session.archive.scores[self.underway[1].key] is None:
            return
        node, candidate = self.underway
        while session.promote(candidate).passed and (point := session.next_point(candidate)) is not None:
            session.spend_round()
            session.evaluate(point)
            if session.better(point, candidate) and session.promote(point).passed:
                candidate = point
                self.underway = (node, candidate)

    def judge(self, node: Node, lesson: str) -> str:
        """Writes into the tree what became of a decision, and returns the lesson. A winner may be called best after
        the held-out cases and a second measurement."""
        session = self.session
        winner = self.underway[1] if self.underway is not None else None
        self.underway = None
        if winner is not None:
            gate = session.promote(winner)
            if gate.passed and session.better(winner, self.best):
                gate = session.confirm(winner)
            if not gate.passed:
                winner, lesson = None, gate.message
        if winner is None:
            self.world = self.world.failed(node.id, lesson)
        else:
            scores = session.archive.scores
            score, seed_score = scores[winner.key], scores[session.task.seed.key]
            measured = None if score is None or seed_score is None else score / seed_score
            self.world = self.world.solved(node.id, winner.key, measured)
            lesson = (
                "correct; not timed" if measured is None else f"correct, {measured:.2f}× the baseline's speed"
            )
            if session.better(winner, self.best):
                self.best = winner
        session.say(f"{node.name}, in the end: {lesson.splitlines()[0]}")
        return lesson

    def conclude(self, reason: str) -> str:
        """Judges the winner of a cycle that was cut short. A run that goes on later leaves all this behind."""
        reason = self.session.conclude(reason)
        if self.underway is not None:
            self.judge(self.underway[0], "")
        return reason

    def revise(self, kind: Kind, node: Node, outcome: str, limit: int) -> None:
        base = self.solution(node)
        self.world = revised(self.session, self.prompts, self.world, kind, node, base, outcome, limit)

    def solution(self, node: Node) -> Candidate:
        """A node's candidate, the baseline's where it has none."""
        return self.session.archive.candidates[node.solution or self.session.task.seed.key]
