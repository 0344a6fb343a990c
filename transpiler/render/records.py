"""Prints what stands at file scope beside functions: records, type names, constants, macros."""

from cu2mlx.transpiler.diagnostics import Severity, diagnostic
from cu2mlx.transpiler.model.address_spaces import Instance
from cu2mlx.transpiler.model.declarations import Function, Record, Variable, qualifiers
from cu2mlx.transpiler.model.expressions import Typing, called_name
from cu2mlx.transpiler.model.overloads import matching
from cu2mlx.transpiler.model.scopes import Names
from cu2mlx.transpiler.model.template_parameters import template_parameters
from cu2mlx.transpiler.model.types import Type, declarator_name
from cu2mlx.transpiler.render.functions import Printer
from cu2mlx.transpiler.rules.context import Context, Printed
from cu2mlx.transpiler.rules.types import element_or_rendered
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.types import TYPES


def file_scope(
    printer: Printer, node: Node, record: Record | None = None, template: Node | None = None
) -> Context:
    """A context for text outside any function; `template`: the one around it."""
    around = record.template if record is not None else template
    nothing = Function("", node, node, node, Type("void"), [], False, around, record)
    typing = Typing(nothing, Names(), printer.declared, printer.unit.text, printer.spaces.result_of)
    context = printer.context(Instance(nothing, (), typing))
    context.fields = record.fields if record is not None else None
    return context


def record_text(printer: Printer, record: Record, *, opened: bool = False) -> Printed:
    """A struct with CUDA's layout: packed 3-vectors, pointers with their space, methods for the thread. `opened`: all
    its members are public, since the kernel puts it together from buffers."""
    whole = Printed()
    forward = printer.declared.forward_records.get(record.name)
    texts = [type_name_text(printer, forward).text] if forward is not None else []
    for each in (record, *record.specialisations):
        printed = _one_record(printer, each, opened)
        error = next((d for d in printed.diagnostics if d.severity is Severity.ERROR), None)
        if error is not None and (each is not record or each.is_specialisation or record.specialisations):
            head = printer.unit.text[each.outer.start : each.node.end].split("{")[0].strip()
            if each is record and not each.is_specialisation and forward is None:
                texts.append(f"{head};")  # the specialisations need it
            name = " ".join(head.removeprefix(printer.unit.text[each.outer.start : each.node.start]).split())
            span = printer.unit.origin(each.node.start)
            whole.diagnostics.append(diagnostic("CU4203", span, None, name=name, reason=error.message))
            continue
        texts.append(printed.text)
        whole.diagnostics.extend(printed.diagnostics)
        whole.facts |= printed.facts
    if record.of_const is not None:
        printed = _for_const(printer, record.of_const, opened)
        texts.append(printed.text)
        whole.diagnostics.extend(printed.diagnostics)
        whole.facts |= printed.facts
    whole.text = "\n\n".join(texts)
    return whole


def _for_const(printer: Printer, record: Record, opened: bool) -> Printed:
    """`template <typename T_> struct Span<const T_> { using T = const T_; …`: the class template once more, for const
    elements, with pointers into the memory of theirs."""
    context = file_scope(printer, record.node, record)
    context.opened = opened
    first, *others = template_parameters(record.template, context.text)
    element = f"{first.name}_"
    rendered = [context.render(each.node).partition("=")[0].strip() for each in others]
    header = ", ".join([f"typename {element}", *rendered])
    given = ", ".join([f"const {element}", *(f"{p.name}{'...' if p.is_pack else ''}" for p in others)])
    word = record.node.kind.partition("_")[0]
    bases = record.node.first("base_class_clause")
    inherited = f" {context.render(bases)}" if bases is not None else ""
    body = context.render(record.node.need("body"))[1:]
    head = f"template <{header}> {word} {record.name}<{given}>{inherited}"
    context.printed.text = f"{head} {{\n  using {first.name} = const {element};{body};"
    return context.printed


def _one_record(printer: Printer, record: Record, opened: bool) -> Printed:
    context = file_scope(printer, record.node, record)
    context.opened = opened
    for member in record.node.all("field_declaration"):
        if "static" in qualifiers(member, context.text):
            _called_by(member, context, printer)
    text = context.render(record.outer).rstrip()
    context.printed.text = text if text.endswith(";") else f"{text};"
    return context.printed


def type_name_text(printer: Printer, node: Node) -> Printed:
    """A typedef, using or enum."""
    context = file_scope(printer, node)
    text = context.render(node).rstrip()
    context.printed.text = text if text.endswith(";") else f"{text};"
    return context.printed


def _called_by(holder: Node, context: Context, printer: Printer) -> None:
    """The constexpr functions that a constant's value or extent calls are needed in front of it."""
    for node in holder.all("call_expression"):
        name = called_name(context.text, node.need("function"))
        overloads = [f for f in printer.declared.functions.get(name, []) if not f.is_kernel]
        if overloads:
            function = matching(context.typing, overloads, node)
            called = printer.spaces.instance(function, (None,) * len(function.parameters))
            printer.helper(called)
            context.instance.calls[node] = called
    if context.instance.calls:
        printer.methods.append(context.instance)


def _is_integer_constant(variable: Variable, words: set[str]) -> bool:
    """`const int N = 64;` is a constant expression in C++: it may size an array."""
    value = variable.initialiser
    plain = "const" in words and not variable.type.shape and value is not None
    if not plain or value is None or next(value.all("call_expression"), None) is not None:
        return False
    row = TYPES.get(variable.type.base)
    return row is not None and row.dtype is not None and "float" not in row.dtype


def constant_text(printer: Printer, variable: Variable) -> Printed:
    """A constant with a value: program scope variables of Metal are in the constant address space."""
    outer = variable.holder.parent
    template = outer if outer is not None and outer.kind == "template_declaration" else None
    context = file_scope(printer, variable.holder, template=template)
    _called_by(variable.holder, context, printer)
    name = declarator_name(variable.declarator)
    if name is not None:
        context.typing.names.meaning[name] = variable
    words = qualifiers(variable.holder, context.text)
    base = element_or_rendered(
        variable.holder.need("type"), variable.type, context, memory=variable.type.is_array
    )
    word = (
        "constexpr constant" if "constexpr" in words or _is_integer_constant(variable, words) else "constant"
    )
    declarator = _initialised(variable, base, context)
    header = f"template {context.render(template.need('parameters'))} " if template is not None else ""
    context.printed.text = f"{header}{word} {base} {declarator};"
    return context.printed


def _initialised(variable: Variable, base: str, context: Context) -> str:
    """A constant's declarator with its value. No constructor makes an object in the constant address space, but
    values can be stored there: `V table[] = {V{1, 2}}` for `V table[] = {{1, 2}}`."""
    declarator, value = variable.declarator, variable.initialiser
    if declarator is None:
        return variable.name
    record = context.declared.record(context.typing.alias(variable.type))
    is_built = record is not None and any(method.name == record.name for method in record.methods)
    if value is None or not is_built or variable.type.has_pointer:
        return context.render(declarator)
    name = context.render(declarator.need("declarator"))
    return f"{name} = {_value(value, base, len(variable.type.dimensions), context)}"


def _value(value: Node, base: str, dimensions: int, context: Context) -> str:
    """An object of class `base`, or the list of an array of them."""
    if value.kind not in ("initializer_list", "argument_list"):
        return context.render(value)
    if dimensions == 0:
        return f"{base}{context.render(value)}"
    parts, position = [], value.start
    for each in value.named_children:
        parts += [context.text[position : each.start], _value(each, base, dimensions - 1, context)]
        position = each.end
    return "".join([*parts, context.text[position : value.end]])
