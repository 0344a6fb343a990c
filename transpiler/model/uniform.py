"""Values that all lanes of a simdgroup share wherever they meet, and how large they can be.

Metal's simd_shuffle_up, _down and _xor want one distance for the whole simdgroup (MSL §6.9.2), CUDA's do not.
"""

from collections.abc import Collection

from cu2mlx.transpiler.model.declarations import Variable
from cu2mlx.transpiler.model.expressions import Typing
from cu2mlx.transpiler.model.linear_index import changes
from cu2mlx.transpiler.syntax import Node

_OF_THE_BLOCK = frozenset({"blockIdx", "blockDim", "gridDim"})
_LITERALS = frozenset({"number_literal", "true", "false", "sizeof_expression"})
_COMPOSED = frozenset({"binary_expression", "unary_expression", "parenthesized_expression", "cast_expression",
                       "conditional_expression", "condition_clause"})  # fmt: skip
_PURE = frozenset({"min", "max", "abs", "ceilf", "floorf", "ceil", "floor", "sqrtf", "log2f"})
_SHRINKING, _GROWING = (">>", "/"), ("<<", "*", "+")


def is_uniform(node: Node, typing: Typing, alike: Collection[Variable] = ()) -> bool:
    """Whether an expression is made of constants, template arguments, a block's numbers and loop counters that
    start and step by such. `alike`: a helper's parameters that are given the same by all threads."""
    if node.kind in _LITERALS:
        return True
    if node.kind in _COMPOSED:
        return all(is_uniform(part, typing, alike) for part in node.named_children if part.field != "type")
    if node.kind == "field_expression":
        return typing.spelling(node.need("argument")) in _OF_THE_BLOCK
    if node.kind == "call_expression" and typing.spelling(node.need("function")) in _PURE:
        return all(is_uniform(part, typing, alike) for part in node.need("arguments").named_children)
    if node.kind != "identifier":
        return False
    variable = typing.names.meaning.get(node)
    if variable is None:
        name = typing.spelling(node)
        return name == "warpSize" or name in typing.declared.macros or name in _template_numbers(typing)
    if variable.is_parameter:
        given = typing.function.is_kernel or variable in alike
        return given and not variable.type.shape and not changes(variable, typing)
    if not _has_value(variable, typing):
        return False
    start, steps = variable.initialiser, _steps(variable, typing)
    if start is None or steps is None:
        return False
    return all(is_uniform(n, typing, alike) for n in (start, *steps))


def constant(node: Node, typing: Typing) -> int | None:
    """The number that a constant expression is, as far as it can be told without template arguments."""
    if node.kind == "number_literal":
        return _number(typing.spelling(node))
    if node.kind == "parenthesized_expression":
        return constant(node.named_children[0], typing)
    if node.kind == "binary_expression":
        left, right = constant(node.need("left"), typing), constant(node.need("right"), typing)
        return _calculated(typing.spelling(node.need("operator")), left, right)
    if node.kind != "identifier":
        return None
    variable = typing.names.meaning.get(node)
    if variable is None:
        name = typing.spelling(node)
        return 32 if name == "warpSize" else _number(typing.declared.macros.get(name, ""))
    start = variable.initialiser
    if start is None or not _has_value(variable, typing) or changes(variable, typing):
        return None
    return constant(start, typing)


def largest(node: Node, typing: Typing) -> int | None:
    """The largest value of a constant or of a loop counter that starts at one and grows to another, or shrinks."""
    value = constant(node, typing)
    variable = typing.names.meaning.get(node)
    if value is not None or variable is None or variable.initialiser is None:
        return value
    start = constant(variable.initialiser, typing)
    operators = {_operator(change, typing) for change in changes(variable, typing)}
    if start is None or _steps(variable, typing) is None:
        return None
    if operators <= set(_SHRINKING):
        return start
    return _limit(variable, typing) if operators <= set(_GROWING) else None


def halves(node: Node, whole: Node, typing: Typing) -> bool:
    """Whether a value is half of `whole` or, in a loop, half of that again: `for (m = W / 2; m > 0; m /= 2)`."""
    variable = typing.names.meaning.get(node)
    if variable is not None and variable.initialiser is not None and not variable.is_parameter:
        steps = changes(variable, typing)
        shrinks = _steps(variable, typing) is not None and {_operator(s, typing) for s in steps} <= set(
            _SHRINKING
        )
        return shrinks and halves(variable.initialiser, whole, typing)
    if node.kind != "binary_expression" or typing.spelling(node.need("left")) != typing.spelling(whole):
        return False
    half = (typing.spelling(node.need("operator")), constant(node.need("right"), typing))
    return half in ((">>", 1), ("/", 2))


def _has_value(variable: Variable, typing: Typing) -> bool:
    """Whether a variable holds one plain value, and nobody outside the function changes it."""
    return not (variable.type.shape or variable.type.is_reference) and (
        not variable.is_global or variable.type.const or "constexpr" in typing.spelling(variable.holder)
    )


def _template_numbers(typing: Typing) -> set[str]:
    function = typing.function
    templates = [function.template, function.record.template if function.record is not None else None]
    parameters = [p for t in templates if t is not None for p in t.need("parameters").named_children]
    names = [p.child("declarator") for p in parameters if p.child("type") is not None]
    return {typing.spelling(name) for name in names if name is not None}


def _steps(variable: Variable, typing: Typing) -> list[Node] | None:
    """By what a variable is changed; None where that is not in the head of the loop that declares it."""
    loop = variable.holder.parent
    steps: list[Node] = []
    for change in changes(variable, typing):
        update = loop.child("update") if loop is not None and loop.kind == "for_statement" else None
        if update is None or not update.start <= change.start < update.end or not _operator(change, typing):
            return None
        if change.kind == "assignment_expression":
            right = change.need("right")
            steps.append(right if typing.spelling(change.need("operator")) != "=" else right.need("right"))
    return steps


def _operator(change: Node, typing: Typing) -> str:
    """`>>` of `v >>= 1` and `v = v >> 1`, `+` of `++v`; empty for what is no step."""
    if change.kind == "update_expression":
        return "+" if "++" in typing.spelling(change) else "-"
    if change.kind != "assignment_expression":
        return ""
    operator, right = typing.spelling(change.need("operator")), change.need("right")
    if operator != "=":
        return operator[:-1]
    stays = right.kind == "binary_expression" and typing.spelling(right.need("left")) == typing.spelling(
        change.need("left")
    )
    return typing.spelling(right.need("operator")) if stays else ""


def _limit(variable: Variable, typing: Typing) -> int | None:
    """The largest value that `v < 32` or `v <= 16` lets into a loop."""
    loop = variable.holder.parent
    condition = loop.child("condition") if loop is not None else None
    if condition is None or condition.kind != "binary_expression":
        return None
    operator, bound = typing.spelling(condition.need("operator")), constant(condition.need("right"), typing)
    if bound is None or typing.names.meaning.get(condition.need("left")) is not variable:
        return None
    return {"<": bound - 1, "<=": bound}.get(operator)


def _number(text: str) -> int | None:
    digits = text.rstrip("uUlL").replace("'", "")
    try:
        return int(digits, 0)
    except ValueError:
        return None


def _calculated(operator: str, left: int | None, right: int | None) -> int | None:
    if left is None or right is None:
        return None
    if operator in ("/", ">>", "<<") and right <= 0:
        return None
    results = {"+": left + right, "-": left - right, "*": left * right}
    if operator in results:
        return results[operator]
    if operator == "/":
        return left // right
    return {">>": left >> right, "<<": left << right}.get(operator) if operator in (">>", "<<") else None
