"""The world model: selection, what cycles do to nodes, edits and their errors, JSON."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cu2mlx.refine.plain import from_plain, to_plain
from cu2mlx.refine.world.edit import EditError, apply, parse, require_open_child
from cu2mlx.refine.world.model import TRIES, Action, Node, State, World, select
from cu2mlx.refine.world.render import compact, whole


def action(score: float = 0.5, difficulty: int = 2, title: str = "tile") -> Action:
    return Action(title, f"do {title}", score, difficulty, 1.5)


def world(*actions: Action) -> World:
    return World.start("seed").inserted("root", [(each, 5.0, 0.5) for each in actions])


def chosen(tree: World) -> str:
    node = select(tree)
    assert node is not None
    return node.id


def test_select_prefers_score_then_difficulty_then_rating_then_id() -> None:
    assert chosen(world(action(0.4), action(0.6))) == "n2"
    assert chosen(world(action(0.6, 3), action(0.6, 2))) == "n2"
    rated = world(action(), action())
    assert chosen(rated) == "n1"
    assert chosen(rated.with_node(replace(rated.node("n2"), rating=8))) == "n2"


def test_difficulty_5_only_when_nothing_else_is_left() -> None:
    assert chosen(world(action(0.9, 5), action(0.1, 4))) == "n2"
    assert chosen(world(action(0.9, 5))) == "n1"


def test_children_wait_for_their_parent() -> None:
    tree = world(action(0.1)).inserted("n1", [(action(0.9), 5, 0.5)])
    assert chosen(tree) == "n1"
    assert chosen(tree.solved("n1", "key", 1.2)) == "n2"


def test_nothing_is_tried_for_ever() -> None:
    tree = world(action(0.9))
    for number in range(TRIES):
        assert chosen(tree) == "n1"
        tree = tree.failed("n1", f"lesson {number}")
    assert select(tree) is None
    node = tree.node("n1")
    assert node.state is State.CLOSED and node.failures == TRIES
    assert node.lessons == ("lesson 0", "lesson 1", "lesson 2")


def test_a_failure_is_downgraded_behind_its_sibling() -> None:
    tree = world(action(0.6), action(0.5))
    assert chosen(tree.failed("n1", "races")) == "n2"


INSERT = 'insert under {} {{ title: "{}" description: "why" score: 0.7 difficulty: 2 gain: 1.4 }}'


def test_all_kinds_of_edits() -> None:
    tree = world(action(), action(), action())
    text = f"""
      # what was learnt
      {INSERT.format("n1", "vector loads")}
      update n1 {{ score: 0.2, rating: 7 confidence: 0.9 }}
      split n2 {{ title: "a \\"b\\"" description: "x" score: 0.1 difficulty: 1 gain: 1 }}
               {{ title: "c" description: "y" score: .3 difficulty: 5 gain: 2e0 rating: 1 }}
      delete n3
      summary "bound by memory"
      question "does it spill?"
    """
    edited = apply(tree, parse(text))
    assert [(node.id, node.parent) for node in edited.nodes] == [
        ("root", None), ("n1", "root"), ("n4", "n1"), ("n5", "root"), ("n6", "root"),
    ]  # fmt: skip
    first = edited.node("n1")
    assert first.action is not None and first.action.score == 0.2 and first.action.title == "tile"
    assert (first.rating, first.confidence) == (7, 0.9)
    split = edited.node("n5").action
    assert split is not None and split.title == 'a "b"'
    assert (edited.summary, edited.questions) == ("bound by memory", ("does it spill?",))


@pytest.mark.parametrize(
    ("edits", "message"),
    [
        ("insrt under n1 {}", "cannot read the edits at line 1"),
        ("update n9 { score: 0.5 }", "there is no node n9; nodes are root, n1, n2, n3"),
        ("update n1 { score: 1.5 }", "score: 1.5 is not between 0 and 1"),
        ("update n1 { difficulty: 2.5 }", "no whole number"),
        ('update n1 { score: "high" }', "must be a number without quotes"),
        ("update n1 { title: 3 }", "must be text in quotes"),
        ("update n1 { score: 0.1 score: 0.2 }", "score is given twice"),
        ("update root { score: 0.1 }", "the baseline"),
        ('insert under n1 { title: "x" }', "needs description, score, difficulty, gain"),
        ("delete root", "cannot be deleted"),
        (
            'split n3 { title: "x" } { title: "y" }',
            "n3 cannot be split: only open nodes without children can",
        ),
        ("delete n1", "n1 cannot be deleted"),
        ("\n".join([INSERT.format("root", str(n)) for n in range(4)]), "4 new nodes; at most 3"),
        ("delete n2 delete n3", "root is solved and must keep an open child"),
        (f'summary "{"x" * 3000}"', "3000 characters"),
    ],
)
def test_mistakes_are_told(edits: str, message: str) -> None:
    tree = world(action(), action(), action()).solved("n1", "key", None).failed("n3", "races")
    with pytest.raises(EditError, match=message.replace("(", r"\(")):
        apply(tree, parse(edits))


def test_deleting_what_failed_closes_it() -> None:
    tree = world(action(), action()).failed("n1", "races")
    closed = apply(tree, parse("delete n1")).node("n1")
    assert closed.state is State.CLOSED and closed.lessons == ("races",)


def test_failed_edits_change_nothing() -> None:
    tree = world(action())
    with pytest.raises(EditError):
        apply(tree, parse("update n1 { score: 0.1 } delete n7"))
    assert tree == world(action())


def test_a_solved_node_needs_a_child() -> None:
    tree = world(action()).solved("n1", "key", 1.1)
    with pytest.raises(EditError, match="n1 is solved now"):
        require_open_child(tree, "n1")
    require_open_child(apply(tree, parse(INSERT.format("n1", "next"))), "n1")


def test_compact_shows_the_path_and_two_siblings() -> None:
    tree = world(*(action(0.1 * n, title=f"idea {n}") for n in range(1, 6)))
    tree = tree.failed("n5", "race on the tile").solved("n1", "key", 1.25)
    tree = tree.inserted("n1", [(action(title="deeper"), 5, 0.5)])
    text = compact(tree, "n6")
    assert "→ n6 [open] deeper" in text and "measured 1.25×" in text
    assert [f"idea {n}" in text for n in range(1, 6)] == [True, False, False, True, True]
    assert "tried in vain: race on the tile" in text
    assert all(f"idea {n}" in whole(tree) for n in range(1, 6))
    assert "n5 [failed 1×] idea 5" in whole(tree)
    for _ in range(TRIES):
        tree = tree.failed("n5", "again")
    assert "n5 [closed] idea 5" in whole(tree)


numbers = st.floats(0, 1, allow_nan=False)
texts = st.text(max_size=20)
actions = st.builds(Action, texts, texts, numbers, st.integers(1, 5), numbers)
nodes = st.builds(
    Node, texts, st.none() | texts, st.none() | actions, numbers, numbers, st.sampled_from(State),
    st.integers(0, 3), st.none() | texts, st.none() | numbers, st.lists(texts, max_size=3).map(tuple),
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(
    st.builds(
        World,
        texts,
        st.lists(texts, max_size=2).map(tuple),
        st.lists(nodes, max_size=4).map(tuple),
        st.integers(0, 9),
    )
)
def test_json_round_trip(tree: World) -> None:
    assert from_plain(World, json.loads(json.dumps(to_plain(tree)))) == tree
