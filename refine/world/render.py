"""The world model as a prompt shows it: the path to the active node, its siblings, and what failed."""

from collections.abc import Iterator

from cu2mlx.refine.world.model import Node, State, World, select

SIBLINGS = 2


def compact(world: World, active: str) -> str:
    """The active path with up to SIBLINGS siblings of each node on it, best first."""
    lines = [world.summary] if world.summary else []
    lines += [f"open question: {each}" for each in world.questions]
    path = world.path(active)
    for depth, node in enumerate(path):
        lines += _node(node, depth, "→" if node.id == active else "•")
        if node.parent is not None:
            siblings = [each for each in world.children(node.parent) if each.id != node.id]
            siblings.sort(key=lambda each: (-(each.action.score if each.action else 0.0), each.id))
            for each in siblings[:SIBLINGS]:
                lines += _node(each, depth, "·")
    for child in world.children(active):
        lines += _node(child, len(path), "·")
    return "\n".join(lines)


def whole(world: World) -> str:
    """Every node, as the edits after a cycle need it."""
    following = select(world)

    def below(name: str, depth: int) -> Iterator[str]:
        for node in world.children(name):
            yield from _node(node, depth, "→" if following is not None and node.id == following.id else "•")
            yield from below(node.id, depth + 1)

    root = world.nodes[0]
    lines = [world.summary] if world.summary else []
    lines += [f"open question: {each}" for each in world.questions]
    return "\n".join([*lines, *_node(root, 0, "•"), *below(root.id, 1)])


def _node(node: Node, depth: int, mark: str) -> Iterator[str]:
    indent = "  " * depth
    if node.action is None:
        yield f"{indent}{mark} {node.id}: the baseline translation"
        return
    action = node.action
    failures = f" {node.failures}×" if node.state is State.FAILED else ""
    state = f"{node.state}{failures}"
    measured = "" if node.measured is None else f", measured {node.measured:.2f}×"
    yield (
        f"{indent}{mark} {node.id} [{state}] {action.title} (score {action.score:.2f}, difficulty "
        f"{action.difficulty}, rating {node.rating:g}, predicted {action.gain:.2f}×{measured})"
    )
    yield f"{indent}    {action.description}"
    for lesson in node.lessons:
        yield f"{indent}    tried in vain: {' '.join(lesson.split())}"
