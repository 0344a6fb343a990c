"""Objects that stand for the dynamic threadgroup memory: `T* s = SharedMemory<T>();`."""

from cu2mlx.transpiler.model.declarations import Variable
from cu2mlx.transpiler.model.pointees import is_shared_object
from cu2mlx.transpiler.rules import cub
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.names import DYNAMIC, hand_down_shared, identifier
from cu2mlx.transpiler.rules.types import memory_name
from cu2mlx.transpiler.syntax import Node


def shared_object(node: Node, context: Context) -> str | None:
    """The memory itself: a conversion operator cannot be handed any."""
    type_ = context.typing.type_of(node)
    if type_ is None or not is_shared_object(node, context.typing):
        return None
    hand_down_shared(context)
    return f"((threadgroup {memory_name(type_.base, node, context)}*){DYNAMIC})"


def is_declared(variable: Variable, context: Context) -> bool:
    """Whether a variable is one: nothing is left of its declaration."""
    return context.declared.is_shared(variable.type)


def named(node: Node, context: Context) -> str | None:
    """A variable that is one, else any other identifier."""
    if not context.declared.shared_records:  # most files
        return identifier(node, context)
    used = node.parent is None or not node.parent.kind.endswith("declarator") or node.field == "value"
    shared = shared_object(node, context) if used else None
    return shared if shared is not None else identifier(node, context)


def braced(node: Node, context: Context) -> str | None:
    """`SharedMemory<T>{}`, and objects of CUB's classes."""
    return shared_object(node, context) or cub.braced(node, context)


RULES = {"identifier": named, "compound_literal_expression": braced}
