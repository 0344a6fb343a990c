"""Number literals: `long` has 64 bits in Metal, and there is no `long long`."""

import re

from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.syntax import Node

_LONG_LONG = re.compile(r"(?:LL|ll)(?=[uU]?$)")


def number(node: Node, context: Context) -> str | None:
    """`100LL` → `100L`."""
    text = context.source(node)
    if text[-1:] in "uUlL" and _LONG_LONG.search(text):
        return _LONG_LONG.sub("L", text)
    return None


RULES = {"number_literal": number}
