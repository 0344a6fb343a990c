"""The built-in proposer: what it puts into the tree, and what it tries for each decision."""

from dataclasses import replace

from questions import question, task

from cu2mlx.refine.propose.protocol import Kind, Question
from cu2mlx.refine.propose.reply import read_candidate
from cu2mlx.refine.propose.rewrites.unrolling import FACTOR
from cu2mlx.refine.propose.rules import RulesProposer, written
from cu2mlx.refine.world.edit import apply, parse
from cu2mlx.refine.world.model import Action, Node, World, select


def test_a_written_candidate_is_read_back() -> None:
    seed = replace(task().seed, grid=("rows", "ceildiv(cols, 4)"), block=("64",)).with_numbers({"BLOCK": 64})
    for candidate in (seed, task("saxpy").seed, task().seed):
        reply = replace(RulesProposer().ask(question(Kind.WORLD)), text=written(candidate))
        assert read_candidate(reply, task().seed).key == candidate.key


def test_the_first_world_and_the_next_nodes() -> None:
    rules = RulesProposer()
    world = apply(World.start("seed"), parse(rules.ask(question(Kind.WORLD)).text), limit=9)
    titles = {node.action.title for node in world.nodes if node.action is not None}
    assert titles == {
        "simdgroup reductions",
        "one-pass softmax",
        "vectorised loads",
        "fast math",
        "tune the launch",
        "unrolling",
    }
    assert all(node.parent in (None, "root") for node in world.nodes)


def revised(world: World, name: str) -> World:
    """After the cycle of a node."""
    text = RulesProposer().ask(replace(question(Kind.EDIT), world=world, node=world.node(name))).text
    return apply(world, parse(text))


def under(world: World, name: str) -> list[str]:
    return [child.action.title for child in world.children(name) if child.action]


def first_world() -> World:
    return apply(World.start("seed"), parse(RulesProposer().ask(question(Kind.WORLD)).text), limit=9)


def test_ideas_move_under_the_best_node() -> None:
    world = first_world()
    node = select(world)
    assert node is not None and node.action is not None and node.action.title == "simdgroup reductions"
    world = revised(world.solved(node.id, "key", 1.2), node.id)
    assert under(world, node.id) == ["one-pass softmax", "vectorised loads", "fast math"]


def test_a_node_that_is_not_better_is_not_built_on() -> None:
    world = first_world()
    first, second = (child.id for child in world.children("root")[:2])
    world = revised(world.solved(first, "key", 1.2), first)
    assert len(under(world, first)) == 3
    world = revised(world.solved(second, "other", 1.1), second)
    assert len(under(world, first)) == 5 and len(under(world, second)) == 1
    placeholder = world.children(second)[0]
    reply = RulesProposer().ask(replace(question(), world=world, node=placeholder))
    assert reply.is_finished  # better is known: its turn is over before it has come


def test_without_times_each_idea_stands_alone() -> None:
    world = first_world()
    first = world.children("root")[0].id
    text = (
        RulesProposer()
        .ask(replace(question(Kind.EDIT), world=world.solved(first, "key", None), node=world.node(first)))
        .text
    )
    assert text == ""


def asked(title: str, *, kind: Kind = Kind.FIRST, **changed: object) -> Question:
    """What the search asks for an action of this title."""
    action = Action(title, "d", 0.5, 1, 1.1)
    return replace(question(kind), node=Node("n1", "root", action), **changed)  # type: ignore[arg-type]


def test_a_rewrite_s_number_is_varied_until_all_are_known() -> None:
    rules, results, base = RulesProposer(), {task().seed.key: 100.0}, task().seed
    found = []
    while not (reply := rules.ask(asked("unrolling", base=base, results=results))).is_finished:
        base = read_candidate(reply, base)
        found.append(FACTOR.value_in(base))
        results[base.key] = 101.0
    assert found == [4, 2, 8]


def test_tuning_goes_on_until_the_tuner_is_done() -> None:
    rules, results = RulesProposer(), {task().seed.key: 100.0}
    while not (reply := rules.ask(asked("tune the launch", results=results))).is_finished:
        point = read_candidate(reply, task().seed)
        assert point.body == task().seed.body and point.key not in results
        results[point.key] = 90.0
    assert len(results) > 3


def test_an_action_of_somebody_else_s() -> None:
    assert RulesProposer().ask(asked("rewrite it all")).is_finished
