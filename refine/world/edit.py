"""Edits of the world model: read from a reply, validated, applied. A mistake is told to who made it."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from cu2mlx import grammars
from cu2mlx.refine.world.model import ROOT, Action, Node, State, World

if TYPE_CHECKING:
    from lark import Token, Tree

FIRST_NODES, MAXIMUM_NEW = 8, 3  # new decisions: of the first tree, after a cycle
MAXIMUM_TEXT = 2000  # characters of a title, description, summary or question

Values = Mapping[str, str | float]

# key → (least, greatest, what a new node gets, None: must be given)
_NUMBERS: Mapping[str, tuple[float, float, float | None]] = {
    "score": (0, 1, None),
    "difficulty": (1, 5, None),
    "gain": (0, 1000, None),
    "rating": (0, 10, 5.0),
    "confidence": (0, 1, 0.5),
}


class EditError(Exception):
    """Edits that cannot be applied; the message is feedback for their author."""


@dataclass(frozen=True, slots=True)
class Edit:
    """`kind` is a rule of grammars/world_edit.lark; `target` a node, `text` of summary and question."""

    kind: str
    target: str = ""
    parts: tuple[Values, ...] = ()
    text: str = ""


def parse(text: str) -> tuple[Edit, ...]:
    """Raises EditError with the place."""
    from lark.exceptions import UnexpectedInput

    try:
        tree = grammars.load("world_edit").parse(text)
    except UnexpectedInput as error:
        place = f"line {error.line}" if error.line > 0 else "the end"
        raise EditError(f"cannot read the edits at {place}:\n{error.get_context(text).rstrip()}") from None
    return tuple(_edit(each) for each in tree.children if not isinstance(each, str))


def _edit(tree: "Tree[Token]") -> Edit:
    names = [each for each in tree.children if isinstance(each, str)]
    parts = tuple(_fields(each) for each in tree.children if not isinstance(each, str))
    if tree.data in ("summary", "question"):
        return Edit(str(tree.data), text=_string(names[0]))
    return Edit(str(tree.data), str(names[0]), parts)


def _fields(tree: "Tree[Token]") -> Values:
    values: dict[str, str | float] = {}
    for field in tree.children:
        assert not isinstance(field, str)
        key, value = (str(each) for each in field.children)
        if key in values:
            raise EditError(f"{key} is given twice")
        values[key] = _value(key, value)
    return values


def _value(key: str, written: str) -> str | float:
    if key in ("title", "description"):
        if not written.startswith('"'):
            raise EditError(f'{key}: must be text in quotes, such as {key}: "…"')
        return _string(written)
    least, greatest, _ = _NUMBERS[key]
    if written.startswith('"'):
        raise EditError(f"{key}: must be a number without quotes")
    value = float(written)
    if not least <= value <= greatest:
        raise EditError(f"{key}: {written} is not between {least:g} and {greatest:g}")
    if key == "difficulty" and value != int(value):
        raise EditError(f"difficulty: {written} is no whole number")
    return value


def _string(written: str) -> str:
    body = written[1:-1]
    text = re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], body, flags=re.DOTALL)
    if len(text) > MAXIMUM_TEXT:
        raise EditError(f"a text of {len(text)} characters; the limit is {MAXIMUM_TEXT}")
    return text


def apply(world: World, edits: Sequence[Edit], *, limit: int = MAXIMUM_NEW) -> World:
    """All edits or none. Raises EditError: more than `limit` new nodes, an unknown node, a split or delete of what is
    solved or has children, a split of what was tried, a solved node left without an open child."""
    new = sum(
        1 if each.kind == "insert" else len(each.parts) if each.kind == "split" else 0 for each in edits
    )
    if new > limit:
        raise EditError(f"{new} new nodes; at most {limit} at a time")
    before = world
    for edit in edits:
        world = _APPLY[edit.kind](world, edit)
    for node in world.nodes:
        was_fine = node.id in before and _has_open_child(before, node.id)
        if node.state is State.SOLVED and was_fine and not _has_open_child(world, node.id):
            raise EditError(f"{node.id} is solved and must keep an open child; insert one or keep one")
    return world


def require_open_child(world: World, name: str) -> None:
    """Raises EditError where a node that has just been solved leads nowhere."""
    if name in world and world.node(name).state is State.SOLVED and not _has_open_child(world, name):
        raise EditError(f"{name} is solved now: insert at least one node under it that builds on it")


def _has_open_child(world: World, name: str) -> bool:
    return any(child.can_be_tried for child in world.children(name))


def _known(world: World, name: str) -> Node:
    if name not in world:
        raise EditError(f"there is no node {name}; nodes are {', '.join(node.id for node in world.nodes)}")
    return world.node(name)


def _insert(world: World, edit: Edit) -> World:
    parent = _known(world, edit.target)
    if parent.state is State.CLOSED:
        raise EditError(f"{parent.id} is closed; insert under another node")
    return world.inserted(parent.id, [_new(edit.parts[0])])


def _update(world: World, edit: Edit) -> World:
    node = _known(world, edit.target)
    if node.action is None or node.id == ROOT:
        raise EditError(f"{node.id} is the baseline; it cannot be changed")
    values = edit.parts[0]
    changed = {key: value for key, value in values.items() if key not in ("rating", "confidence")}
    action = _action({**_values(node.action), **changed})
    rating, confidence = values.get("rating", node.rating), values.get("confidence", node.confidence)
    return world.with_node(replace(node, action=action, rating=float(rating), confidence=float(confidence)))


def _split(world: World, edit: Edit) -> World:
    node = _removable(world, edit.target, "split", "open nodes without children", State.OPEN)
    assert node.parent is not None
    return world.without(node.id).inserted(node.parent, [_new(part) for part in edit.parts])


def _delete(world: World, edit: Edit) -> World:
    """What failed is closed instead: its lessons stay."""
    possible = "open and failed nodes without children"
    node = _removable(world, edit.target, "deleted", possible, State.OPEN, State.FAILED)
    return world.without(node.id) if node.state is State.OPEN else world.closed(node.id)


def _removable(world: World, name: str, done: str, possible: str, *states: State) -> Node:
    node = _known(world, name)
    if node.parent is None or node.state not in states or world.children(name):
        raise EditError(f"{name} cannot be {done}: only {possible} can")
    return node


def _summary(world: World, edit: Edit) -> World:
    return replace(world, summary=edit.text)


def _question(world: World, edit: Edit) -> World:
    return replace(world, questions=(*world.questions, edit.text)[-5:])


_APPLY: Mapping[str, Callable[[World, Edit], World]] = {
    "insert": _insert,
    "update": _update,
    "split": _split,
    "delete": _delete,
    "summary": _summary,
    "question": _question,
}


def _new(values: Values) -> tuple[Action, float, float]:
    missing = [key for key in ("title", "description") if not values.get(key)]
    missing += [key for key, (_, _, usual) in _NUMBERS.items() if usual is None and key not in values]
    if missing:
        raise EditError(f"a new node needs {', '.join(missing)}")
    rating, confidence = values.get("rating", 5.0), values.get("confidence", 0.5)
    return _action(values), float(rating), float(confidence)


def _values(action: Action) -> dict[str, str | float]:
    return {
        "title": action.title,
        "description": action.description,
        "score": action.score,
        "difficulty": action.difficulty,
        "gain": action.gain,
    }


def _action(values: Values) -> Action:
    return Action(
        title=str(values["title"]),
        description=str(values["description"]),
        score=float(values["score"]),
        difficulty=int(values["difficulty"]),
        gain=float(values["gain"]),
    )
