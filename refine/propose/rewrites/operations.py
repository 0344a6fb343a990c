"""Operations that may be done in any order, however a text spells them: `a + b`, `fmax(a, b)`, `a > b ? a : b`, or a
function of its own that returns one of these."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from cu2mlx.refine.propose.rewrites.calls import arguments, called, called_name, definitions, parameters
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.terms import declaration_of, declared_names, statements
from cu2mlx.transpiler.syntax import Node

_OPERATORS = {"+": "sum", "*": "product", "&": "and", "|": "or", "^": "xor"}
_FUNCTIONS = {"fmax": "max", "max": "max", "fmin": "min", "min": "min"}
_WRAPPED = re.compile(r"\((\w+)\)")
_CHOICES = {">": "max", ">=": "max", "<": "min", "<=": "min"}


@dataclass(frozen=True, slots=True)
class Operation:
    """`name` as in Metal's simd_sum, simd_max …; or an object of the text's own class, whose operator () it is."""

    name: str = ""
    functor: str = ""


def combination(program: Program, assignment: Node, is_partner: Callable[[Node], bool]) -> Operation | None:
    """What `v += partner` or `v = max(v, partner)` does to v and something else."""
    value, right = program.of(assignment.need("left")), assignment.need("right")
    operator = assignment.need("operator").kind
    if operator != "=":
        name = _OPERATORS.get(operator.removesuffix("="))
        return Operation(name) if name and is_partner(right) else None
    found = _operation(program, right)
    if found is None:
        return None
    operation, first, second = found
    for own, other in ((first, second), (second, first)):
        if program.of(own) == value and is_partner(other):
            return operation
    return None


def _operation(program: Program, node: Node) -> tuple[Operation, Node, Node] | None:
    """An operation and its two operands."""
    if node.kind == "parenthesized_expression":
        return _operation(program, node.named_children[0])
    if node.kind == "binary_expression":
        name = _OPERATORS.get(node.need("operator").kind)
        return (Operation(name), node.need("left"), node.need("right")) if name else None
    if node.kind == "conditional_expression":
        return _choice(program, node)
    if node.kind != "call_expression" or len(arguments(node)) != 2:
        return None
    first, second = arguments(node)
    function = node.need("function")
    name = _FUNCTIONS.get(called(program, node))
    own = [*definitions(program, program.of(called_name(node))), *_lambdas(program, function)]
    names = {operation_of(program, each) for each in own} | set(_of_macros(program, program.of(function)))
    if names:
        name = names.pop() if len(names) == 1 else None
    if name is not None:
        return Operation(name), first, second
    is_variable = (
        function.kind == "identifier" and declaration_of(program, program.of(function), node) is not None
    )
    is_object = not names and (is_variable or function.kind == "call_expression")
    return (Operation(functor=program.of(function)), first, second) if is_object else None


def _lambdas(program: Program, function: Node) -> Iterator[Node]:
    """What a variable that is called was set to."""
    declared = (
        declaration_of(program, program.of(function), function) if function.kind == "identifier" else None
    )
    for each in declared.fields("declarator") if declared is not None else ():
        value = each.child("value")
        if value is not None and value.kind == "lambda_expression":
            yield value


def _of_macros(program: Program, name: str) -> Iterator[str | None]:
    """The operation of `#define NAME(a, b) ((a) > (b) ? (a) : (b))`, None for anything else of this name."""
    for macro in program.root.all("preproc_function_def"):
        value = macro.child("value")
        if program.of(macro.need("name")) != name or value is None:
            continue
        names = [program.of(each) for each in macro.need("parameters").named_children]
        text = _WRAPPED.sub(r"\1", program.squeezed(value))
        text = text[1:-1] if text.startswith("(") and text.endswith(")") else text
        yield _macro_operation(text, *names) if len(names) == 2 else None


def _macro_operation(text: str, a: str, b: str) -> str | None:
    simple = {f"{a}{sign}{b}": name for sign, name in _OPERATORS.items()}
    choices = {f"{a}{sign}{b}?{a}:{b}": name for sign, name in _CHOICES.items()}
    return (simple | choices).get(text)


def _choice(program: Program, node: Node) -> tuple[Operation, Node, Node] | None:
    """`a > b ? a : b`"""
    condition = node.need("condition")
    while condition.kind == "parenthesized_expression":
        condition = condition.named_children[0]
    if condition.kind != "binary_expression":
        return None
    left, right = condition.need("left"), condition.need("right")
    name = _CHOICES.get(condition.need("operator").kind)
    chosen = [program.of(node.need(each)) for each in ("consequence", "alternative")]
    if name is None or chosen != [program.of(left), program.of(right)]:
        return None
    return Operation(name), left, right


def operation_of(program: Program, function: Node) -> str | None:
    """The operation that a function of two parameters returns the result of, and does nothing else."""
    inside = statements(function.need("body"))
    names = [name for each in parameters(function) for name in declared_names(program, each)]
    if len(inside) != 1 or inside[0].kind != "return_statement" or len(set(names)) != 2:
        return None
    found = _operation(program, inside[0].named_children[0])
    if found is None or not found[0].name:
        return None
    operands = {program.of(found[1]), program.of(found[2])}
    return found[0].name if operands == set(names) else None
