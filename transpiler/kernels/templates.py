"""Template parameters: which of them MLX passes."""

import re
from dataclasses import dataclass

from cu2mlx.transpiler.binding.interface import TemplateParameter
from cu2mlx.transpiler.model.declarations import Function
from cu2mlx.transpiler.model.launches import Launch
from cu2mlx.transpiler.model.types import Type, canonical
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.types import TYPES


def template_list(template: Node, context: Context) -> list[TemplateParameter]:
    found: list[TemplateParameter] = []
    for node in template.need("parameters").named_children:
        default = node.child("default_value") or node.child("default_type")
        spelled = context.source(default) if default is not None else None
        if (
            "type_parameter_declaration" in node.kind
            or node.kind == "template_template_parameter_declaration"
        ):
            name = node.first("type_identifier") or node.child("name")
            kind = "type"
        elif node.child("type") is None:
            continue
        else:
            name = node.child("declarator")
            kind = "bool" if context.source(node.need("type")) == "bool" else "int"
        if name is not None:
            found.append(TemplateParameter(context.source(name), kind, spelled))
    return found


def template_of(function: Function, context: Context) -> tuple[TemplateParameter, ...]:
    return tuple(template_list(function.template, context)) if function.template is not None else ()


def type_parameters(template: Node, context: Context) -> set[str]:
    return {p.name for p in template_list(template, context) if p.kind == "type"}


def enum_parameters(function: Function, context: Context) -> dict[str, str]:
    """Template parameters of enum type: MLX's template values are ints."""
    found: dict[str, str] = {}
    parameters = function.template.need("parameters") if function.template is not None else None
    for node in parameters.named_children if parameters is not None else []:
        specified, name = node.child("type"), node.child("declarator")
        if (
            specified is not None
            and name is not None
            and specified.kind in ("type_identifier", "qualified_identifier")
        ):
            base = canonical(context.source(specified))
            if base not in TYPES:
                found[context.source(name)] = context.render(specified)
    return found


@dataclass(frozen=True, slots=True)
class Bound:
    """A template parameter whose value is fixed in the text, since MLX passes only dtypes, ints and bools."""

    name: str
    spelling: str


def bound_classes(
    function: Function, launches: list[Launch], asked: tuple[str, ...], context: Context
) -> tuple[list[Bound], list[str]]:
    """Type parameters used as a class (`Traits::width`, a functor), with their class; and those nobody names.

    The class is what the user asked for, else what every launch in the file agrees on, else the default.
    """
    found: list[Bound] = []
    unknown: list[str] = []
    for index, parameter in enumerate(template_of(function, context)):
        if parameter.kind != "type" or not _is_class(parameter.name, function, context):
            continue
        spellings = {x.template_arguments[index] for x in launches if index < len(x.template_arguments)}
        if index < len(asked):
            found.append(Bound(parameter.name, asked[index]))
        elif len(spellings) == 1 and _is_declared(next(iter(spellings)), context):
            found.append(Bound(parameter.name, spellings.pop()))
        elif parameter.default is not None:
            found.append(Bound(parameter.name, parameter.default))
        else:
            unknown.append(parameter.name)
    return found, unknown


def _is_class(name: str, function: Function, context: Context) -> bool:
    """Whether a type parameter is asked for members, constructed, or the type of a called parameter."""
    text = context.text[function.node.start : function.node.end]
    if re.search(rf"\b{name}\s*(?:::|\(\s*\)|\{{\s*\}})", text):
        return True
    values = [p.name for p in function.parameters if p.type.base == name and not p.type.has_pointer]
    return any(re.search(rf"\b{value}\s*(?:\(|\.)", text) for value in values)


def _is_declared(spelling: str, context: Context) -> bool:
    return context.declared.record(Type(canonical(spelling))) is not None


def metal_spelling(spelling: str) -> str:
    """A type's CUDA spelling with the built-in names in Metal's words: `Op<__half>` → `Op<half>`."""

    def word(match: re.Match[str]) -> str:
        row = TYPES.get(canonical(match.group(0)))
        return row.metal if row is not None and row.metal is not None else match.group(0)

    return re.sub(r"unsigned (?:int|char|short|long)|[A-Za-z_]\w*", word, spelling)
