"""The autotuner: its strategies alone, and inside a search."""

import math
from dataclasses import replace

import pytest
from landscapes import FAMILIES, Costs, Family, needle, recorded, rugged
from questions import task

from cu2mlx.refine.propose.tune import STRATEGIES, next_point
from cu2mlx.refine.propose.tune.annealing import Annealing
from cu2mlx.refine.propose.tune.descent import Descent
from cu2mlx.refine.propose.tune.lattice import Lattice, Point
from cu2mlx.refine.propose.tune.strategy import Strategy
from cu2mlx.refine.propose.tune.surrogate import Surrogate
from cu2mlx.refine.propose.tune.tuner import is_settled, lattice_of, next_of
from cu2mlx.refine.simulate.runner import SHARE, walk
from cu2mlx.refine.simulate.sweep import Sweep

LINE = Lattice(("a",), ((1, 2, 4, 8, 16),), ((1,), (2,), (4,), (8,), (16,)), (4,))


def order_of(strategy: Strategy, lattice: Lattice, costs: Costs, seed: int = 0) -> list[Point]:
    """All points in the order in which a strategy tries them."""
    seen: dict[Point, float | None] = {}
    while (point := strategy.next(lattice, seen, seed)) is not None:
        seen[point] = costs[point]
    return list(seen)


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda each: each.name)
def test_each_point_once_and_the_same_order_again(strategy: Strategy) -> None:
    lattice, costs = rugged(1, dimensions=2)
    order = order_of(strategy, lattice, costs, seed=7)
    assert sorted(order) == sorted(lattice.points)
    assert order_of(strategy, lattice, costs, seed=7) == order
    assert order_of(strategy, lattice, costs, seed=8) != order


@pytest.mark.parametrize("strategy", [Surrogate(), Descent(), Annealing()], ids=lambda each: each.name)
def test_a_search_begins_where_the_task_does(strategy: Strategy) -> None:
    assert strategy.next(LINE, {}, 3) == (4,)


def test_descent_follows_the_better_neighbour() -> None:
    costs = {(1,): 1.0, (2,): 2.0, (4,): 3.0, (8,): 4.0, (16,): 0.5}
    order = order_of(Descent(), LINE, costs)
    assert order[0] == (4,) and set(order[1:3]) == {(2,), (8,)} and order[3:] == [(1,), (16,)]


def test_nothing_that_failed_is_descended_to() -> None:
    costs = {(1,): 1.0, (2,): None, (4,): 3.0, (8,): 2.5, (16,): 2.0}
    order = order_of(Descent(), LINE, costs)
    assert order.index((16,)) < order.index((1,))


def by_chance(sweep: Sweep) -> float:
    """Evaluations that chance needs on average until it has 95 % of the best speed."""
    good = sum(cost is not None and cost <= sweep.best / SHARE for cost in sweep.costs.values())
    return (len(sweep.results) + 1) / (good + 1)


def advantage(made: Family, dimensions: int, strategy: Strategy) -> float:
    """How many times as many evaluations chance needs, over made-up spaces of a family: the geometric mean."""
    sweeps = [recorded(*made(seed, dimensions)) for seed in range(4)]
    ratios = [by_chance(each) / walk(each, strategy, 1).needed for each in sweeps]
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


@pytest.mark.parametrize("made", FAMILIES, ids=lambda made: made.__name__)
def test_the_model_beats_chance_on_spaces_that_nobody_tuned_it_for(made: Family) -> None:
    assert advantage(made, 2, Surrogate()) > 1
    assert min(advantage(made, dimensions, Surrogate()) for dimensions in (4, 7)) > 2


@pytest.mark.parametrize("made", FAMILIES, ids=lambda made: made.__name__)
def test_the_tuner_stops_close_to_the_best(made: Family) -> None:
    walks = [walk(recorded(*made(seed, 4)), Surrogate(), 1) for seed in range(6)]
    assert sum(each.reached for each in walks) / len(walks) > 0.94


def test_where_nothing_hints_at_the_best_the_model_is_as_good_as_chance() -> None:
    assert advantage(needle, 2, Surrogate()) > 0.5


def test_points_that_all_failed_are_no_obstacle() -> None:
    assert len(order_of(Surrogate(), LINE, dict.fromkeys(LINE.points))) == len(LINE.points)


