"""Timing inside MLX behind a head start, on MLX's CPU back end."""

from collections.abc import Mapping
from typing import Any

import pytest

from cu2mlx.refine.evaluate.head_start import LONGEST, HeadStart
from cu2mlx.refine.evaluate.mlx_timing import Applied, Chain

mx = pytest.importorskip("mlx.core")


class Scripted(HeadStart):
    """Keeps nothing busy; says it does for as long as `lengths` has it, in turn."""

    def __init__(self, *lengths: float, longer: bool = False) -> None:
        super().__init__()
        self.lengths = list(lengths)
        self.longer = longer
        self.wishes: list[float] = []

    def begin(self) -> None:
        pass

    def seconds(self) -> float:
        return self.lengths.pop(0) if len(self.lengths) > 1 else self.lengths[0]

    def lengthen(self, needed: float) -> bool:
        self.wishes.append(needed)
        return self.longer


def chain(head_start: HeadStart, link: tuple[str, str] | None = ("y", "x")) -> Chain:
    def operation(arrays: Mapping[str, Any]) -> dict[str, Any]:
        return {"y": arrays["x"] + arrays["z"]}

    applied = [Applied(operation, {"x": mx.zeros(4), "z": mx.ones(4)}) for _ in range(2)]
    return Chain(applied, link, head_start)


def test_what_the_host_prepared_in_time_is_not_counted() -> None:
    timed = chain(Scripted(1e6))
    timed.count = 1
    assert timed.seconds() == 1e-9


def test_a_head_start_that_was_too_short_is_lengthened() -> None:
    head_start = Scripted(0.0, 0.0, 1e6, longer=True)
    chain(head_start)
    assert len(head_start.wishes) == 2 and all(wish > 0 for wish in head_start.wishes)


def test_fewer_calls_are_measured_until_they_are_prepared_in_time() -> None:
    timed = chain(Scripted(1e6))
    timed.count, timed.head_start = 8, Scripted(0.0, 0.0, 1e6)
    timed.seconds()
    assert timed.count == 2


def test_one_call_that_no_head_start_covers_is_timed_with_its_preparation() -> None:
    timed = chain(Scripted(0.0))
    assert timed.count == 1
    assert timed.seconds() > 1e-9


def test_calls_without_a_link_wait_for_each_other() -> None:
    timed = chain(Scripted(1e6), None)
    timed.count = 5
    (last,) = timed._graph()
    mx.eval(last)
    assert last.tolist() == [1.0] * 4


def test_the_device_is_busy_for_as_long_as_asked() -> None:
    head_start = HeadStart(side=64)
    head_start.begin()
    assert head_start.seconds() > 0
    assert not head_start.lengthen(LONGEST)
