"""The built-in proposer: no model, only the autotuner and the rewrites. Its replies have the form of a model's."""

from dataclasses import replace

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.protocol import Kind, Question, Reply
from cu2mlx.refine.propose.reply import SEPARATOR
from cu2mlx.refine.propose.rewrites import REWRITES, Rewrite
from cu2mlx.refine.propose.tune import next_point
from cu2mlx.refine.world.edit import MAXIMUM_NEW
from cu2mlx.refine.world.model import ROOT

TUNE = Rewrite(
    "tune the launch",
    "try the declared tunables around the best numbers so far",
    0.6, 1, 1.3, lambda text: text,
)  # fmt: skip


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


def rewritten(rewrite: Rewrite, base: Candidate) -> Candidate:
    return replace(base, header=rewrite.apply(base.header), body=rewrite.apply(base.body))


def _candidate(question: Question) -> Candidate | None:
    assert question.node is not None and question.node.action is not None
    title = question.node.action.title
    if title == TUNE.title:
        return next_point(question.task, question.base, question.results)
    if question.kind is not Kind.FIRST:
        return None
    for rewrite in REWRITES:
        if rewrite.title == title:
            candidate = rewritten(rewrite, question.base)
            return None if candidate.key in question.results else candidate
    return None


def _edits(question: Question) -> str:
    """Nodes for what applies and is not on the path yet; the most promising first."""
    name = ROOT if question.node is None else question.node.id
    if name not in question.world or question.world.node(name).solution is None:
        return ""
    used = {node.action.title for node in question.world.path(name) if node.action is not None}
    used |= {node.action.title for node in question.world.children(name) if node.action is not None}
    possible = [
        rewrite
        for rewrite in REWRITES
        if rewrite.title not in used and rewritten(rewrite, question.base).key not in question.results
        and rewritten(rewrite, question.base).key != question.base.key
    ]  # fmt: skip
    if TUNE.title not in used and next_point(question.task, question.base, question.results) is not None:
        possible.append(TUNE)
    possible.sort(key=lambda rewrite: -rewrite.score)
    limit = len(possible) if question.kind is Kind.WORLD else MAXIMUM_NEW
    return "\n".join(_insert(name, rewrite) for rewrite in possible[:limit])


def _insert(parent: str, rewrite: Rewrite) -> str:
    return (
        f'insert under {parent} {{ title: "{rewrite.title}" description: "{rewrite.description}" '
        f"score: {rewrite.score} difficulty: {rewrite.difficulty} gain: {rewrite.gain} }}"
    )