def test_neighbours_keep_to_what_is_allowed() -> None:
    lattice = Lattice(("a", "b"), ((1, 2), (1, 2)), ((1, 1), (1, 2), (2, 2)), (1, 1))
    assert list(lattice.neighbours((1, 1))) == [(1, 2)]
    assert lattice.places[2, 2] == (1.0, 1.0)


def test_settled_after_enough_evaluations_without_a_better_one() -> None:
    points = [(n,) for n in range(8)]
    assert not is_settled(dict.fromkeys(points[:3], 1.0), 2)
    assert is_settled(dict.fromkeys(points[:4], 1.0), 2)
    falling = {point: 1.0 - 0.1 * point[0] for point in points}
    assert not is_settled(falling, 2)
    assert is_settled({(0,): 1.0, (1,): 0.999, (2,): 0.998, (3,): 0.997}, 2)  # within the noise


@pytest.mark.parametrize("strategy", STRATEGIES, ids=lambda each: each.name)
def test_at_the_end_no_neighbour_of_the_best_is_better(strategy: Strategy) -> None:
    for seed in range(4):
        lattice, costs = rugged(seed, dimensions=5)
        seen: dict[Point, float | None] = {}
        while (point := next_of(lattice, seen, strategy, seed)) is not None:
            assert point not in seen
            seen[point] = costs[point]
        known = {point: cost for point, cost in seen.items() if cost is not None}
        best = min(known, key=lambda point: known[point])
        assert len(seen) < len(lattice.points) and set(lattice.neighbours(best)) <= set(seen)


def test_where_all_failed_the_search_ends() -> None:
    lattice, _ = rugged(1, dimensions=4)
    seen: dict[Point, float | None] = dict.fromkeys(lattice.points[:-1])
    assert next_of(lattice, seen, Surrogate(), 0) is None


def tuned(speed: dict[int, float], **base: int) -> tuple[int, list[int]]:
    """The value of BLOCK that the tuner ends with on a machine where each has this speed, and all that it tried."""
    seed = task().seed.with_numbers(base)
    results: dict[str, float | None] = {seed.key: speed[dict(seed.numbers).get("BLOCK", 256)]}
    tried = []
    while (point := next_point(task(), seed, results)) is not None:
        assert (point.header, point.body) == (seed.header, seed.body) and point.key not in results
        tried.append(dict(point.numbers)["BLOCK"])
        results[point.key] = speed[tried[-1]]
    return max([256, *tried], key=lambda value: speed[value]), tried


SPEED = {32: 90.0, 64: 100.0, 128: 130.0, 256: 150.0, 512: 160.0, 1024: 10.0}


def test_the_tuner_finds_the_best_number_and_stops() -> None:
    best, tried = tuned(SPEED)
    assert best == 512 and len(tried) <= 5


def test_the_task_s_own_numbers_are_known_from_the_baseline() -> None:
    assert 256 not in tuned(SPEED)[1]


def test_fewer_tries_around_numbers_that_were_tuned_before() -> None:
    flat = dict.fromkeys(SPEED, 100.0)
    assert len(tuned(flat, BLOCK=64)[1]) < len(tuned(flat)[1])
    assert set(tuned(flat, BLOCK=64)[1][:2]) == {32, 128}


def test_a_winner_of_the_same_text_is_no_new_beginning() -> None:
    """Its numbers were never tuned with another text, and the task's own numbers are known from the baseline."""
    seed = task().seed
    winner = seed.with_numbers({"BLOCK": 64})
    results: dict[str, float | None] = {seed.key: 100.0, winner.key: 100.0}
    tried = []
    while (point := next_point(task(), winner, results)) is not None:
        tried.append(dict(point.numbers)["BLOCK"])
        results[point.key] = 100.0
    assert sorted(tried) == [32, 128, 512, 1024]


def test_other_texts_do_not_count() -> None:
    changed = replace(task().seed, body=task().seed.body + "// no comment changes a text\n;")
    assert next_point(task(), changed, {task().seed.key: 100.0}) is not None
    assert lattice_of(task(), changed) == lattice_of(task(), task().seed)


def test_nothing_to_tune() -> None:
    assert next_point(task("layer_norm"), task("layer_norm").seed, {}) is None
