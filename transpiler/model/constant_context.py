"""Where C++ computes an expression while it compiles."""

from cu2mlx.transpiler.model.declarations import qualifiers
from cu2mlx.transpiler.model.instances import Instance
from cu2mlx.transpiler.syntax import Node

_ALWAYS = frozenset({"template_argument_list", "array_declarator", "static_assert_declaration", "enumerator"})
_STATEMENTS = frozenset({"expression_statement", "return_statement", "compound_statement"})


def is_constexpr(node: Node, text: str) -> bool:
    """Whether a declaration or a function's definition says `constexpr`."""
    return "constexpr" in qualifiers(node, text)


def is_constant(node: Node, text: str) -> bool:
    """Whether an expression is the value of a constant, an extent, a template argument or their like."""
    around: Node | None = node
    while around is not None and around.kind not in _STATEMENTS:
        if around.kind in _ALWAYS:
            return True
        if around.kind in ("declaration", "field_declaration"):
            return is_constexpr(around, text) or around.above("function_definition") is None
        if around.kind == "if_statement":
            return "constexpr" in text[around.start : around.need("condition").start]
        around = around.parent
    return False


def is_folded(call: Node, called: Instance, caller: Instance) -> bool:
    """Whether a call of a constexpr function that calls itself is done with before the kernel runs."""
    text, here = caller.typing.text, caller.function
    return (
        not is_constexpr(called.function.node, text)
        or here is called.function
        or is_constexpr(here.node, text)
        or is_constant(call, text)
    )
