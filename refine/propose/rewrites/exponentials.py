"""exp(x) → exp2(x · log2 e): exp is computed so anyway, and the factor can often be multiplied in elsewhere.

Where x is a product, into what one of its factors is set to, if that is used for nothing else (`factors`); or into a
factor that a loop does not change, once before the loop. Elsewhere into x.
"""

from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.factors import Factors, factors, product, variable_of
from cu2mlx.refine.propose.rewrites.loops import Hoisted, outermost_without_change
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Rewrite
from cu2mlx.refine.propose.rewrites.terms import is_float
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node

_SPACES = ("", "metal::", "fast::", "precise::", "metal::fast::", "metal::precise::")
_LOG2E = "M_LOG2E_F"
_BINDS_TIGHTER = frozenset(
    {"identifier", "number_literal", "call_expression", "subscript_expression", "field_expression",
     "parenthesized_expression", "unary_expression"}
)  # fmt: skip


def edits(program: Program) -> Iterator[Edit]:
    calls = list(_exponentials(program))
    exponents = {each.start: each for call in calls for each in call.need("arguments").named_children}
    folded = _folded(program, exponents)
    hoisted = Hoisted(program)
    for each in {value.start: value for group in folded for value in group.values}.values():
        yield from _multiplied(each)
    done = {start for group in folded for start in group.exponents}
    for call in calls:
        function = call.need("function")
        argument = call.need("arguments").named_children[0]
        yield Edit(function.start, function.end, f"{program.of(function)}2")
        if argument.start in done:
            continue
        place = _before_a_loop(program, argument)
        if place is None:
            yield from _multiplied(argument)
            continue
        factor, loop = place
        name = program.of(factor)
        yield Edit(factor.start, factor.end, hoisted.named(loop, f"{name} * {_LOG2E}", f"{name}_log2e"))
    yield from hoisted.edits()


def _exponentials(program: Program) -> Iterator[Node]:
    own = {program.of(each.need("declarator")) for each in program.root.all("function_declarator")}
    for call in program.root.all("call_expression"):
        name = program.of(call.need("function"))
        space = name.removesuffix("exp")
        if name != f"{space}exp" or space not in _SPACES or len(call.need("arguments").named_children) != 1:
            continue
        if space != "" or "exp" not in own:  # the text's own function
            yield call


def _multiplied(node: Node) -> Iterator[Edit]:
    if node.kind in _BINDS_TIGHTER or (
        node.kind == "binary_expression" and node.need("operator").kind == "*"
    ):
        yield Edit(node.end, node.end, f" * {_LOG2E}")
        return
    yield Edit(node.start, node.start, "(")
    yield Edit(node.end, node.end, f") * {_LOG2E}")


def _folded(program: Program, exponents: dict[int, Node]) -> list[Factors]:
    """Groups of variables that take the factor, no two for one exponent."""
    found: list[Factors] = []
    done: set[int] = set()
    for start, exponent in exponents.items():
        for factor in product(exponent):
            variable = variable_of(program, factor)
            if start in done or variable is None:
                continue
            group = factors(program, variable, exponents)
            if group is not None and done.isdisjoint(group.exponents):
                found.append(group)
                done |= set(group.exponents)
    return found


def _before_a_loop(program: Program, exponent: Node) -> tuple[Node, Node] | None:
    """A factor that is a float variable, and the outermost loop that leaves it as it is."""
    inside = list(product(exponent))
    for factor in inside if len(inside) > 1 else ():
        if factor.kind == "identifier" and is_float(program, factor):
            loop = outermost_without_change(program, factor)
            if loop is not None:
                return factor, loop
    return None


EXPONENTIALS = Rewrite(
    title="exp2 folding",
    description="compute exp as exp2, with log2 e multiplied in where that is done least often",
    score=0.5,
    difficulty=1,
    gain=1.1,
    edits=edits,
)
