"""Kinds of arithmetic, and how far two correct runs of one may be apart."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Operation:
    """A kind of arithmetic; `relative` and `scale` count units of the type's epsilon."""

    relative: float
    scale: float
    why: str


OPERATIONS: Mapping[str, Operation] = {
    "exact": Operation(0, 0, "data is only moved or integers are computed: every bit must agree"),
    "arithmetic": Operation(
        4,
        1,
        "a few + - * / per element; one side may contract a*b+c into fma, and cancellation magnifies that",
    ),
    "transcendental": Operation(
        32, 4, "exp, log, tanh, pow differ by some ulp between libraries (CUDA and MSL allow 4 to 16)"
    ),
    "reduction": Operation(
        64, 16, "many terms are summed; another order or fma moves the sum by eps times the size of the terms"
    ),
    "recurrence": Operation(
        512, 128, "each step builds on the last one's rounding error, through exp as well"
    ),
}
