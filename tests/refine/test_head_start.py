"""Timing inside MLX behind a head start, on MLX's CPU back end."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from cu2mlx.refine.evaluate.cuda_clock import clock_text
from cu2mlx.refine.evaluate.head_start import LONGEST, HeadStart
from cu2mlx.refine.evaluate.mlx_timing import Applied, Chain
from cu2mlx.runtime.cuda.mlx_entry import compile_entry
from cu2mlx.runtime.cuda.nvrtc import NoNvrtcError

mx = pytest.importorskip("mlx.core")


class Scripted(HeadStart):
    """Keeps nothing busy; says that it does for as long as `lengths` has it, in turn."""

    def __init__(self, *lengths: float, longer: bool = False) -> None:
        super().__init__()
        self.lengths = list(lengths)
        self.longer = longer
        self.asked = 0

    def seconds(self) -> float:
        return self.lengths.pop(0) if len(self.lengths) > 1 else self.lengths[0]

    def lengthen(self) -> bool:
        self.asked += 1
        return self.longer


def chain(head_start: HeadStart, count: int, link: tuple[str, str] | None = ("y", "x")) -> Chain:
    def operation(arrays: Mapping[str, Any]) -> dict[str, Any]:
        return {"y": arrays["x"] + arrays["z"]}

    applied = [Applied(operation, {"x": mx.zeros(4), "z": mx.ones(4)}) for _ in range(2)]
    made = Chain(applied, link, Scripted(1e6))
    made.count, made.head_start = count, head_start
    return made


def test_what_was_prepared_in_time_is_the_devices_alone() -> None:
    assert chain(Scripted(1e6), 4).seconds() == 1e-9 / 4


def test_a_head_start_that_was_too_short_is_lengthened() -> None:
    head_start = Scripted(0.0, 0.0, 1e6, longer=True)
    timed = chain(head_start, 8)
    timed.seconds()
    assert head_start.asked == 2 and timed.count == 8


def test_fewer_calls_are_measured_until_they_are_prepared_in_time() -> None:
    timed = chain(Scripted(0.0, 0.0, 1e6), 8)
    timed.seconds()
    assert timed.count == 2


def test_one_call_that_no_head_start_covers_is_timed_with_its_preparation() -> None:
    timed = chain(Scripted(0.0), 4)
    assert timed.seconds() > 1e-9 and timed.count == 1


def test_calls_without_a_link_are_timed_each_for_itself() -> None:
    head_start = Scripted(0.0)
    assert chain(head_start, 3, None).seconds() > 1e-9
    assert head_start.asked == 0


def test_the_devices_clock_is_read_before_and_after() -> None:
    """And once for the work alone."""
    times = iter([3_000_000, 1_000_000, 0])

    def clock(arrays: Sequence[Any]) -> Any:
        return mx.array([next(times)], mx.uint64)

    head_start = Scripted(1e6)
    head_start.clock = clock
    assert head_start.timed([mx.zeros(4) + 1]) == 2e-3


class Slow(HeadStart):
    """Whose first product of a size takes long."""

    made = 0

    def _ready(self) -> None:
        if self._matrix is None:
            time.sleep(1.0)
            self.made += 1
        super()._ready()


@pytest.mark.parametrize("has_clock", [True, False])
def test_what_the_first_product_of_a_size_takes_is_no_work(has_clock: bool) -> None:
    """It would be taken for a head start that the host does not have."""

    def clock(arrays: Sequence[Any]) -> Any:
        return mx.array([1_000_000], mx.uint64)

    head_start = Slow(clock if has_clock else None, side=32)
    assert head_start.seconds() < 1.0
    assert head_start.made == 1


def test_the_device_is_busy_as_long_as_the_host_needs() -> None:
    head_start = HeadStart(side=32)
    head_start._needed = 1e-9
    assert head_start.lengthen() and head_start.side == 32
    head_start._needed = LONGEST
    assert not head_start.lengthen()
    head_start._needed = LONGEST / 2
    assert head_start.lengthen() and head_start.side > 32


@pytest.mark.parametrize("count", [1, 2])
def test_the_clock_of_nvidias_gpus_compiles(count: int) -> None:
    try:
        binary = compile_entry(clock_text(count), ["in"] * count + ["out"], 1, "sm_90")
    except NoNvrtcError as error:
        pytest.skip(str(error))
    assert binary.code
