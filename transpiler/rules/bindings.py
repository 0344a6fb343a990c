"""`auto [a, b] = whole;` and references to what a function returns."""

from cu2mlx.transpiler.model.declarations import Space, qualifiers
from cu2mlx.transpiler.rules.arithmetic import Special
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.types import TYPES


def bound(node: Node, context: Context) -> str | None:
    """A declaration of names for the parts of a value; None for what Metal says alike.

    `const auto& r = f();` keeps the value, which has no space to refer to. `auto [a, b] = array;` takes the members
    of the array, which the support library has in one of its own, and a vector as a record of its lanes.
    """
    declarators = node.fields("declarator")
    type_ = node.child("type")
    if len(declarators) != 1 or type_ is None or type_.kind != "placeholder_type_specifier":
        return None
    value, name = declarators[0].child("value"), declarators[0].child("declarator")
    if value is None or name is None:
        return None
    is_reference = name.kind == "reference_declarator"
    names = name.named_children[-1] if is_reference else name
    const = "const " if "const" in qualifiers(node, context.text) else ""
    called = context.instance.calls.get(value)
    kept = is_reference and called is not None and called.result is None
    space = context.lvalue(value) or Space.THREAD
    if names.kind != "structured_binding_declarator":
        return f"{const}auto {context.render(names)} = {context.render(value)};" if kept else None
    refers = is_reference and called is None
    taken = _array(value, context) or _lanes(value, context, space if refers and not const else None)
    if taken is None and not kept:
        return None
    copied = const and taken is not None and not taken.endswith(".items")
    head = f"{space} auto& " if refers and not copied else "auto "
    return f"{const}{head}{context.render(names)} = {taken or context.render(value)};"


def part(name: str, node: Node, arguments: Node, context: Context) -> str | None:
    """`std::get<0>(f())`: of what a call returns, which has no space to refer to."""
    whole, listed = (
        arguments.named_children[:1],
        next(iter(node.need("function").all("template_argument_list")), None),
    )
    if not whole or whole[0].kind != "call_expression" or listed is None:
        return None
    return f"cu::part_of{context.render(listed)}({context.render(whole[0])})"


def _array(value: Node, context: Context) -> str | None:
    type_ = context.typing.type_of(value)
    is_array = (
        type_ is not None and not type_.shape and type_.base.removeprefix("cuda::").startswith("array<")
    )
    return f"{context.render(value)}.items" if is_array else None


def _lanes(value: Node, context: Context, space: Space | None) -> str | None:
    """A vector as a record: a copy, or with a `space` the vector there itself."""
    type_ = context.typing.type_of(value)
    row = TYPES.get(type_.base) if type_ is not None and not type_.shape else None
    if row is None or row.metal is None or row.lanes < 2:
        return None
    rendered = context.render(value)
    if space is None:
        return f"cu::lanes({row.metal}({rendered}))" if row.lanes == 3 else f"cu::lanes({rendered})"
    if space is Space.INOUT:
        context.report("CU2107", value, name=context.source(value))
    return f"*({space} cu::lanes{row.lanes}<{row.metal.rstrip('234')}>*)&{rendered}"


SPECIAL: dict[str, Special] = {"get": part}
