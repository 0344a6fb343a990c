"""Objects that stand for the dynamic threadgroup memory: `T* s = SharedMemory<T>();`."""

from cu2mlx.transpiler.model.pointees import is_shared_object
from cu2mlx.transpiler.rules import cub
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.names import DYNAMIC, hand_down_shared
from cu2mlx.transpiler.rules.types import memory_name
from cu2mlx.transpiler.syntax import Node


def shared_object(node: Node, context: Context) -> str | None:
    """The memory itself: a conversion operator cannot be handed any."""
    type_ = context.typing.type_of(node)
    if type_ is None or not is_shared_object(node, context.typing):
        return None
    hand_down_shared(context)
    return f"((threadgroup {memory_name(type_.base, node, context)}*){DYNAMIC})"


def braced(node: Node, context: Context) -> str | None:
    """`SharedMemory<T>{}`, and objects of CUB's classes."""
    return shared_object(node, context) or cub.braced(node, context)


RULES = {"compound_literal_expression": braced}
