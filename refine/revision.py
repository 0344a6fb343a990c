"""Has the tree edited by the proposer; errors are fed back, and edits that stay wrong are dropped."""

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.prompts import Prompts
from cu2mlx.refine.propose.protocol import Kind
from cu2mlx.refine.propose.reply import ReplyError, read_edits
from cu2mlx.refine.session import Session
from cu2mlx.refine.world.edit import EditError, apply, parse, require_open_child
from cu2mlx.refine.world.model import Node, World

TRIES = 3


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
    that came to `outcome`; `base`: the node's candidate. Raises OutOfBudget, ProposerError."""
    error = ""
    for _ in range(TRIES):
        if kind is Kind.WORLD:
            prompt = prompts.world(world, base, limit, error)
        else:
            prompt = prompts.edit(world, node, outcome, limit, session.archive.failures(), error)
        reply = session.ask(kind, prompt, world, node, base)
        if reply.is_finished:
            break
        try:
            edited = apply(world, parse(read_edits(reply)), limit=limit)
            require_open_child(edited, node.id)
        except (EditError, ReplyError) as mistake:
            error = str(mistake)
            session.say(f"edits of the tree refused: {error.splitlines()[0]}")
        else:
            return edited
    return world
