"""Loops that take every index of an array."""

from cu2mlx.transpiler.model.expressions import Typing
from cu2mlx.transpiler.model.linear_index import changes
from cu2mlx.transpiler.model.uniform import constant
from cu2mlx.transpiler.syntax import Node

_LEAVING = ("break_statement", "continue_statement", "return_statement", "goto_statement")


def full_loop(index: Node, extent: str, statement: Node, typing: Typing) -> Node | None:
    """The `for (int k = 0; k < N; ++k)` of which `statement` is a part of each round, where `index` is k and
    `extent` is N; None where there is none."""
    counter = typing.names.meaning.get(index)
    loop = statement.parent
    if loop is not None and loop.kind == "compound_statement":
        loop = loop.parent
    if counter is None or counter.initialiser is None or loop is None or loop.kind != "for_statement":
        return None
    update, condition = loop.child("update"), loop.child("condition")
    if counter.holder is not loop.child("initializer") or update is None or condition is None:
        return None
    if (
        condition.kind != "binary_expression"
        or typing.names.meaning.get(condition.need("left")) is not counter
    ):
        return None
    starts = constant(counter.initialiser, typing) == 0
    counts = changes(counter, typing) == [update] and _is_by_one(update, typing)
    end = condition.need("right")
    ends = condition.need("operator").kind in ("<", "!=") and (
        typing.spelling(end) == extent or (extent.isdecimal() and constant(end, typing) == int(extent))
    )
    whole = next(loop.all(*_LEAVING), None) is None
    return loop if starts and counts and ends and whole else None


def _is_by_one(update: Node, typing: Typing) -> bool:
    if update.kind == "update_expression":
        return update.need("operator").kind == "++"
    return typing.spelling(update.need("operator")) == "+=" and constant(update.need("right"), typing) == 1
