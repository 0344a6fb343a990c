"""Functions of the text, their parameters, and the calls of them."""

from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.transpiler.syntax import Node

_SET_BY_REFERENCE = frozenset({"sincos", "modf", "frexp"})  # of Metal's library


def called_name(call: Node) -> Node:
    """The last name of what is called: `f` of `f(x)`, `f<int>(x)`, `space::f(x)` and `object.f(x)`."""
    function = call.need("function")
    while function.kind in (
        "template_function",
        "qualified_identifier",
        "template_method",
        "field_expression",
    ):
        function = function.need("field" if function.kind == "field_expression" else "name")
    return function


def called(program: Program, call: Node) -> str:
    """What a call calls, as it is written but for Metal's namespace."""
    return program.of(call.need("function")).removeprefix("metal::")


def arguments(call: Node) -> list[Node]:
    return call.need("arguments").named_children


def definitions(program: Program, name: str) -> list[Node]:
    """All functions and methods of this name that the text has a body for."""
    return [each for each in program.root.all("function_definition") if own_name(program, each) == name]


def parameters(function: Node) -> list[Node]:
    """Of a function, a method or a lambda."""
    declarator = function.first("lambda_declarator") or _function_declarator(function)
    return [] if declarator is None else declarator.need("parameters").named_children


def calls_of(program: Program, name: str) -> list[Node]:
    return [each for each in program.root.all("call_expression") if program.of(called_name(each)) == name]


def changed_by_calls(program: Program, node: Node) -> Iterator[Node]:
    """Arguments in a node that the functions called may change, and objects whose methods are called."""
    for call in node.all("call_expression"):
        if call.need("function").kind == "field_expression":
            yield call.need("function").need("argument")
        name = program.of(called_name(call))
        known = [parameters(each) for each in definitions(program, name)]
        for place, argument in enumerate(arguments(call)):
            texts = [program.of(each[place]) for each in known if place < len(each)]
            if name in _SET_BY_REFERENCE or any(_may_change(text) for text in texts):
                yield argument


def _may_change(parameter: str) -> bool:
    return ("&" in parameter or "*" in parameter) and "const" not in parameter.split()


def own_name(program: Program, function: Node) -> str | None:
    """Of a function or a method; None for a lambda."""
    declarator = _function_declarator(function)
    return None if declarator is None else program.of(declarator.need("declarator"))


def _function_declarator(function: Node) -> Node | None:
    declarator = function.child("declarator")
    while declarator is not None and declarator.kind != "function_declarator":
        declarator = declarator.child("declarator")
    return declarator
