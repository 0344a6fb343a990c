"""Which of the user's overloads a call means."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cu2mlx.transpiler.model.declarations import Function, Variable
from cu2mlx.transpiler.syntax import Node

if TYPE_CHECKING:
    from cu2mlx.transpiler.model.expressions import Typing
    from cu2mlx.transpiler.model.types import Type

Taken = tuple[str, bool]  # what a parameter takes: the base of its type, whether it is a pointer

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
    given = tuple((t.base, bool(t.shape)) if t is not None else None for t in types)
    known = typing.taken
    for function in fitting:
        if function not in known:
            wanted = [typing.alias(p.type.value) for p in function.parameters]
            known[function] = tuple((w.base, w.has_pointer) for w in wanted)
    exact = [function for function in fitting if known[function] == given]
    if exact:  # found without a look at each of the others, which may be as many as the calls
        return exact
    fits = [_fit(known[function], given) for function in fitting]
    best = max(fits)
    return [function for function, each in zip(fitting, fits, strict=True) if each == best]


def _fit(wanted: Sequence[Taken], given: Sequence[Taken | None]) -> int:
    """How well arguments fit parameters; those of unknown types do not count."""
    score = 0
    for one, other in zip(wanted, given, strict=False):
        if other is None:
            continue
        if one == other:
            score += 2
        elif one[1] != other[1]:
            score -= 4
        elif one[0] in RANK and other[0] in RANK:
            score -= 1
    return score


def own_functions(typing: "Typing", name: str, call: Node) -> list[Function]:
    """The user's functions of a name that a call may mean: of a builtin's name, only those for its types."""
    overloads = [f for f in typing.declared.functions.get(name, []) if not f.is_kernel]
    if not overloads or typing.result_of(name) is None:
        return overloads
    overloads = [f for f in overloads if _is_found(f, call, typing)]
    if any(_hides(f, call, typing) for f in overloads):
        return overloads
    return overloads if takes_exactly(typing, overloads, call) else []


def _is_found(function: Function, call: Node, typing: "Typing") -> bool:
    """Whether a call finds a function: `std::` those in std; without a namespace, what is in no other one, or in that
    of a record among the arguments, or in one that the file opens."""
    spaces = _namespaces(function.node, typing.text)
    scope = call.need("function").child("scope")
    if scope is not None:
        return typing.spelling(scope) not in _LIBRARIES or "std" in spaces
    if spaces <= _namespaces(call, typing.text) or spaces & typing.declared.opened:
        return True
    types = [typing.type_of(argument) for argument in call.need("arguments").named_children]
    return any(type_ is not None and typing.declared.record(type_) is not None for type_ in types)


def _hides(function: Function, call: Node, typing: "Typing") -> bool:
    """Whether a function is in a namespace around the call, where C++ finds it and looks no further."""
    spaces = _namespaces(function.node, typing.text)
    unqualified = call.need("function").child("scope") is None
    return unqualified and bool(spaces) and spaces <= _namespaces(call, typing.text)


_LIBRARIES = frozenset({"std", "cuda", "thrust"})


def _namespaces(node: Node, text: str) -> set[str]:
    names: set[str] = set()
    around = node.above("namespace_definition")
    while around is not None:
        name = around.child("name")
        names |= {text[name.start : name.end]} if name is not None else set()
        around = around.above("namespace_definition")
    return names


def converts(typing: "Typing", parameter: Variable, argument: Node) -> bool:
    """Whether a reference to a number is given one of another type, of which a value is made: a half for a float."""
    given, wanted = typing.type_of(argument), typing.alias(parameter.type.value)
    if given is None or given.shape or wanted.shape:
        return False
    return given.base != wanted.base and given.base in RANK and wanted.base in RANK


def takes_exactly(typing: "Typing", overloads: list[Function], call: Node) -> bool:
    """Whether one of the user's overloads of a builtin name takes exactly these argument types."""
    types = [typing.type_of(a) for a in call.need("arguments").named_children]
    for function in overloads:
        wanted = [typing.alias(p.type.value) for p in function.parameters]
        if len(wanted) == len(types) and all(
            g is None
            or (w.base == g.base and w.has_pointer == bool(g.shape))
            or (function.template is not None and _may_be(w, g, typing))
            for w, g in zip(wanted, types, strict=True)
        ):
            return True
    return False


def _may_be(wanted: "Type", given: "Type", typing: "Typing") -> bool:
    """Whether a type may be what a template's parameter asks for: a `vec<L, T>` takes no scalar."""
    record = typing.declared.record(wanted)
    return record is None or record is typing.declared.record(given)
