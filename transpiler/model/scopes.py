"""Which declaration each identifier of a function means."""

from dataclasses import dataclass, field
from functools import cached_property

from cu2mlx.transpiler.model.declarations import Declarations, Function, Variable, place
from cu2mlx.transpiler.model.template_parameters import template_names
from cu2mlx.transpiler.model.types import Type, as_parameter, declarator_name, declared_type
from cu2mlx.transpiler.syntax import Node


@dataclass
class Names:
    """The variables of one function. `meaning` maps each identifier node to its variable."""

    meaning: dict[Node, Variable] = field(default_factory=dict)
    variables: list[Variable] = field(default_factory=list)
    local_aliases: dict[str, Type] = field(default_factory=dict)  # using X = …; inside the function
    alias_nodes: dict[str, Node] = field(default_factory=dict)  # the types that they name

    @cached_property
    def uses(self) -> dict[Variable, list[Node]]:
        """The identifiers that mean each variable, its declaration's among them; asked for when all are known."""
        found: dict[Variable, list[Node]] = {}
        for node, variable in self.meaning.items():
            found.setdefault(variable, []).append(node)
        return found

    @cached_property
    def changes(self) -> dict[Variable, list[Node]]:
        """The expressions that may change each variable: assignments, `++`, and what takes its address."""
        found: dict[Variable, list[Node]] = {}
        for node, variable in self.meaning.items():
            parent = node.parent
            if parent is not None and _changes(parent, node):
                found.setdefault(variable, []).append(parent)
        return found


def _changes(parent: Node, node: Node) -> bool:
    if parent.kind == "assignment_expression":
        return node.field == "left"
    if parent.kind == "pointer_expression":
        return parent.children[0].kind == "&"
    return parent.kind == "update_expression"


_SCOPES = {
    "compound_statement",
    "for_statement",
    "for_range_loop",
    "lambda_expression",
    "if_statement",
    "while_statement",
}


def resolve(function: Function, declared: Declarations, text: str) -> Names:
    """Walk a function's body once, in source order, with a stack of scopes."""
    names = Names()
    outermost: dict[str, Variable] = dict(function.record.fields) if function.record is not None else {}
    scope: dict[str, Variable] = {}
    names.variables.extend(function.parameters)
    for parameter in function.parameters:
        declared_name = declarator_name(parameter.declarator)
        if declared_name is not None:
            names.meaning[declared_name] = parameter
            scope[text[declared_name.start : declared_name.end]] = parameter
    stack = [declared.globals, outermost, scope]
    for child in function.node.children:
        if child.kind in ("compound_statement", "field_initializer_list"):
            _visit(child, stack, names, text)
    hidden = template_names(function.template, text)
    for variable in names.variables:
        if variable.name in hidden and not variable.is_parameter:
            variable.name += "_"  # CUDA's compiler lets a local hide a template parameter
    return names


def _visit(node: Node, stack: list[dict[str, Variable]], names: Names, text: str) -> None:
    kind = node.kind
    if kind == "identifier":
        name = text[node.start : node.end]
        for scope in reversed(stack):
            if name in scope:
                names.meaning[node] = scope[name]
                return
        return
    opened = kind in _SCOPES
    if opened:
        stack.append({})
    if kind in ("declaration", "for_range_loop", "condition_declaration"):
        _declare(node, stack, names, text)
    elif kind == "alias_declaration":
        described = node.need("type")
        _alias(node.need("name"), described, described.child("declarator"), names, text)
        _visit(described, stack, names, text)
    elif kind == "type_definition":
        for declarator in node.fields("declarator"):
            if declarator.kind == "type_identifier":
                _alias(declarator, node, None, names, text)
        _visit(node.need("type"), stack, names, text)
    elif kind.endswith("parameter_declaration"):  # of a lambda
        _declare_one(node, node.child("declarator"), stack, names, text)
    else:
        for child in node.children:
            if child.children or child.kind == "identifier":
                _visit(child, stack, names, text)
    if opened:
        stack.pop()


def _alias(name: Node, holder: Node, declarator: Node | None, names: Names, text: str) -> None:
    alias = text[name.start : name.end]
    names.local_aliases[alias] = declared_type(holder, declarator, text)
    names.alias_nodes[alias] = holder.need("type")


def _declare(node: Node, stack: list[dict[str, Variable]], names: Names, text: str) -> None:
    """Names become visible one declarator after the other, each before its own initialiser."""
    for child in node.children:
        if child.field == "declarator" or child.kind == "init_declarator":
            _declare_one(node, child, stack, names, text)
            _visit_inside_declarator(child, stack, names, text)
        else:
            _visit(child, stack, names, text)


def _declare_one(
    holder: Node, declarator: Node | None, stack: list[dict[str, Variable]], names: Names, text: str
) -> None:
    bound = binding(declarator)
    whole = [declarator] if declarator is not None else []
    for each in bound.named_children if bound is not None else whole:
        name = declarator_name(each)
        if name is None:
            continue
        type_ = declared_type(holder, declarator, text)
        if holder.kind.endswith("parameter_declaration"):
            type_ = as_parameter(type_)
        variable = Variable(text[name.start : name.end], type_, holder, declarator)
        variable.is_part = bound is not None
        place(variable, text)
        stack[-1][variable.name] = variable
        names.variables.append(variable)
        names.meaning[name] = variable


def _visit_inside_declarator(node: Node, stack: list[dict[str, Variable]], names: Names, text: str) -> None:
    """Array sizes and initialisers are expressions; the declared name itself is not a use."""
    for child in node.children:
        if child.field == "declarator" or child.kind.endswith("_declarator"):
            _visit_inside_declarator(child, stack, names, text)
        elif child.kind != "identifier" or child.field in ("size", "value"):
            _visit(child, stack, names, text)


def binding(declarator: Node | None) -> Node | None:
    """The `[a, b]` of a declarator."""
    while declarator is not None and declarator.kind in ("init_declarator", "reference_declarator"):
        declarator = declarator.child("declarator") or declarator.first("structured_binding_declarator")
    is_binding = declarator is not None and declarator.kind == "structured_binding_declarator"
    return declarator if is_binding else None
