"""min, max, abs, pow: where CUDA's implicit conversions pick an overload that Metal calls ambiguous."""

from collections.abc import Callable

from cu2mlx.transpiler.model.declarations import qualifiers
from cu2mlx.transpiler.model.expressions import promote
from cu2mlx.transpiler.model.types import Type
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.names import visible
from cu2mlx.transpiler.rules.types import type_name
from cu2mlx.transpiler.syntax import Node

Special = Callable[[str, Node, Node, Context], str | None]
_HALVES = frozenset({"__half", "half", "__nv_bfloat16"})
_FLOATS = frozenset({"float", "half"})
_SPELLED = {
    "fminf": "fmin", "fmaxf": "fmax", "fmin": "fmin", "fmax": "fmax", "min": "min", "max": "max",
    "umin": "min", "umax": "max", "llmin": "min", "llmax": "max", "ullmin": "min", "ullmax": "max",
}  # fmt: skip


def _arithmetic(type_: Type | None) -> Type | None:
    """Unsuffixed literals count as float: Metal has no double."""
    if type_ is not None and type_.base == "double":
        return Type("float")
    return type_


def minimum(name: str, node: Node, arguments: Node, context: Context) -> str | None:
    """Both operands in the type that C++ converts them to."""
    given = arguments.named_children
    if name in ("min", "max") and (len(given) == 1 or (len(given) == 2 and _is_constant(node, context))):
        listed = given[0].named_children if given[0].kind == "initializer_list" else given
        return f"cu::{name}_of({', '.join(context.render(a) for a in listed)})"
    if len(given) != 2:
        return None
    types = [_arithmetic(context.typing.type_of(a)) for a in given]
    texts = [context.render(a) for a in given]
    spelled = _SPELLED[name]
    if name in ("fminf", "fmaxf"):
        common: Type | None = Type("float")
    else:
        common = promote(types[0], types[1])
    if common is None or common.shape:
        literal = next((i for i, a in enumerate(given) if a.kind == "number_literal"), None)
        other = types[1 - literal] if literal is not None else None
        if literal is None or other is None:
            if any(t is None for t in types):  # a template's type: let Metal's own overloads decide
                return visible(f"{spelled}(", context) + f"{', '.join(texts)})"
            return None
        common = other
    target = type_name(common.base, node, context)
    if target in _FLOATS and spelled in ("min", "max"):
        spelled = f"f{spelled}"  # a NaN loses, as in CUDA
    converted = [
        text if type_ is not None and type_.base == common.base else f"{target}({text})"
        for text, type_ in zip(texts, types, strict=True)
    ]
    return visible(f"{spelled}(", context) + f"{', '.join(converted)})"


def _is_constant(node: Node, context: Context) -> bool:
    """Whether a call stands in a constant expression, where Metal's own functions cannot."""
    holder: Node | None = node
    while holder is not None and not holder.kind.endswith(("_statement", "function_definition")):
        if holder.kind in ("declaration", "field_declaration") and "constexpr" in qualifiers(
            holder, context.text
        ):
            return True
        if holder.kind in ("static_assert_declaration", "template_argument_list", "array_declarator"):
            return True
        holder = holder.parent
    return "constexpr" in qualifiers(context.instance.function.node, context.text)


def absolute(name: str, node: Node, arguments: Node, context: Context) -> str | None:
    """`abs` of a float is fabs, of an integer abs."""
    given = arguments.named_children
    if len(given) != 1:
        return None
    type_ = _arithmetic(context.typing.type_of(given[0]))
    text = context.render(given[0])
    if type_ is None or type_.base == "float" or type_.base in _HALVES:
        return visible("abs(" if type_ is None else "fabs(", context) + f"{text})"
    return visible("abs(", context) + f"{text})"


SPECIAL: dict[str, Special] = {
    **dict.fromkeys(("min", "max", "fminf", "fmaxf", "fmin", "fmax", "umin", "umax"), minimum),
    **dict.fromkeys(("llmin", "llmax", "ullmin", "ullmax"), minimum),
    "abs": absolute,
}
