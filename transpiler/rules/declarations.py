"""Declarations inside functions: threadgroup memory, pointers into several spaces, plain locals."""

import re
from itertools import groupby

from cu2mlx.transpiler.model.declarations import Space, Variable, qualifiers
from cu2mlx.transpiler.model.types import declarator_name
from cu2mlx.transpiler.rules import assembly, cub, dimensions
from cu2mlx.transpiler.rules.context import DROP, Context, Handed
from cu2mlx.transpiler.rules.names import dynamic_shared, variable_name
from cu2mlx.transpiler.rules.types import (
    alignment,
    declarator_text,
    declared_variables,
    element_or_rendered,
    gap_before,
    is_in_memory,
    with_space,
)
from cu2mlx.transpiler.syntax import Node


def declaration(node: Node, context: Context) -> str | None:
    words = qualifiers(node, context.text)
    if "__shared__" in words:
        return _shared(node, context, dynamic="extern" in words)
    specified = node.child("type")
    if specified is not None and dimensions.is_dim3(specified, context):
        return dimensions.declaration(node, context)
    collectives = cub.objects(node, context)
    if collectives is not None:
        return collectives
    variables = declared_variables(node, context)
    declarators = node.fields("declarator")
    needs_space = [v for v in variables if v.type.has_pointer or v.type.is_reference]
    if variables and all(assembly.is_address(v, context) for v in variables):
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


def _shared(node: Node, context: Context, *, dynamic: bool) -> str:
    """Threadgroup memory: declared at kernel scope; a helper gets a reference to the kernel's."""
    statements: list[str] = []
    specified = node.need("type")
    for variable, declarator in zip(
        declared_variables(node, context), node.fields("declarator"), strict=False
    ):
        name = variable_name(variable, context)
        if specified.kind.endswith("_specifier") and specified.kind != "sized_type_specifier":
            base = context.render(specified)
        else:
            base = element_or_rendered(specified, variable.type, context, memory=True)
        if "volatile" in qualifiers(node, context.text):
            base = f"volatile {base}"
        if dynamic:
            statements.append(_dynamic(name, base, variable, context))
            continue
        extents = "".join(f"[{d}]" for d in _rendered_extents(declarator, context))
        if context.instance.function.is_kernel:
            inner = node.parent is not context.instance.function.body
            base = _spelled_out(base, context) if inner else base
            declared = f"{alignment(node, context)}threadgroup {base} {name}{extents};"
            if inner:
                context.printed.hoisted.append(_hoisted(variable, name, declared, context))
            else:
                statements.append(declared)
        else:
            own = _hand_down_shared(name, _spelled_out(base, context), extents, context)
            if own:
                statements.append(own)
    return " ".join(statements) if statements else DROP


_FIRST_WORD = re.compile(r"(?<![\w:])[A-Za-z_]\w*")


def _spelled_out(base: str, context: Context) -> str:
    """A type as the kernel's first lines can say it: names and constants of this function are replaced."""
    named = context.typing.names.alias_nodes
    for _ in range(4):
        base, before = (
            _FIRST_WORD.sub(lambda m: context.render(named[m[0]]) if m[0] in named else m[0], base),
            base,
        )
        if base == before:
            break
    return _constant_extents(base, context)


def _hoisted(variable: Variable, name: str, declared: str, context: Context) -> str:
    """A declaration of an inner block at kernel scope; a second one of the same name gets a number."""
    taken = {line.split("[")[0].split()[-1].rstrip(";") for line in context.printed.hoisted}
    number, unique = 1, name
    while unique in taken:
        number += 1
        unique = f"{name}_{number}"
    if unique != name:
        context.renames[variable] = unique
    return declared.replace(f" {name}[", f" {unique}[").replace(f" {name};", f" {unique};")


def _rendered_extents(declarator: Node, context: Context) -> list[str]:
    extents: list[str] = []
    node: Node | None = declarator
    while node is not None and node.kind == "array_declarator":
        size = node.child("size")
        extents.append(context.render(size) if size is not None else "")
        node = node.child("declarator")
    extents.reverse()
    return extents


def _dynamic(name: str, base: str, variable: Variable, context: Context) -> str:
    value = dynamic_shared(variable, base, context)[1:-1]
    inner = "".join(f"[{d}]" for d in variable.type.dimensions[1:])
    if inner:
        return f"threadgroup {base} (*{name}){inner} = {value};"
    if not variable.type.is_array:
        return f"threadgroup {base}& {name} = {value};"
    return f"threadgroup {base}* {name} = {value};"


