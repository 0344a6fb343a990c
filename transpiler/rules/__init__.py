"""Rules: one function per node kind that CUDA and Metal say differently; None means "as written"."""

from collections.abc import Callable

from cu2mlx.transpiler.rules import (
    calls,
    choices,
    declarations,
    half,
    inout,
    lambdas,
    lanes,
    literals,
    names,
    parts,
    shared_objects,
    statements,
    types,
)
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.syntax import Node

Rule = Callable[[Node, Context], str | None]

RULES: dict[str, Rule] = {
    **types.RULES,
    **names.RULES,
    **declarations.RULES,
    **statements.RULES,
    **calls.RULES,
    **choices.RULES,
    **inout.RULES,
    **parts.RULES,
    **lambdas.RULES,
    **lanes.RULES,
    **half.RULES,
    **literals.RULES,
    **shared_objects.RULES,
}
