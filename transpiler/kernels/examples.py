"""Values for template parameters that fit together, to check a kernel with: what host code gives them."""

import re
from collections.abc import Iterator, Mapping, Sequence

from cu2mlx.transpiler.binding.constant import constant_value
from cu2mlx.transpiler.binding.interface import TemplateParameter
from cu2mlx.transpiler.model.expressions import Typing
from cu2mlx.transpiler.model.launches import Launch
from cu2mlx.transpiler.model.types import canonical
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.types import TYPES

_INTEGER_OPERATORS = frozenset({"%", "<<", ">>", "&", "|", "^"})


def examples(
    parameters: Sequence[TemplateParameter],
    launches: Sequence[Launch],
    instantiated: Sequence[tuple[str, ...]],
    typing: Typing,
) -> list[str | None]:
    """One spelling for each template parameter of a kernel, None where nothing says. All come from one explicit
    instantiation or launch, the first of those that say most."""
    given = [_known(parameters, arguments, {}) for arguments in instantiated]
    given += [_known(parameters, each.template_arguments, host_names(each)) for each in launches]
    best = max(given, key=lambda values: sum(value is not None for value in values), default=[])
    found = [*best, *[None] * (len(parameters) - len(best))]
    return [
        _fitting(parameter.name, typing) if value is None and parameter.kind == "type" else value
        for parameter, value in zip(parameters, found, strict=True)
    ]


def host_names(launch: Launch) -> dict[str, str | None]:
    """What the names in a launch's template arguments stand for, as far as its host function says."""
    return dict((*launch.function_template, *launch.locals))


def example_of(kind: str, spelling: str, names: Mapping[str, str | None]) -> str | None:
    """A template argument as one that MLX can pass: a type by its name, a number, true or false."""
    if kind == "type":
        for each in (spelling, names.get(spelling)):
            row = TYPES.get(canonical(each)) if each is not None else None
            if row is not None and row.lanes == 1:
                return each
        return None
    value = constant_value(spelling, names)
    if value is None:
        return None
    return str(bool(value)).lower() if kind == "bool" else str(value)


def _known(
    parameters: Sequence[TemplateParameter], arguments: Sequence[str], names: Mapping[str, str | None]
) -> list[str | None]:
    pairs = zip(parameters, arguments, strict=False)
    return [example_of(parameter.kind, argument, names) for parameter, argument in pairs]


def _fitting(name: str, typing: Typing) -> str | None:
    """A type that a kernel's text is for: one it compares the parameter with, or an integer where it counts."""
    compared = re.findall(
        rf"\bis_same(?:_v)?\s*<\s*{name}\s*,\s*([\w:]+)\s*>", typing.spelling(typing.function.node)
    )
    meant = next((each for each in compared if example_of("type", each, {}) is not None), None)
    return meant or ("int" if _counts(name, typing) else None)


def _operands(expression: Node) -> Iterator[Node]:
    """`a`, `b` and `c` of `(a + b) * c`."""
    inner = [expression.child("left"), expression.child("right")]
    if expression.kind == "parenthesized_expression":
        inner = [*expression.named_children]
    elif expression.kind != "binary_expression":
        yield expression
        return
    for each in inner:
        if each is not None:
            yield from _operands(each)


def _counts(name: str, typing: Typing) -> bool:
    """Whether values of a template type are used as only integers can be: as an index, or bit by bit."""
    body = typing.function.body
    for node in body.all("subscript_expression", "binary_expression") if body is not None else ():
        if node.kind == "subscript_expression":
            used = [part for each in node.need("indices").named_children for part in _operands(each)]
        elif node.need("operator").kind in _INTEGER_OPERATORS:
            used = [node.need("left"), node.need("right")]
        else:
            continue
        types = [typing.type_of(each) for each in used]
        if any(type_ is not None and type_.base == name and type_.is_scalar for type_ in types):
            return True
    return False
