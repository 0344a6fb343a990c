"""Warp shuffles: Metal's own where all lanes move by one distance, else the support library's general forms.

MSL §6.9.2 wants one distance for the whole simdgroup, and leaves the lanes that have no source as they are, as CUDA
does for the full width of 32.
"""

from cu2mlx.transpiler.model.uniform import constant, halves, is_uniform, largest
from cu2mlx.transpiler.rules.arithmetic import Special
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.names import visible
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.spell import is_primary

_WIDTH = 32
# CUDA name → Metal's function, and the support library's for the types that Metal's does not take.
_MOVES = {
    "shfl_up": ("simd_shuffle_up", "cu::lane_up"),
    "shfl_down": ("simd_shuffle_down", "cu::lane_down"),
    "shfl_xor": ("simd_shuffle_xor", "cu::lane_xor"),
}
_BROADCAST, _SHUFFLE = ("simd_broadcast", "cu::lane_value"), ("simd_shuffle", "cu::lane_value")
_TAKEN = frozenset({"float", "int", "unsigned int", "__half", "__half2"})  # by Metal's own, as CUDA's


def shuffle(name: str, node: Node, arguments: Node, context: Context) -> str | None:
    """`simd_shuffle_xor(v, 16)`; None where lanes or segments differ, which the table's row says."""
    given = arguments.named_children[name.endswith("_sync") :]
    if len(given) not in (2, 3):
        return None
    value, distance = given[:2]
    width = given[2] if len(given) == 3 else None
    kind = name.removeprefix("__").removesuffix("_sync")
    move = _source(distance, width, context) if kind == "shfl" else _move(kind, distance, width, context)
    if move is None:
        return None
    (metal, ours), amount = move
    type_ = context.typing.type_of(value)
    native = type_ is not None and not type_.shape and type_.base in _TAKEN
    return f"{visible(f'{metal}(', context) if native else f'{ours}('}{context.render(value)}, {amount})"


def _source(lane: Node, width: Node | None, context: Context) -> tuple[tuple[str, str], str] | None:
    """CUDA takes the lane modulo the width."""
    if not _is_full(width, context):
        return None
    functions = _BROADCAST if is_uniform(lane, context.typing) else _SHUFFLE
    return functions, _below(_WIDTH, lane, context)


def _move(
    kind: str, distance: Node, width: Node | None, context: Context
) -> tuple[tuple[str, str], str] | None:
    if not is_uniform(distance, context.typing):
        return None
    most = largest(distance, context.typing)
    if kind == "shfl_xor":
        lanes = _WIDTH if width is None else constant(width, context.typing)
        if width is not None and halves(distance, width, context.typing):
            return _MOVES[kind], context.render(distance)  # stays within its segment
        if lanes == _WIDTH or (lanes is not None and most is not None and most < lanes):
            return _MOVES[kind], _below(_WIDTH, distance, context)
        return None
    far = most is None or not 0 <= most < _WIDTH
    return None if far or not _is_full(width, context) else (_MOVES[kind], context.render(distance))


def _is_full(width: Node | None, context: Context) -> bool:
    return width is None or constant(width, context.typing) == _WIDTH


def _below(limit: int, node: Node, context: Context) -> str:
    """The expression, modulo a limit that it might reach."""
    most, text = largest(node, context.typing), context.render(node)
    if most is not None and 0 <= most < limit:
        return text
    return f"{text if is_primary(text) else f'({text})'} & {limit - 1}"


_NAMES = ("shfl", *_MOVES)
SPECIAL: dict[str, Special] = {
    **dict.fromkeys((f"__{name}_sync" for name in _NAMES), shuffle),
    **dict.fromkeys((f"__{name}" for name in _NAMES), shuffle),
}
