"""exp(x) → exp2(x · log2 e): exp is computed so anyway, and the factor can often be multiplied in elsewhere.

Where x is a product: into what one of its factors is set to, if that is used for nothing else (`factors`), into a
constant, or into a factor that a loop does not change, once before the loop. Elsewhere into x, which saves something
where exp is precise only.
"""

from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.calls import arguments
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
    exponents = {each.start: each for call in calls for each in arguments(call)}
    folded, hoisted = _folded(program, exponents), Hoisted(program)
    for each in {value.start: value for group in folded for value in group.values}.values():
        yield from _multiplied(each)
    done = {start for group in folded for start in group.exponents}
    for call in calls:
        function, (exponent,) = call.need("function"), arguments(call)
        if exponent.start not in done:
            inside = list(_scaled(program, exponent, hoisted))
            if not inside and "fast::" in program.of(function):
                continue  # which is computed so
            yield from inside or _multiplied(exponent)
        yield Edit(function.start, function.end, f"{program.of(function)}2")
    yield from hoisted.edits()


def _exponentials(program: Program) -> Iterator[Node]:
    own = {program.of(each.need("declarator")) for each in program.root.all("function_declarator")}
    for call in program.root.all("call_expression"):
        name = program.of(call.need("function"))
        space = name.removesuffix("exp")
        if name != f"{space}exp" or space not in _SPACES or len(arguments(call)) != 1:
            continue
        if space != "" or "exp" not in own:  # not the text's own
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


def _scaled(program: Program, exponent: Node, hoisted: Hoisted) -> Iterator[Edit]:
    """A factor of a product multiplied, where that costs less than the product: a constant, or a variable before the
    outermost loop that leaves it as it is."""
    inside = list(product(exponent))
    for factor in inside if len(inside) > 1 else ():
        name = program.of(factor)
        if factor.kind == "number_literal":
            yield Edit(factor.start, factor.end, f"({name} * {_LOG2E})")
            return
        loop = outermost_without_change(program, factor) if factor.kind == "identifier" else None
        if loop is not None and is_float(program, factor):
            yield Edit(factor.start, factor.end, hoisted.named(loop, f"{name} * {_LOG2E}", f"{name}_log2e"))
            return


EXPONENTIALS = Rewrite(
    title="exp2 folding",
    description="compute exp as exp2, with log2 e multiplied in where that is done least often",
    score=0.5,
    difficulty=1,
    gain=1.1,
    edits=edits,
)
