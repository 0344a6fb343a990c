"""The parameters that a template declares, in order."""

from dataclasses import dataclass

from cu2mlx.transpiler.model.types import declarator_name
from cu2mlx.transpiler.syntax import Node


@dataclass(frozen=True, slots=True)
class DeclaredParameter:
    """`typename T = float`, `int N`, `class... Ts`; a `name` is empty where there is none."""

    name: str
    node: Node
    is_type: bool  # or a class template
    default: str | None

    @property
    def is_pack(self) -> bool:
        return self.node.kind.startswith("variadic")


def template_parameters(template: Node | None, text: str) -> list[DeclaredParameter]:
    """The parameters of a template_declaration, none without one."""
    listed = template.need("parameters").named_children if template is not None else []
    return [_parameter(node, text) for node in listed if node.kind.endswith("parameter_declaration")]


def template_names(template: Node | None, text: str) -> set[str]:
    """The names that a template_declaration introduces."""
    return {parameter.name for parameter in template_parameters(template, text) if parameter.name}


def _parameter(node: Node, text: str) -> DeclaredParameter:
    is_type = node.kind.endswith(("type_parameter_declaration", "template_parameter_declaration"))
    default = node.child("default_type" if is_type else "default_value")
    if is_type:
        declared = node.first("type_parameter_declaration") or node  # `template <typename> class Op`
        name = declared.child("name") or declared.first("type_identifier")
    else:
        name = declarator_name(node.child("declarator"))
    return DeclaredParameter(
        text[name.start : name.end] if name is not None else "",
        node,
        is_type,
        text[default.start : default.end] if default is not None else None,
    )
