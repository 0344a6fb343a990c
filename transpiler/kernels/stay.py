"""What a kernel's threads do that return early while others go on to a barrier."""

from cu2mlx.transpiler.model.early_return import early_returns, leaving_helpers
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.types import type_name


def keep_active(context: Context) -> None:
    """Fill the context's `leaving` and `active`; a warning where threads leave all the same."""
    found = early_returns(context.instance)
    if found.left is not None:
        context.report("CU4206", found.left, name=context.instance.function.name)
    for helper, leaving in leaving_helpers(context.instance):
        context.report("CU4206", leaving, name=helper.function.name)
    context.leaving = found.leaving
    for node, flag in found.guarded.items():
        context.active[node] = (f"if ({flag}) ", "")
    for condition, flag in found.conditions.items():
        context.active[condition] = (f"{flag} && (", ")")
    meaning = context.typing.names.meaning
    for value, flag in found.values.items():
        declarator = value.parent.need("declarator") if value.parent is not None else value
        type_ = (
            context.typing.type_of(value)
            if meaning[declarator].type.base == "auto"
            else meaning[declarator].type
        )
        base = type_name(type_.base, declarator, context) if type_ is not None else "auto"
        context.active[value] = (f"{flag} ? ", f" : {base}()")
