"""Parts of the elements of buffers that a kernel reads and writes: `p[i].y = 1`, `&p[i].count`, `p[i].row[k] += 1`.

An inout_ref has no members. A lane is one by its number, a member of a record by where it lies in the input:
`cu::part(p[i], p.base[i].count)`, which names the element twice and so wants one without side effects.
"""

from typing import NamedTuple

from cu2mlx.transpiler.model.declarations import Space, Variable
from cu2mlx.transpiler.model.expressions import called_name, cast_target
from cu2mlx.transpiler.model.vectors import lanes
from cu2mlx.transpiler.rules import inout
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.names import variable_name
from cu2mlx.transpiler.rules.types import type_name
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.spell import is_primary

_PURE = frozenset({"min", "max", "abs"})


class _Element(NamedTuple):
    """An element as an inout_ref, and the same in the input."""

    reference: str
    input: str


def part(node: Node, context: Context) -> str | None:
    """A part that is written, bound to a reference or passed as an array; None for all else."""
    if not context.spaces.in_place:
        return None
    whole, steps = _split(node, context)
    type_ = context.typing.type_of(node)
    if (
        not steps
        or type_ is None
        or context.lvalue(node) is not Space.INOUT
        or _is_named_further(node, context)
    ):
        return None
    is_row = type_.is_array and len(type_.shape) == 1
    if (type_.shape and not is_row) or not (is_row or inout.is_written(node, context)):
        return None
    of = context.typing.type_of(steps[-1].need("argument"))
    lane = "xyzw".find(context.source(steps[-1].need("field"))) if of is not None and lanes(of.base) else -1
    path = steps if lane < 0 else steps[:-1]
    element = _element(whole, context) if _has_address(path, context) else None
    if element is None or (path and not _is_repeatable(whole, context)):
        return None
    found = element.reference
    if path:
        _know_bits(type_.base if lane < 0 else of.base if of is not None else "", context)
        inner = "".join(_step(each, context) for each in path)
        found = f"cu::part({found}, {element.input}{inner}{'[0]' if is_row else ''})"
    if lane >= 0:
        return f"cu::lane<{type_name(type_.base, node, context)}>({found}, {lane})"
    return f"&{found}" if is_row else found


def _is_named_further(node: Node, context: Context) -> bool:
    """Whether this is a part of which a part is meant: `p[i].a` of `(p[i].a).b`."""
    while node.parent is not None and node.parent.kind == "parenthesized_expression":
        node = node.parent
    return inout.part_of(node, context) is not None


def _split(node: Node, context: Context) -> tuple[Node, list[Node]]:
    """`p[i]` of `p[i].a[k].x`, and the expressions that lead from there, innermost first; `p` of `p->a`."""
    steps: list[Node] = []
    while True:
        if node.kind == "parenthesized_expression" and len(node.named_children) == 1:
            node = node.named_children[0]
        elif node.kind == "field_expression":
            steps.insert(0, node)
            node = node.need("argument")
            if _is_arrow(steps[0]):
                return node, steps
        elif node.kind == "subscript_expression" and _is_member_array(node.need("argument"), context):
            steps.insert(0, node)
            node = node.need("argument")
        else:
            return node, steps


def _is_arrow(node: Node) -> bool:
    return any(child.kind == "->" for child in node.children)


def _is_member_array(node: Node, context: Context) -> bool:
    type_ = context.typing.type_of(node)
    while node.kind in ("subscript_expression", "parenthesized_expression"):
        node = node.child("argument") or node.named_children[0]
    return node.kind == "field_expression" and type_ is not None and type_.is_array


def _element(node: Node, context: Context) -> _Element | None:
    arrow = node.parent is not None and node.parent.kind == "field_expression" and _is_arrow(node.parent)
    if arrow or (node.kind == "pointer_expression" and node.children[0].kind == "*"):
        pointer = node if arrow else node.need("argument")
        if context.pointee(pointer) is not Space.INOUT:
            return None
        text = context.render(pointer)
        text = text if is_primary(text) else f"({text})"
        return _Element(f"(*{text})", f"(*{text}.base)")
    if node.kind == "subscript_expression" and context.pointee(node.need("argument")) is Space.INOUT:
        text = context.render(node.need("argument"))
        indices = "".join(context.render(each) for each in node.fields("indices"))
        return _Element(f"{text}{indices}", f"{text}.base{indices}")
    variable = context.typing.names.meaning.get(node)
    if variable is not None and variable.type.is_reference and context.lvalue(node) is Space.INOUT:
        name = variable_name(variable, context)
        return _Element(name, f"(*{name}.base)")
    return None


def _step(node: Node, context: Context) -> str:
    if node.kind == "subscript_expression":
        return "".join(context.render(each) for each in node.fields("indices"))
    return f".{context.render(node.need('field'))}"


def _has_address(path: list[Node], context: Context) -> bool:
    """Whether each step leads to a member of a record that is neither a bit-field nor an enumeration."""
    fields = [_member(each, context) for each in path if each.kind == "field_expression"]
    return all(
        field is not None
        and field.holder.first("bitfield_clause") is None
        and field.type.base not in context.declared.enums
        for field in fields
    )


def _member(node: Node, context: Context) -> Variable | None:
    base = context.typing.type_of(node.need("argument"))
    record = context.declared.record(base) if base is not None else None
    return record.fields.get(context.source(node.need("field"))) if record is not None else None


def _is_repeatable(node: Node, context: Context) -> bool:
    """Whether an expression may be said twice."""
    if any(node.all("assignment_expression", "update_expression")):
        return False
    return all(
        cast_target(context.text, call.need("function")) is not None
        or called_name(context.text, call.need("function")) in _PURE
        for call in node.all("call_expression")
    )


def _know_bits(base: str, context: Context) -> None:
    if base in context.declared.records:
        context.printed.facts.add(f"inout:{base}")


def field(node: Node, context: Context) -> str | None:
    return part(node, context) or inout.member(node, context)


def subscript(node: Node, context: Context) -> str | None:
    return part(node, context) or inout.element(node, context)


RULES = {"subscript_expression": subscript}
