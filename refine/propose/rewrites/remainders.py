"""A quotient and the remainder of the same division → one division.

    const int b = i / n;                const int b = i / n;
    const int c = i % n;         →      const int c = (i - b * n);

Exact: both round towards zero, and what wraps around in between wraps back. The dividend is known to have 32 bits,
so that the quotient fits; where the divisor is wider, the difference is as wide as the remainder was.
"""

from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Rewrite
from cu2mlx.refine.propose.rewrites.terms import assigned, following, integer, scalar_type
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node


def edits(program: Program) -> Iterator[Edit]:
    for declaration in program.root.all("declaration"):
        quotient = _quotient(program, declaration)
        if quotient is None:
            continue
        name, dividend, divisor = quotient
        for statement in following(declaration):
            if assigned(program, statement) & {name, dividend, divisor}:
                break
            for remainder in statement.all("binary_expression"):
                if _operands(program, remainder, "%") == (dividend, divisor):
                    yield Edit(remainder.start, remainder.end, f"({dividend} - {name} * {divisor})")


def _quotient(program: Program, declaration: Node) -> tuple[str, str, str] | None:
    """Name and operands of `const int name = dividend / divisor;`."""
    declarators = declaration.fields("declarator")
    if len(declarators) != 1 or program.of(declaration).split()[:2] != ["const", "int"]:
        return None
    value, name = declarators[0].child("value"), declarators[0].child("declarator")
    operands = None if value is None else _operands(program, value, "/")
    if name is None or name.kind != "identifier" or operands is None or value is None:
        return None
    if integer(program, value.need("right")) is not None:
        return None  # a constant's division is cheap
    is_short = scalar_type(program, value.need("left")) in ("int", "uint")
    return (program.of(name), *operands) if is_short else None


def _operands(program: Program, node: Node, operator: str) -> tuple[str, str] | None:
    """Two names."""
    if node.kind != "binary_expression" or node.need("operator").kind != operator:
        return None
    left, right = node.need("left"), node.need("right")
    if left.kind != "identifier" or right.kind != "identifier":
        return None
    return program.of(left), program.of(right)


REMAINDERS = Rewrite(
    title="shared divisions",
    description="compute a remainder from the quotient of the same division",
    score=0.42,
    difficulty=1,
    gain=1.05,
    edits=edits,
)
