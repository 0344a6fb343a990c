"""The world model as JSON and back."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from cu2mlx.refine.world.model import Action, Node, State, World


def as_json(world: World) -> dict[str, Any]:
    return asdict(world)


def from_json(data: Mapping[str, Any]) -> World:
    """Raises KeyError or TypeError for what as_json has not written."""
    nodes = tuple(_node(each) for each in data["nodes"])
    return World(data["summary"], tuple(data["questions"]), nodes, data["created"])


def _node(data: Mapping[str, Any]) -> Node:
    action = None if data["action"] is None else Action(**data["action"])
    rest = {key: value for key, value in data.items() if key not in ("action", "state", "lessons")}
    return Node(**rest, action=action, state=State(data["state"]), lessons=tuple(data["lessons"]))
