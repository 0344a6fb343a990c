"""The user's operators on CUDA's vector types. C++ for Metal lets nobody replace those of its built-in vectors, which
go by components: most users' operators say just that and are not needed, any other would silently be ignored."""

import re
from collections.abc import Sequence

from cu2mlx.transpiler.model.address_spaces import Instance
from cu2mlx.transpiler.model.declarations import Function
from cu2mlx.transpiler.model.expressions import Typing
from cu2mlx.transpiler.model.operators import operands
from cu2mlx.transpiler.model.types import Type
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.tables.types import TYPES

_EXPRESSIONS = frozenset({"binary_expression", "assignment_expression", "unary_expression"})


def report_ignored(kernel: Instance, context: Context) -> None:
    """Refuse the uses, in all that a kernel reaches, of operators that Metal would take for its own."""
    functions = [
        function
        for function in context.declared.operators
        if any(_lanes(p.type) > 1 for p in function.parameters) and not by_components(function, context.text)
    ]
    if not functions:
        return
    for instance in kernel.reached():
        body = instance.function.body
        for node in body.walk() if body is not None else ():
            operator = node.child("operator") if node.kind in _EXPRESSIONS else None
            if operator is None:
                continue
            types = [instance.typing.type_of(operand) for operand in operands(node)]
            for function in functions:
                if _sign(function) == operator.kind and _takes(function, types, instance.typing):
                    context.report("CU2108", node, name=function.name)


def by_components(function: Function, text: str) -> bool:
    """Whether an operator's body says what Metal's own does: the same sign on each component."""
    body, sign = function.body, _sign(function)
    lanes = max(_lanes(p.type) for p in function.parameters)
    if body is None or sign in ("==", "!="):  # those of Metal give a vector
        return False
    says = re.sub(r"\s", "", text[body.start : body.end])
    names = [p.name for p in function.parameters]
    vectors = [_lanes(p.type) > 1 for p in function.parameters]
    parts = ["", *(f".{lane}" for lane in "xyzw"[:lanes])]
    each = [
        [f"{n}{part if vector else ''}" for n, vector in zip(names, vectors, strict=True)] for part in parts
    ]
    if sign.endswith("=") and len(names) == 2:
        whole, *components = [f"{a}{sign}{b};" for a, b in each]
        long = f"{names[0]}={names[0]}{sign[:-1]}{names[1]};"
        return says.removesuffix(f"return{names[0]};}}").strip("{}") in (whole, "".join(components), long)
    elements = [f"{sign}{e[0]}" if len(e) == 1 else sign.join(e) for e in each[1:]]
    listed = ",".join(rf"\(?{re.escape(element)}\)?" for element in elements)
    return re.fullmatch(rf"\{{return(?:\w+[({{]|\{{){listed}[)}}];\}}", says) is not None


def _sign(function: Function) -> str:
    return function.name.removeprefix("operator").strip()


def _lanes(type_: Type) -> int:
    row = TYPES.get(type_.value.base)
    return row.lanes if row is not None and not type_.has_pointer else 1


def _takes(function: Function, types: Sequence[Type | None], typing: Typing) -> bool:
    """Whether the operands may be this operator's: a vector of exactly its type where it takes a vector."""
    wanted = [p.type for p in function.parameters]
    if len(wanted) != len(types):
        return False
    for want, given in zip(wanted, types, strict=True):
        known = typing.alias(given.value) if given is not None else None
        vector = known is not None and _lanes(known) > 1 and not known.shape
        if (_lanes(want) > 1) != vector or (vector and known is not None and known.base != want.value.base):
            return False
    return True
