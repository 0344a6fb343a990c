"""Has the tree edited by the proposer; errors are fed back, and edits that stay wrong are dropped, the first apart."""

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.prompts import Prompts
from cu2mlx.refine.propose.protocol import Kind, ProposerError
from cu2mlx.refine.propose.reply import ReplyError, is_finished, read_edits
from cu2mlx.refine.session import Session
from cu2mlx.refine.world.edit import EditError, apply, parse, require_open_child
from cu2mlx.refine.world.model import Node, World

TRIES = 3
MAXIMUM_SHOWN = 8000  # characters of an answer that is given back with its mistake


def revised(
    session: Session,
    prompts: Prompts,
    world: World,
    kind: Kind,
    node: Node,
    base: Candidate,
    outcome: str,
    limit: int,
) -> World:
    """The tree after at most `limit` new nodes. `kind`: WORLD for the first tree, EDIT after a cycle at `node`
    that came to `outcome`; `base`: the node's candidate. Raises OutOfBudget, and ProposerError where there is no
    first tree."""
    error = answer = ""
    failures = session.archive.failures()
    for _ in range(TRIES):
        if kind is Kind.WORLD:
            prompt = prompts.world(world, base, session.archive.verdicts[base.key], limit, error, answer)
        else:
            prompt = prompts.edit(world, node, base, outcome, limit, failures, error, answer)
        reply = session.ask(kind, prompt, world, node, base)
        if is_finished(reply):
            return world
        try:
            edited = apply(world, parse(read_edits(reply)), limit=limit)
            require_open_child(edited, node.id)
        except (EditError, ReplyError) as mistake:
            error, answer = str(mistake), reply.text[:MAXIMUM_SHOWN]
            session.say(f"edits of the tree refused: {error.splitlines()[0]}")
        else:
            return edited
    if kind is Kind.WORLD:
        session.proposer_failed = True
        raise ProposerError(f"none of {TRIES} replies proposes a decision to try; the last one: {error}")
    return world