def _constant_extents(extents: str, context: Context) -> str:
    """Extents as the kernel can say them: a helper's own constants are replaced by their values."""
    for _ in range(4):
        known = {v.name: v for v in context.typing.names.variables if not v.is_parameter and not v.type.shape}
        words = [w for w in dict.fromkeys(_words(extents)) if w in known]
        if not words:
            return extents
        for word in words:
            value = known[word].initialiser
            if value is None:
                return extents
            extents = re.sub(rf"\b{word}\b", f"({context.render(value)})", extents)
    return extents


def _hand_down_shared(name: str, base: str, extents: str, context: Context) -> str:
    """The kernel declares it, callers pass it on. Returns the statement that the helper itself needs.

    Where the type hangs on the helper's template parameter the kernel cannot name it: it then declares room
    for the largest scalar, which the helper reads as its own type.
    """
    function = context.instance.function
    unique = f"{function.name}_{name}"
    extents = _constant_extents(extents, context)
    template = function.template
    if template is not None and _mentions_template(extents, template, context):
        context.report("CU3703", function.node, name=name)
    if template is not None and _mentions_template(base, template, context):
        context.hand_down(
            Handed("threadgroup ulong* {}", unique, "", f"threadgroup ulong {unique}{_flat(extents)};")
        )
        rows = "".join(f"[{d}]" for d in extents[1:-1].split("][")[1:]) if extents else ""
        declared = f"(*{name}){rows}" if rows else f"*{name}"
        pointer = f"(*){rows}" if rows else "*"
        if not extents:
            return f"threadgroup {base}& {name} = *(threadgroup {base}*){unique};"
        return f"threadgroup {base} {declared} = (threadgroup {base} {pointer}){unique};"
    declare = f"threadgroup {base} (&{{}}){extents}" if extents else f"threadgroup {base}& {{}}"
    context.hand_down(Handed(declare, unique, name, f"threadgroup {base} {unique}{extents};"))
    return ""


def _flat(extents: str) -> str:
    """`[2][32]` → `[(2) * (32)]`, `[1]` for a single value."""
    parts = [p for p in extents[1:-1].split("][") if p]
    return f"[{' * '.join(f'({p})' if len(parts) > 1 else p for p in parts)}]" if parts else "[1]"


def _mentions_template(text: str, template: Node, context: Context) -> bool:
    parameters = template.need("parameters")
    names = {context.source(n) for n in parameters.all("identifier", "type_identifier")}
    return any(word in names for word in _words(text))


def _words(text: str) -> list[str]:
    return "".join(c if c.isalnum() or c == "_" else " " for c in text).split()


def field_declaration(node: Node, context: Context) -> str | None:
    """Members of a record: CUDA's layout for 3-vectors, a space for pointers."""
    names = [declarator_name(d) for d in node.fields("declarator")]
    fields = context.fields or {}
    found = [fields.get(context.source(n)) if n is not None else None for n in names]
    variables = [v for v in found if v is not None]
    if len(variables) != len(found) or not variables:
        return None
    words = qualifiers(node, context.text)
    if "static" in words:
        return _static_member(node, context)
    space = context.space_of(variables[0]) if variables[0].type.has_pointer else Space.THREAD
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
    inner = node.first("function_definition")
    return context.print_method(inner, context) if inner is not None and context.fields is not None else None


def range_loop(node: Node, context: Context) -> str | None:
    """`for (float& x : parts)`: the reference takes the array's space."""
    variable = next(iter(declared_variables(node, context)), None)
    if variable is None or not variable.type.is_reference:
        return None
    head = with_space(node, variable.type, context.space_of(variable), context, variable)
    specified, parts, position = node.need("type"), [], node.start
    for child in node.children:
        if child.kind == "type_qualifier" and child.start < specified.start:
            position = specified.start
            continue
        parts.append(context.text[position : child.start])
        parts.append(head if child is specified else context.render(child))
        position = child.end
    return "".join(parts)


RULES = {
    "for_range_loop": range_loop,
    "template_declaration": member_template,
    "declaration": declaration,
    "field_declaration": field_declaration,
    "function_definition": method_definition,
}
