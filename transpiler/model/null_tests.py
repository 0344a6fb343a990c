"""Where a function asks whether a pointer is null: `p != nullptr`, `!p`, `p && q`, `p ? a : b`, `if (p)`."""

from collections.abc import Iterator

from cu2mlx.transpiler.model.expressions import Typing, called_name, cast_target
from cu2mlx.transpiler.syntax import Node

NULL = frozenset({"nullptr", "NULL", "0"})
_LOGICAL = frozenset({"!", "not", "&&", "and", "||", "or"})
_EQUALITY = frozenset({"==", "!=", "not_eq"})
OPERATORS = _LOGICAL | _EQUALITY
# What asks for a truth value, and of which parts.
_CONDITIONS = {
    "conditional_expression": ("condition",),
    "if_statement": ("condition",),
    "while_statement": ("condition",),
    "do_statement": ("condition",),
    "for_statement": ("condition",),
}
CONDITIONS = {**_CONDITIONS, "unary_expression": ("argument",), "binary_expression": ("left", "right")}
_POINTERS = frozenset(
    {"identifier", "field_expression", "subscript_expression", "call_expression", "cast_expression",
     "pointer_expression", "assignment_expression"}
)  # fmt: skip


def null_tests(typing: Typing) -> Iterator[Node]:
    """The pointer expressions that a function tests. Assertions do not count: after them the pointer is needed."""
    body = typing.function.body
    if body is None:
        return
    for node in body.all(*_CONDITIONS, *OPERATORS):
        holder = node if node.kind in _CONDITIONS else node.parent
        if holder is not None and holder.kind in CONDITIONS:
            yield from (p for p in tested_by(holder, typing) if not _is_asserted(holder, typing))
    for variable in typing.names.variables:
        if variable.type.base == "bool" and not variable.type.shape and variable.initialiser is not None:
            yield from truth(variable.initialiser, typing)


def tested_by(node: Node, typing: Typing) -> Iterator[Node]:
    """The pointers that one operator or statement tests itself."""
    operator = node.child("operator")
    if operator is not None and operator.kind in _EQUALITY:
        for side, other in (("left", "right"), ("right", "left")):
            if _is_null(node.need(other), typing) and typing.is_pointer(node.need(side)):
                yield node.need(side)
    elif operator is None or operator.kind in _LOGICAL:
        for field in CONDITIONS[node.kind]:
            condition = node.child(field)
            if condition is not None:
                yield from truth(condition, typing)


def truth(node: Node, typing: Typing) -> Iterator[Node]:
    """The pointer whose truth value an expression is."""
    while True:
        if node.kind == "condition_clause":
            inner = node.child("value")
        elif node.kind == "parenthesized_expression":
            inner = node.named_children[0]
        else:
            inner = _as_bool(node, typing)
        if inner is None:
            break
        node = inner
    if node.kind in _POINTERS and typing.is_pointer(node):
        yield node


def _as_bool(node: Node, typing: Typing) -> Node | None:
    """`p` of `bool(p)`, `(bool)p` and `static_cast<bool>(p)`."""
    if node.kind == "cast_expression":
        return node.need("value") if typing.spelling(node.need("type")) == "bool" else None
    if node.kind != "call_expression":
        return None
    function = node.need("function")
    target = cast_target(typing.text, function) or function
    given = node.need("arguments").named_children
    return given[0] if typing.spelling(target) == "bool" and len(given) == 1 else None


def _is_null(node: Node, typing: Typing) -> bool:
    while node.kind == "cast_expression":
        node = node.need("value")
    return typing.spelling(node) in NULL


def _is_asserted(node: Node, typing: Typing) -> bool:
    call = node.above("call_expression")
    while call is not None:
        if "assert" in called_name(typing.text, call.need("function")).lower():
            return True
        call = call.above("call_expression")
    return False
