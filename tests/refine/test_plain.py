"""Dataclasses to JSON and back."""

import json
from dataclasses import dataclass

import pytest

from cu2mlx.refine.plain import from_plain, to_plain
from cu2mlx.transpiler.binding.interface import Role


@dataclass(frozen=True)
class Leaf:
    name: str
    role: Role
    size: float = 1.0


@dataclass(frozen=True)
class Tree:
    leaf: Leaf | None
    leaves: tuple[Leaf, ...]
    pairs: tuple[tuple[str, int], ...]
    places: frozenset[int]
    free: dict[str, int]


def test_round_trip() -> None:
    leaf = Leaf("a", Role.INOUT, 2.5)
    for tree in (
        Tree(leaf, (leaf, Leaf("b", Role.IN)), (("x", 1), ("y", 2)), frozenset({3, 1}), {"k": 3}),
        Tree(None, (), (), frozenset(), {}),
    ):
        assert from_plain(Tree, json.loads(json.dumps(to_plain(tree)))) == tree


def test_what_is_left_out_has_its_default() -> None:
    assert from_plain(Leaf, {"name": "a", "role": "in"}) == Leaf("a", Role.IN)


@pytest.mark.parametrize(
    "data",
    [
        {},
        7,
        {"name": "a"},
        {"name": "a", "role": "none"},
        {"name": "a", "role": "in", "colour": 1},
        {"name": 1, "role": "in"},
        {"name": "a", "role": "in", "size": "large"},
    ],
)
def test_other_data(data: object) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        from_plain(Leaf, data)
