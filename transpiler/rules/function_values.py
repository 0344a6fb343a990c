"""Helpers whose template parameters are functions. Metal has no pointers to functions: the helper is printed for the
functions that it is given, and calls them by name; what they themselves are templates of, it takes in their place."""

from cu2mlx.transpiler.model.instances import Instance
from cu2mlx.transpiler.model.template_parameters import template_parameters
from cu2mlx.transpiler.model.template_values import argument_nodes, explicit_arguments, function_name
from cu2mlx.transpiler.model.types import template_arguments
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.names import safe_name
from cu2mlx.transpiler.syntax import Node


def called_for_functions(function: Node, called: Instance, context: Context) -> str:
    """The name and the template arguments in a call of such a helper; empty for any other."""
    if not called.typing.functions:
        return ""
    spelled = explicit_arguments(function, context.typing)
    kept: list[str] = []
    parameters = template_parameters(called.function.template, context.text)
    for place, (node, argument) in enumerate(zip(argument_nodes(function), spelled, strict=True)):
        if place < len(parameters) and parameters[place].name in called.typing.functions:
            lists = list(node.all("template_argument_list"))[:1]
            own = [context.render(each) for each in lists[0].named_children] if lists else []
            kept += own or template_arguments(argument)
        else:
            kept.append(context.render(node))
    name = printed_name(called, context)
    return f"{name}<{', '.join(kept)}>" if kept else name


def printed_name(instance: Instance, context: Context) -> str:
    """A helper's own name; with a number where the kernel needs it for other functions, too."""
    alike = [i for i in context.spaces.instances.values() if i.function is instance.function]
    different = list(dict.fromkeys(tuple(each.typing.functions.items()) for each in alike))
    number = different.index(tuple(instance.typing.functions.items())) + 1
    name = instance.function.name
    return safe_name(name if number == 1 else f"{name}_{number}")


def template_head(context: Context) -> str:
    """`template <…>` of the helper that is printed, without its functions; empty if nothing is left."""
    instance = context.instance
    kept: list[str] = []
    for parameter in template_parameters(instance.function.template, context.text):
        value = instance.typing.functions.get(parameter.name)
        if value is None:
            kept.append(context.render(parameter.node))
            continue
        overloads = context.declared.functions[function_name(value)]
        template = next((each.template for each in overloads if each.template is not None), None)
        own = template_parameters(template, context.text)
        for name, each in zip(template_arguments(value), own, strict=False):
            word = "typename" if each.is_type else context.render(each.node.need("type"))
            kept.append(f"{word} {name}")
    return f"template <{', '.join(kept)}>\n" if kept else ""
