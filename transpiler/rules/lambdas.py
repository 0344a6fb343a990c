"""Lambdas: what CUDA knows everywhere, such as threadIdx, is a variable in Metal, which a lambda has to capture."""

import re

from cu2mlx.transpiler.model.declarations import Space
from cu2mlx.transpiler.rules.context import DROP, Context
from cu2mlx.transpiler.rules.names import variable_name
from cu2mlx.transpiler.syntax import Node

_OF_CUDA = re.compile(r"(?:__(?:host|device|forceinline)__\s*)+")


def lambda_expression(node: Node, context: Context) -> str | None:
    """A lambda that lists what it captures, with what its body uses of the kernel's; `__device__` goes."""
    captures = node.need("captures")
    parts, position = [], captures.end
    for child in node.children:
        if child is not captures:
            text = context.render(child)
            parts += [_OF_CUDA.sub("", context.text[position : child.start]), "" if text == DROP else text]
            position = child.end
    rest, listed = "".join(parts), context.render(captures)[1:-1]
    by_default = captures.first("lambda_default_capture") is not None
    taken = [] if by_default else _taken(node, listed, rest, context)
    return f"[{', '.join([*([listed] if listed.strip() else []), *taken])}]{rest}"


def _taken(node: Node, listed: str, rest: str, context: Context) -> list[str]:
    """What a lambda has to capture besides: index values, and shared memory, which CUDA has everywhere."""
    handed = [each.local or each.name for each in context.printed.handed.values()]
    meant = [context.typing.names.meaning.get(each) for each in node.all("identifier")]
    shared = [
        variable_name(v, context)
        for v in meant
        if v is not None and v.space is Space.THREADGROUP and not node.start <= v.holder.start < node.end
    ]
    words, given = set(re.findall(r"\w+", rest)), set(re.findall(r"\w+", listed))
    return [f"&{name}" for name in dict.fromkeys([*handed, *shared]) if name in words - given]


RULES = {"lambda_expression": lambda_expression}
