"""The built-in proposer: no model, only the autotuner and the rewrites. Its replies have the form of a model's."""

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.protocol import Kind, Question, Reply
from cu2mlx.refine.propose.reply import SEPARATOR
from cu2mlx.refine.propose.rewrites import REWRITES, Rewrite
from cu2mlx.refine.propose.tune import next_point
from cu2mlx.refine.world.edit import FIRST_NODES, MAXIMUM_NEW
from cu2mlx.refine.world.model import Node, State, World

TUNE = Rewrite(
    title="tune the launch",
    description="try the declared tunables around the best numbers so far",
    score=0.48,  # many evaluations: after what one can decide
    difficulty=1,
    gain=1.3,
    edits=lambda program: (),
)


class RulesProposer:
    """Deterministic: the same question gets the same reply."""

    name = "rules"

    def ask(self, question: Question) -> Reply:
        if question.kind in (Kind.WORLD, Kind.EDIT):
            edits = _edits(question)
            return Reply(edits, self.name, is_finished=not edits)
        candidate = _candidate(question)
        if candidate is None:
            return Reply("nothing is left to try for this action", self.name, is_finished=True)
        return Reply(written(candidate), self.name)


def written(candidate: Candidate) -> str:
    """A candidate as a reply."""
    launch = [
        f"{key} = {list(value)!r}"
        for key, value in (("grid", candidate.grid), ("block", candidate.block))
        if value
    ]
    launch += [f"{name} = {value}" for name, value in candidate.numbers]
    blocks = [f"```metal\n{candidate.header}{SEPARATOR}\n{candidate.body}```"]
    if launch:
        blocks.append("\n".join(["```launch", *launch, "```"]))
    return "\n".join(blocks) + "\n"


def _candidate(question: Question) -> Candidate | None:
    """The first candidate of the action that has not been tried: the rewritten one, then those with other values
    of the rewrite's own number; for tuning, the tuner's. None once a better node than the parent is known, where
    the same idea has been put too."""
    node = question.node
    assert node is not None and node.action is not None
    if node.parent != _best(question.world).id:
        return None
    if node.action.title == TUNE.title:
        return next_point(question.task, question.base, question.results)
    rewrite = next((each for each in REWRITES if each.title == node.action.title), None)
    if rewrite is None:
        return None
    possible = [_applied(rewrite, question), *rewrite.variants(question.base)]
    return next((each for each in possible if each.key not in question.results), None)


def _edits(question: Question) -> str:
    """The ideas that apply, under the best node: each is tried on top of what has helped so far."""
    world, best = question.world, _best(question.world)
    node = question.node or best
    known = [*world.path(best.id), *world.children(best.id)]
    used = {each.action.title for each in known if each.action is not None}
    if node.id == best.id:
        ideas = [each for each in REWRITES if each.title not in used and _is_new(each, question)]
        if TUNE.title not in used and next_point(question.task, question.base, question.results) is not None:
            ideas.append(TUNE)
    else:
        ever = {each.action.title for each in world.nodes if each.action is not None}
        ideas = [each for each in (*REWRITES, TUNE) if each.title in ever - used]
    ideas.sort(key=lambda rewrite: -rewrite.score)
    if not ideas or node.id == best.id:
        limit = FIRST_NODES if question.kind is Kind.WORLD else MAXIMUM_NEW
        return "\n".join(_insert(best.id, idea) for idea in ideas[:limit])
    # a solved node must keep an open child; it is closed when its turn comes
    inserts = [_insert(node.id, ideas[0])] if node.state is State.SOLVED else []
    inserts += [_insert(best.id, idea) for idea in ideas[: MAXIMUM_NEW - len(inserts)]]
    return "\n".join(inserts)


def _best(world: World) -> Node:
    """The fastest solved node, the baseline where nothing was timed."""
    solved = [node for node in world.nodes if node.state is State.SOLVED and node.measured is not None]
    return max(solved, key=lambda node: node.measured or 0.0)


def _is_new(rewrite: Rewrite, question: Question) -> bool:
    changed = _applied(rewrite, question)
    return changed.key != question.base.key and changed.key not in question.results


def _applied(rewrite: Rewrite, question: Question) -> Candidate:
    return rewrite.apply(question.base, tuple(each.text for each in question.task.spec.block))


def _insert(parent: str, rewrite: Rewrite) -> str:
    return (
        f'insert under {parent} {{ title: "{rewrite.title}" description: "{rewrite.description}" '
        f"score: {rewrite.score} difficulty: {rewrite.difficulty} gain: {rewrite.gain} }}"
    )
