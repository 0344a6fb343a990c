"""Names of CUB's: the support library has the same ones."""

import re

from cu2mlx.transpiler.model.types import Type
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.cub import CLASSES, NAMES

_INNER = ("template_type", "template_function", "qualified_identifier")
_OPENED = re.compile(r"\busing\s+(?:namespace\s+cub\s*;|cub::(\w+))")


def class_of(type_: Type | None, context: Context) -> str | None:
    """Which of CUB's class templates a type is an instance of, whatever it is called."""
    if type_ is None or type_.base.rpartition(">")[2]:  # the class's TempStorage is none
        return None
    name = type_.base.split("<")[0]
    plain = name.removeprefix("cub::")
    return plain if plain in CLASSES and (plain != name or is_opened(plain, context)) else None


def in_namespace(node: Node, context: Context) -> str | None:
    """`cub::BlockReduce<float, 128>::TempStorage`, the part behind `cub::`."""
    named = node
    while named.kind in _INNER:
        named = named.child("scope") or named.need("name")
    metal = NAMES.get(context.source(named))
    if metal is None:
        context.report("CU3712", node, name=f"cub::{context.source(named)}")
        return None
    return metal if named is node else f"cu::{context.render(node)}"


def unqualified(node: Node, context: Context) -> str | None:
    """A bare `BlockReduce` that a using declaration makes CUB's."""
    part, name = node, context.source(node)
    while part.parent is not None and part.parent.kind in _INNER:
        if part.parent.kind == "qualified_identifier" and part.field == "name":
            return None
        part = part.parent
    return NAMES[name] if is_opened(name, context) else None


def is_opened(name: str, context: Context) -> bool:
    """Whether a bare name is CUB's for a using declaration, and not the user's own."""
    declared, names = context.declared, context.typing.names
    record = context.instance.function.record
    if name not in NAMES or name in declared.type_names or name in names.local_aliases:
        return False
    if name in declared.functions or (record is not None and name in record.aliases):
        return False
    return any(named in ("", name) for named in _OPENED.findall(context.text))
