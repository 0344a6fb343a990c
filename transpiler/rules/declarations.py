"""Declarations inside functions: threadgroup memory, pointers into several spaces, plain locals."""

from itertools import groupby

from cu2mlx.transpiler.model.declarations import RECORDS, Space, Variable, qualifiers
from cu2mlx.transpiler.model.types import declarator_name, declared_type
from cu2mlx.transpiler.rules import assembly, bindings, cub, dimensions, shared_memory, shared_objects
from cu2mlx.transpiler.rules.context import DROP, Context
from cu2mlx.transpiler.rules.types import (
    alignment,
    declarator_text,
    declared_variables,
    element_name,
    element_or_rendered,
    gap_before,
    is_in_memory,
    with_space,
)
from cu2mlx.transpiler.syntax import Node


def declaration(node: Node, context: Context) -> str | None:
    words = qualifiers(node, context.text)
    if "__shared__" in words:
        return shared_memory.declared(node, context, dynamic="extern" in words)
    specified = node.child("type")
    if specified is not None and dimensions.is_dim3(specified, context):
        return dimensions.declaration(node, context)
    collectives = cub.objects(node, context)
    if collectives is not None:
        return collectives
    variables = declared_variables(node, context)
    declarators = node.fields("declarator")
    parts = bindings.bound(node, context)
    if parts is not None:
        return parts
    needs_space = [v for v in variables if v.type.has_pointer or v.type.is_reference]
    if variables and all(
        assembly.is_address(v, context) or shared_objects.is_declared(v, context) for v in variables
    ):
        return DROP
    three = any(is_in_memory(v.type, v) for v in variables)
    if not needs_space and not three:
        return None
    if len(variables) != len(declarators):
        return None
    return _split(node, list(zip(variables, declarators, strict=True)), words, context)


def _space(variable: Variable, context: Context) -> Space | None:
    pointing = variable.type.has_pointer or variable.type.is_reference
    return context.space_of(variable) if pointing else None


def _split(node: Node, pairs: list[tuple[Variable, Node]], words: set[str], context: Context) -> str:
    """One declaration for each run of declarators that share an address space."""
    statements: list[str] = []
    for space, run in groupby(pairs, key=lambda pair: _space(pair[0], context)):
        members = list(run)
        type_ = members[0][0].type
        head = with_space(node, type_, space or Space.THREAD, context, members[0][0])
        if "constexpr" in words:
            head = f"constexpr {head}"
        head = f"{alignment(node, context)}{head}"
        parts = [declarator_text(d, space or Space.THREAD, context) for _, d in members]
        statements.append(f"{head}{gap_before(parts[0], members[0][1], context)}{', '.join(parts)};")
    if len(statements) > 1 and node.parent is not None and node.parent.kind == "for_statement":
        context.report("CU2104", node)
    return " ".join(statements)


def field_declaration(node: Node, context: Context) -> str | None:
    """Members of a record: CUDA's layout for 3-vectors, a space for pointers."""
    specified = node.child("type")
    names = [declarator_name(d) for d in node.fields("declarator")]
    if not names and specified is not None and specified.kind in RECORDS:
        text = context.print_method(specified, context)
        return text if text == DROP else f"{text};"
    found = [_member(node, context.source(n), context) if n is not None else None for n in names]
    variables = [v for v in found if v is not None]
    if len(variables) != len(found) or not variables:
        return _inner_field(node, context)
    words = qualifiers(node, context.text)
    if "static" in words:
        return _static_member(node, context)
    space = _space(variables[0], context) or Space.THREAD
    head = with_space(node, variables[0].type, space, context, variables[0], memory=True)
    head = f"{alignment(node, context)}{head}"
    parts: list[str] = []
    for child in node.children:
        if child.field == "declarator":
            parts.append(declarator_text(child, space, context))
        elif child.kind == "bitfield_clause":
            parts[-1] += f" {context.render(child)}"
    default = node.child("default_value")
    ending = f" = {context.render(default)}" if default is not None else ""
    return f"{head}{gap_before(parts[0], node.fields('declarator')[0], context)}{', '.join(parts)}{ending};"


