"""Variables that are factors of exponents and nothing else, so that log2 e can be a part of what they are set to.

    a[n] = A[n];                     a[n] = (A[n]) * M_LOG2E_F;
    … exp(dt * a[n]) …        →      … exp2(dt * a[n]) …

A variable that is handed to a function of the text is one with the parameter there; then every call of that function
has to hand over such a variable.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field

from cu2mlx.refine.propose.rewrites.calls import (
    arguments,
    called_name,
    calls_of,
    definitions,
    own_name,
    parameters,
)
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.terms import declarations, declared_names, uses
from cu2mlx.transpiler.syntax import Node


class _Unfit(Exception):
    """A variable is used otherwise than as a factor of an exponent."""


@dataclass(frozen=True, slots=True)
class Variable:
    """`function`: where the function that declares it starts in the text."""

    function: int
    name: str


@dataclass(slots=True)
class Factors:
    """Variables that are one and the same to whoever reads the text. `values`: what they are set to; `exponents`:
    where the arguments start that they are a factor of."""

    variables: set[Variable] = field(default_factory=set)
    values: list[Node] = field(default_factory=list)
    exponents: list[int] = field(default_factory=list)


def product(node: Node) -> Iterator[Node]:
    """The factors of an expression, itself if it is no product."""
    if node.kind == "parenthesized_expression":
        yield from product(node.named_children[0])
    elif node.kind == "unary_expression" and node.need("operator").kind == "-":
        yield from product(node.need("argument"))
    elif node.kind == "binary_expression" and node.need("operator").kind == "*":
        yield from product(node.need("left"))
        yield from product(node.need("right"))
    else:
        yield node


def variable_of(program: Program, factor: Node) -> Variable | None:
    """Of `a` and `a[n]`."""
    while factor.kind == "subscript_expression":
        factor = factor.need("argument")
    function = factor.above("function_definition")
    if factor.kind != "identifier" or function is None:
        return None
    return Variable(function.start, program.of(factor))


def factors(program: Program, variable: Variable, exponents: dict[int, Node]) -> Factors | None:
    """All that has to change together with a variable. `exponents`: arguments of exponentials by their start."""
    functions = {each.start: each for each in program.root.all("function_definition")}
    found, pending = Factors(), [variable]
    try:
        while pending:
            each = pending.pop()
            if each not in found.variables:
                found.variables.add(each)
                pending += _follow(program, functions[each.function], each.name, exponents, found)
    except _Unfit:
        return None
    one_each = len(set(found.exponents)) == len(found.exponents)
    return found if found.values and one_each else None


def _follow(
    program: Program, function: Node, name: str, exponents: dict[int, Node], found: Factors
) -> Iterator[Variable]:
    """Takes in what a function does with a variable; yields what it is called elsewhere. Raises _Unfit."""
    declared = declarations(program, name, function)
    if len(declared) != 1 or program.of(declared[0].need("type")) != "float":
        raise _Unfit
    if declared[0].kind == "parameter_declaration":
        yield from _callers(program, function, declared[0])
    for use in uses(program, name, function):
        whole = use
        while whole.parent is not None and whole.parent.kind == "subscript_expression":
            if whole.parent.need("argument").start != whole.start:
                raise _Unfit  # an index
            whole = whole.parent
        if (value := _value(whole)) is not None:
            found.values.append(value)
        elif (exponent := _exponent(whole, exponents)) is not None:
            found.exponents.append(exponent)
        elif whole is use and use.parent is not None and use.parent.kind == "argument_list":
            yield _parameter(program, use)
        elif use.field != "declarator":
            raise _Unfit


def _value(variable: Node) -> Node | None:
    """What a use of a variable sets it to. Raises _Unfit for what cannot be multiplied."""
    parent = variable.parent
    if parent is not None and parent.kind == "assignment_expression" and variable.field == "left":
        statement = parent.parent
        is_alone = statement is not None and statement.kind == "expression_statement"
        if parent.need("operator").kind != "=" or not is_alone:
            raise _Unfit
        return parent.need("right")
    value = None
    while parent is not None and variable.field == "declarator":
        value = value or parent.child("value")
        variable, parent = parent, parent.parent
    if value is not None and value.kind == "initializer_list":
        raise _Unfit
    return value


def _exponent(factor: Node, exponents: dict[int, Node]) -> int | None:
    """Where the argument of an exponential starts that is a product with this factor."""
    call = factor.above("call_expression")
    given = [] if call is None else arguments(call)
    argument = exponents.get(given[0].start) if given else None
    if argument is None or all(each.start != factor.start for each in product(argument)):
        return None
    return argument.start


def _parameter(program: Program, argument: Node) -> Variable:
    """What a function of the text calls an argument."""
    inside = argument.parent
    call = None if inside is None else inside.parent
    if call is None or call.kind != "call_expression":
        raise _Unfit
    place = next(at for at, each in enumerate(arguments(call)) if each.start == argument.start)
    functions = definitions(program, program.of(called_name(call)))
    if len(functions) != 1 or place >= len(parameters(functions[0])):
        raise _Unfit
    names = declared_names(program, parameters(functions[0])[place])
    if len(names) != 1:
        raise _Unfit
    return Variable(functions[0].start, names.pop())


def _callers(program: Program, function: Node, parameter: Node) -> Iterator[Variable]:
    """What each call of a function hands over as a parameter."""
    place = next(at for at, each in enumerate(parameters(function)) if each.start == parameter.start)
    name = own_name(program, function)
    for call in [] if name is None else calls_of(program, name):
        given = arguments(call)
        if place >= len(given) or given[place].kind != "identifier":
            raise _Unfit
        variable = variable_of(program, given[place])
        if variable is None:
            raise _Unfit
        yield variable
