"""Which of the user's overloads a call means."""

from typing import TYPE_CHECKING

from cu2mlx.transpiler.model.declarations import Function
from cu2mlx.transpiler.syntax import Node

if TYPE_CHECKING:
    from cu2mlx.transpiler.model.expressions import Typing

# C++'s arithmetic types, the lower converted to the higher.
RANK = ("bool", "char", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int",
         "long", "unsigned long", "long long", "unsigned long long", "__half", "half", "__nv_bfloat16", "float",
         "double")  # fmt: skip


def unpacks(call: Node) -> bool:
    """Whether a call's arguments are those of a parameter pack: `f(rest...)`."""
    return any(a.kind == "parameter_pack_expansion" for a in call.need("arguments").named_children)


def matching(typing: "Typing", overloads: list[Function], call: Node) -> Function:
    """The overload with the right number of parameters whose scalar types fit best."""
    return candidates(typing, overloads, call)[0]


def candidates(typing: "Typing", overloads: list[Function], call: Node) -> list[Function]:
    """The overloads a call may mean, the likeliest first: one, unless argument types hang on a template."""
    arguments = call.need("arguments").named_children
    if unpacks(call):  # any number of them
        return overloads
    fitting = [f for f in overloads if len(f.parameters) == len(arguments)]
    if not fitting:
        fitting = [f for f in overloads if len(f.parameters) >= len(arguments)] or overloads
    if len(fitting) == 1:
        return fitting
    types = [typing.type_of(a) for a in arguments]

    def fit(function: Function) -> int:
        score = 0
        for parameter, given in zip(function.parameters, types, strict=False):
            wanted = typing.alias(parameter.type.value)
            if given is None:
                continue
            if wanted.base == given.base and wanted.has_pointer == bool(given.shape):
                score += 2
            elif wanted.has_pointer != bool(given.shape):
                score -= 4
            elif wanted.base in RANK and given.base in RANK:
                score -= 1
        return score

    fits = [fit(function) for function in fitting]
    best = max(fits)
    return [function for function, each in zip(fitting, fits, strict=True) if each == best]


def takes_exactly(typing: "Typing", overloads: list[Function], call: Node) -> bool:
    """Whether one of the user's overloads of a builtin name takes exactly these argument types."""
    types = [typing.type_of(a) for a in call.need("arguments").named_children]
    for function in overloads:
        wanted = [typing.alias(p.type.value) for p in function.parameters]
        if len(wanted) == len(types) and all(
            g is None
            or (w.base == g.base and w.has_pointer == bool(g.shape))
            or function.template is not None
            for w, g in zip(wanted, types, strict=True)
        ):
            return True
    return False