def _member(declaration: Node, name: str, context: Context) -> Variable | None:
    """The member of that name that a declaration in the text of a record declares, also in one inside of it."""
    inner = (r.fields.get(name) for alike in context.declared.inner.values() for r in alike)
    known = ((context.fields or {}).get(name), *inner)
    return next((v for v in known if v is not None and v.holder is declaration), None)


def class_word(node: Node, context: Context) -> str | None:
    """The members of a class are its own unless it says otherwise."""
    return "struct" if context.opened else None


def access(node: Node, context: Context) -> str | None:
    return "public" if context.opened else None


def _inner_field(node: Node, context: Context) -> str | None:
    """Members of a record inside another one: CUDA's layout for 3-vectors."""
    specified, declarator = node.child("type"), node.child("declarator")
    if specified is None or declarator is None:
        return None
    type_ = declared_type(node, declarator, context.text)
    if type_.has_pointer or type_.is_reference:
        return None
    parts, position = [], node.start
    for child in node.children:
        parts.append(context.text[position : child.start])
        element = element_or_rendered(specified, type_, context, memory=True) if child is specified else None
        parts.append(context.render(child) if element is None else element)
        position = child.end
    return "".join(parts)


def _static_member(node: Node, context: Context) -> str:
    """Metal wants a static member in the constant address space."""
    specified, default = node.need("type"), node.child("default_value")
    value = f" = {context.render(default)}" if default is not None else ""
    parts = ", ".join(context.render(d) for d in node.fields("declarator"))
    return f"static constexpr constant {context.render(specified)} {parts}{value};"


def method_definition(node: Node, context: Context) -> str | None:
    """Inside a record's text: methods are printed as functions of their own."""
    return context.print_method(node, context)


def member_template(node: Node, context: Context) -> str | None:
    """A method template inside a record: its own printing has the template header."""
    inner = node.first("function_definition") or node.first("friend_declaration")
    return context.render(inner) if inner is not None and context.fields is not None else None


def friend(node: Node, context: Context) -> str | None:
    """A function of a friend's inside a record's text: its own printing has the word."""
    inner = node.first("function_definition")
    return context.print_method(inner, context) if inner is not None else None


def range_loop(node: Node, context: Context) -> str | None:
    """`for (float& x : parts)`: the reference takes the array's space. A list gets a name: `for (int i : {1, 2})`."""
    variable = next(iter(declared_variables(node, context)), None)
    right, specified = node.need("right"), node.need("type")
    is_list = right.kind == "initializer_list" and bool(right.named_children)
    refers = variable is not None and variable.type.is_reference
    if variable is None or not (refers or is_list):
        return None
    head = context.render(specified)
    if refers:
        head = with_space(node, variable.type, context.space_of(variable), context, variable)
    parts, position = [], node.start
    for child in node.children:
        if refers and child.kind == "type_qualifier" and child.start < specified.start:
            position = specified.start
            continue
        parts.append(context.text[position : child.start])
        if is_list and child is right:
            parts.append(f"{variable.name}_values")
        else:
            parts.append(head if child is specified else context.render(child))
        position = child.end
    loop = "".join(parts)
    return f"{{ {_listed(variable, right, context)} {loop} }}" if is_list else loop


def _listed(variable: Variable, values: Node, context: Context) -> str:
    """The list of a range loop as an array."""
    type_ = variable.type.value
    if type_.base == "auto":
        type_ = context.typing.type_of(values.named_children[0]) or type_
    base = element_name(type_, values, context, memory=True)
    return f"{base} {variable.name}_values[] = {context.render(values)};"


RULES = {
    "for_range_loop": range_loop,
    "template_declaration": member_template,
    "friend_declaration": friend,
    "declaration": declaration,
    "field_declaration": field_declaration,
    "access_specifier": access,
    "class": class_word,
    "function_definition": method_definition,
}
