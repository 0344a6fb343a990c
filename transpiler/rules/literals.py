"""Number literals: `long` has 64 bits in Metal, there is no `long long`, and 0.1 is a float."""

import re
import struct

from cu2mlx.transpiler.model.expressions import cast_target
from cu2mlx.transpiler.model.literals import literal
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.syntax import Node

_LONG_LONG = re.compile(r"(?:LL|ll)(?=[uU]?$)")
_WHOLE = frozenset(
    f"{sign}{size}" for sign in ("", "unsigned ") for size in ("char", "short", "int", "long")
) | {"signed char"}
_ARITHMETIC = ("+", "-", "*", "/")


def number(node: Node, context: Context) -> str | None:
    """`100LL` → `100L`."""
    text = context.source(node)
    if text[-1:] in "uUlL" and _LONG_LONG.search(text):
        return _LONG_LONG.sub("L", text)
    if literal(text).base == "double" and _is_rounded(text):
        _report_rounded(node, context)
    return None


def _is_rounded(text: str) -> bool:
    """Whether a double's literal is no float: 0.1, not 0.5."""
    plain = text.replace("'", "").rstrip("lL")
    value = float.fromhex(plain) if plain[:2].lower() == "0x" else float(plain)
    try:
        return bool(struct.unpack("f", struct.pack("f", value))[0] != value)
    except OverflowError:
        return True


def _report_rounded(node: Node, context: Context) -> None:
    """Where a rounding error in the last place is another whole number, or another answer."""
    whole, parent = node, node.parent
    while parent is not None and (
        parent.kind in ("parenthesized_expression", "unary_expression")
        or (parent.kind == "binary_expression" and parent.need("operator").kind in _ARITHMETIC)
    ):
        whole, parent = parent, parent.parent
    if parent is None:
        return
    compared = parent.kind == "binary_expression" and parent.need("operator").kind in ("==", "!=")
    if compared or (whole is not node and _becomes_whole(whole, parent, context)):
        context.report("CU4110", node, name=context.source(node), expression=context.source(whole))


def _becomes_whole(value: Node, parent: Node, context: Context) -> bool:
    """Whether a value is truncated to an integer: cast, kept in a variable, assigned."""
    if parent.kind == "argument_list" and parent.parent is not None:
        call = parent.parent
        is_cast = (
            call.kind == "call_expression" and cast_target(context.text, call.need("function")) is not None
        )
        target = context.typing.type_of(call) if is_cast else None
    elif parent.kind == "cast_expression":
        target = context.typing.type_of(parent)
    elif parent.kind == "assignment_expression" and value.field == "right":
        target = context.typing.type_of(parent.need("left"))
    elif parent.kind == "init_declarator" and value.field == "value":
        variable = context.typing.names.meaning.get(parent.need("declarator"))
        target = context.typing.alias(variable.type) if variable is not None else None
    else:
        return False
    return target is not None and not target.shape and target.base in _WHOLE


RULES = {"number_literal": number}
