"""The search: choose a decision, try it until it stagnates, revise the tree, go on."""

from dataclasses import dataclass, field

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.verdict import Status, Verdict
from cu2mlx.refine.propose.prompts import Prompts
from cu2mlx.refine.propose.protocol import Kind, ProposerError, Reply
from cu2mlx.refine.propose.reply import ReplyError, read_candidate, read_edits
from cu2mlx.refine.propose.tune import next_point
from cu2mlx.refine.session import OutOfBudget, Session
from cu2mlx.refine.world.edit import MAXIMUM_NEW, EditError, apply, parse, require_open_child
from cu2mlx.refine.world.model import ROOT, Node, World, select

FIRST_NODES = 8  # decisions in the first tree
EDIT_TRIES = 3


@dataclass(slots=True)
class Search:
    """One run. `best` is the fastest candidate that passed the held-out cases; at first the baseline."""

    session: Session
    prompts: Prompts
    world: World = field(init=False)
    best: Candidate = field(init=False)

    def __post_init__(self) -> None:
        self.best = self.session.task.seed
        self.world = World.start(self.best.key)

    def run(self) -> tuple[bool, str]:
        """Whether the baseline is correct, and what ended the search.

        Raises KeyboardInterrupt, JournalError, EndOfJournal; what was recorded until then is kept.
        """
        session, seed = self.session, self.best
        for verdict in (session.evaluate(seed), session.promote(seed)):
            if not verdict.passed:
                message = f"the baseline translation does not pass: {verdict.stage}: {verdict.message}"
                return False, message
        session.say("the baseline translation is correct")
        try:
            self.revise(Kind.WORLD, self.world.node(ROOT), "", FIRST_NODES)
            while (node := select(self.world)) is not None:
                self.cycle(node)
        except (OutOfBudget, ProposerError) as reason:
            return True, str(reason)
        return True, "nothing is left to try"

    def cycle(self, node: Node) -> None:
        """Attempts at one decision, then what they mean for the tree."""
        base = self.solution(self.world.node(node.parent or ROOT))
        shown, stale = base, 0
        verdict: Verdict | None = None
        winner: Candidate | None = None
        while stale < self.session.options.stagnation:
            kind = Kind.FIRST if verdict is None else Kind.DEBUG if winner is None else Kind.IMPROVE
            prompt = self.prompts.attempt(kind, self.world, node, shown, verdict)
            reply = self.session.ask(kind, prompt, self.world, node, shown)
            if reply.is_finished and verdict is None:
                self.world = self.world.closed(node.id)
                return
            if reply.is_finished:
                break
            shown, verdict = self.attempt(node, reply, shown)
            if shown.key != base.key and verdict.passed and self.session.better(shown, winner):
                winner, stale = shown, 0
                if verdict.score is None:
                    break  # nothing here can tell a faster one from a slower one
            else:
                stale += 1
        assert verdict is not None
        self.settle(node, winner, f"{verdict.status}: {verdict.message[:300]}")

    def attempt(self, node: Node, reply: Reply, base: Candidate) -> tuple[Candidate, Verdict]:
        """The candidate of a reply and its verdict; an unreadable reply leaves the base to mend."""
        self.session.spend_round()
        try:
            candidate = read_candidate(reply, base)
        except ReplyError as mistake:
            candidate, verdict = base, Verdict(Status.UNREADABLE, "reply", str(mistake))
        else:
            verdict = self.session.evaluate(candidate)
        score = "" if verdict.score is None else f", score {verdict.score:.1f}"
        title = "" if node.action is None else node.action.title
        self.session.say(f"{node.id} {title}: {verdict.status}{score}")
        return candidate, verdict

    def settle(self, node: Node, winner: Candidate | None, lesson: str) -> None:
        """Finishes a cycle's winner, writes what became of it into the tree, and has the tree revised."""
        session = self.session
        if winner is not None:
            winner = self.tuned(winner)
            gate = session.promote(winner)
            if gate.passed and session.better(winner, self.best):
                gate = session.confirm(winner)
            if not gate.passed:
                winner, lesson = None, gate.message
        if winner is None:
            self.world = self.world.failed(node.id, lesson)
        else:
            score, seed_score = session.scores[winner.key], session.scores[session.task.seed.key]
            measured = None if score is None or seed_score is None else score / seed_score
            self.world = self.world.solved(node.id, winner.key, measured)
            lesson = "correct" if measured is None else f"correct, {measured:.2f}× the baseline's speed"
            if session.better(winner, self.best):
                self.best = winner
        session.say(f"{node.id}: {lesson.splitlines()[0]}")
        self.revise(Kind.EDIT, self.world.node(node.id), lesson, MAXIMUM_NEW)

    def tuned(self, candidate: Candidate) -> Candidate:
        """The best point of the tunables around a timed candidate: each idea is finished before it is judged."""
        session = self.session
        if session.scores[candidate.key] is None:
            return candidate
        while (point := next_point(session.task, candidate, session.scores)) is not None:
            session.spend_round()
            session.evaluate(point)
            candidate = point if session.better(point, candidate) else candidate
        return candidate

    def revise(self, kind: Kind, node: Node, outcome: str, limit: int) -> None:
        """Has the tree edited; errors are fed back, and edits that stay wrong are dropped."""
        base, error = self.solution(node), ""
        for _ in range(EDIT_TRIES):
            if kind is Kind.WORLD:
                prompt = self.prompts.world(self.world, base, limit, error)
            else:
                prompt = self.prompts.edit(self.world, node, outcome, limit, error)
            reply = self.session.ask(kind, prompt, self.world, node, base)
            if reply.is_finished:
                return
            try:
                edited = apply(self.world, parse(read_edits(reply)), limit=limit)
                require_open_child(edited, node.id)
            except (EditError, ReplyError) as mistake:
                error = str(mistake)
                self.session.say(f"edits of the tree refused: {error.splitlines()[0]}")
            else:
                self.world = edited
                return

    def solution(self, node: Node) -> Candidate:
        """A node's candidate, the baseline's where it has none."""
        return self.session.candidates[node.solution or self.session.task.seed.key]
