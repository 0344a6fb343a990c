"""A tree of decisions. A node proposes an action; its state says what became of it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

ROOT = "root"
TRIES = 3  # cycles of attempts after which a node that never passed is closed
PENALTY = 0.7  # what a failed cycle leaves of a node's score
REMEMBERED = 3  # failures kept per node


class State(StrEnum):
    OPEN = "open"
    SOLVED = "solved"
    FAILED = "failed"  # `failures` cycles without a correct candidate; may be tried again
    CLOSED = "closed"  # not to be tried again


@dataclass(frozen=True, slots=True)
class Action:
    """`score`: 0 to 1, promise; `difficulty`: 1 to 5; `gain`: predicted speed-up over the baseline, 1.3 = 30 %."""

    title: str
    description: str
    score: float
    difficulty: int
    gain: float


@dataclass(frozen=True, slots=True)
class Node:
    """`rating`: 0 to 10; `confidence`: 0 to 1. `measured`: speed-up of the solution over the baseline, None
    where nothing was timed. `solution`: the key of the node's best candidate. `lessons`: why attempts failed."""

    id: str
    parent: str | None
    action: Action | None = None
    rating: float = 5.0
    confidence: float = 0.5
    state: State = State.OPEN
    failures: int = 0
    solution: str | None = None
    measured: float | None = None
    lessons: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """Id and title, for a person."""
        return "baseline translation" if self.action is None else f"{self.id} {self.action.title}"

    @property
    def can_be_tried(self) -> bool:
        return self.action is not None and self.state in (State.OPEN, State.FAILED)


@dataclass(frozen=True, slots=True)
class World:
    """Nodes in order of creation; the first is the root, which the seed solves."""

    summary: str
    questions: tuple[str, ...]
    nodes: tuple[Node, ...]
    created: int = 0  # nodes ever made, so that an id is never used twice

    @staticmethod
    def start(solution: str) -> "World":
        """The tree before anything was thought of: the seed."""
        return World("", (), (Node(ROOT, None, state=State.SOLVED, solution=solution, measured=1.0),))

    def __contains__(self, name: str) -> bool:
        return any(node.id == name for node in self.nodes)

    def node(self, name: str) -> Node:
        """Raises KeyError."""
        for node in self.nodes:
            if node.id == name:
                return node
        raise KeyError(name)

    def children(self, name: str) -> tuple[Node, ...]:
        return tuple(node for node in self.nodes if node.parent == name)

    def path(self, name: str) -> tuple[Node, ...]:
        """From the root to a node."""
        path = [self.node(name)]
        while (parent := path[0].parent) is not None:
            path.insert(0, self.node(parent))
        return tuple(path)

    def with_node(self, changed: Node) -> "World":
        nodes = tuple(changed if node.id == changed.id else node for node in self.nodes)
        return replace(self, nodes=nodes)

    def inserted(self, parent: str, actions: "Iterable[tuple[Action, float, float]]") -> "World":
        """With one new node under `parent` per action, rating and confidence."""
        nodes, created = list(self.nodes), self.created
        for action, rating, confidence in actions:
            created += 1
            nodes.append(Node(f"n{created}", parent, action, rating, confidence))
        return replace(self, nodes=tuple(nodes), created=created)

    def without(self, name: str) -> "World":
        return replace(self, nodes=tuple(node for node in self.nodes if node.id != name))

    def frontier(self) -> tuple[Node, ...]:
        """What can be tried: an action whose parent is the root or solved, and no solution yet."""
        solved = {node.id for node in self.nodes if node.state is State.SOLVED}
        return tuple(node for node in self.nodes if node.can_be_tried and node.parent in solved)

    def solved(self, name: str, solution: str, measured: float | None) -> "World":
        return self.with_node(
            replace(self.node(name), state=State.SOLVED, solution=solution, measured=measured)
        )

    def failed(self, name: str, lesson: str) -> "World":
        """After a cycle without a correct candidate: worth less, harder, and closed after TRIES of them."""
        node = self.node(name)
        assert node.action is not None
        failures = node.failures + 1
        action = replace(
            node.action, score=node.action.score * PENALTY, difficulty=min(5, node.action.difficulty + 1)
        )
        return self.with_node(
            replace(
                node,
                action=action,
                failures=failures,
                state=State.CLOSED if failures >= TRIES else State.FAILED,
                lessons=(*node.lessons, lesson)[-REMEMBERED:],
            )
        )

    def closed(self, name: str) -> "World":
        """Not to be tried again: there was nothing to try."""
        return self.with_node(replace(self.node(name), state=State.CLOSED))


def select(world: World) -> Node | None:
    """The next node to try, None when nothing is left. Deterministic: difficulty at most 4 where possible, then
    the highest score, the lowest difficulty, the highest rating, the id."""
    frontier = world.frontier()
    feasible = [node for node in frontier if node.action is not None and node.action.difficulty <= 4]
    return min(feasible or frontier, key=_order, default=None)


def _order(node: Node) -> tuple[float, int, float, int, str]:
    assert node.action is not None
    return (-node.action.score, node.action.difficulty, -node.rating, len(node.id), node.id)
