"""Threadgroup memory. Metal declares it in the kernel alone: a helper's own is the kernel's, handed down."""

import re

from cu2mlx.transpiler.model.declarations import Function, Variable, qualifiers
from cu2mlx.transpiler.rules.context import DROP, Context, Handed
from cu2mlx.transpiler.rules.names import dynamic_shared, template_names, variable_name
from cu2mlx.transpiler.rules.types import alignment, declared_variables, element_or_rendered, type_name
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.spell import is_primary


def declared(node: Node, context: Context, *, dynamic: bool) -> str:
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
            if inner:
                base, extents = _spelled_out(base, context), _constant_extents(extents, context)
            declared = f"{alignment(node, context)}threadgroup {base} {name}{extents};"
            if inner:
                context.printed.hoisted.append(_hoisted(variable, name, declared, context))
            else:
                statements.append(declared)
        else:
            own = _hand_down(name, _spelled_out(base, context), extents, context)
            if own:
                statements.append(own)
    return " ".join(statements) if statements else DROP


_LONGEST_CHAIN = 16  # of constants, each in terms of the next
_FIRST_WORD = re.compile(r"(?<![\w:])[A-Za-z_]\w*")


def _spelled_out(base: str, context: Context) -> str:
    """A type as the kernel's first lines can say it: names and constants of this function are replaced."""
    named = context.typing.names.alias_nodes
    for _ in range(_LONGEST_CHAIN):
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
    for _ in range(_LONGEST_CHAIN):
        known = {v.name: v for v in context.typing.names.variables if not v.is_parameter and not v.type.shape}
        words = [w for w in dict.fromkeys(_words(extents)) if w in known]
        if not words:
            return extents
        for word in words:
            value = known[word].initialiser
            if value is None:
                return extents
            text = context.render(value)
            extents = re.sub(rf"\b{word}\b", text if is_primary(text) else f"({text})", extents)
    return extents


def _hand_down(name: str, base: str, extents: str, context: Context) -> str:
    """The kernel declares it, callers pass it on. Returns the statement that the helper itself needs.

    Of a plain template type the kernel declares room for the largest scalar, which the helper reads as its own
    type. Other types and extents that hang on template parameters are said in the terms of each caller.
    """
    function = context.instance.function
    unique = f"{function.name}_{name}"
    extents = _constant_extents(extents, context)
    hanging = _parameters_in(f"{base} {extents}", context)
    if hanging == (base,) and base not in _words(extents):
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
    context.hand_down(Handed(declare, unique, name, f"threadgroup {base} {unique}{extents};", hanging))
    return ""


def own_storage(base: str, context: Context) -> str:
    """Threadgroup memory that the source does not name, one of each type in a function. Returns its name."""
    function = context.instance.function
    base = _spelled_out(base, context)
    declare, first = f"threadgroup {base}& {{}}", f"{function.name}_private_storage"
    name = _free_name(first, declare, context)
    hanging = () if function.is_kernel else _parameters_in(base, context)
    context.hand_down(Handed(declare, name, "", f"threadgroup {base} {name};", hanging))
    return name


def _free_name(first: str, declare: str, context: Context) -> str:
    """A name under which nothing else is handed down: numbered from the second on."""
    number, name = 1, first
    while name in context.printed.handed and context.printed.handed[name].declare != declare:
        number += 1
        name = f"{first}_{number}"
    return name


def in_callers_terms(handed: Handed, node: Node, called: Function, context: Context) -> Handed:
    """What a callee is handed, for a call of it: template parameters of its type have become arguments."""
    if not handed.parameters:
        return handed.passed_on()
    values = _template_arguments(node, called, context)
    if any(name not in values for name in handed.parameters):
        context.report("CU3703", node, name=handed.local)
        return handed.passed_on()
    word = re.compile(rf"sizeof\s*\.\.\.\s*\(\s*(\w+)\s*\)|(?<![\w.:])({'|'.join(handed.parameters)})\b")
    declare = word.sub(lambda m: values[m[1] or m[2]], handed.declare)
    kernel = word.sub(lambda m: values[m[1] or m[2]], handed.kernel)
    name = _free_name(handed.name, declare, context)
    kernel = re.sub(rf"\b{handed.name}\b", name, kernel)
    hanging = () if context.instance.function.is_kernel else _parameters_in(declare, context)
    return Handed(declare, name, name, kernel, hanging)


def _template_arguments(node: Node, called: Function, context: Context) -> dict[str, str]:
    """Template parameter → its argument in a call: given, else deduced from an argument's type, else by default.
    Of a pack it is the number of arguments."""
    function, arguments = node.child("function"), node.child("arguments")  # of a constructor neither
    while function is not None and function.kind not in ("template_function", "template_method"):
        function = function.child("field") or function.child("name") or function.first("template_method")
    given = function.need("arguments").named_children if function is not None else []
    values: dict[str, str] = {}
    for position, (name, default) in enumerate(_parameters(called, context)):
        if name.startswith("..."):
            values[name[3:]] = _count([context.source(each) for each in given[position:]])
            continue
        if position < len(given):
            text = _spelled_out(context.render(given[position]), context)
            is_value = given[position].kind != "type_descriptor" and not is_primary(text)
            values[name] = f"({text})" if is_value else text
            continue
        for parameter, argument in zip(called.parameters, (arguments or node).named_children, strict=False):
            found = context.typing.type_of(argument) if parameter.type.base == name else None
            if found is not None:
                values[name] = type_name(found.base, argument, context)
        if name not in values and default is not None:
            values[name] = context.render(default)
    return values


def _parameters(function: Function, context: Context) -> list[tuple[str, Node | None]]:
    """The template parameters of a function with their defaults, in order; a pack has dots before its name."""
    listed = function.template.need("parameters").named_children if function.template is not None else []
    found: list[tuple[str, Node | None]] = []
    for parameter in listed:
        name = parameter.child("name") or parameter.child("declarator") or parameter.first("type_identifier")
        default = parameter.child("default_type") or parameter.child("default_value")
        spelled = context.source(name).replace(" ", "") if name is not None else ""
        dots = "..." if parameter.kind.startswith("variadic") and not spelled.startswith("...") else ""
        found.append((f"{dots}{spelled}", default))
    return found


def _count(given: list[str]) -> str:
    """How many template arguments these are; a pack passed on says so itself."""
    packs = [f"sizeof...({each[:-3].strip()})" for each in given if each.endswith("...")]
    alone = len(given) - len(packs)
    parts = [str(alone), *packs] if alone or not packs else packs
    return parts[0] if len(parts) == 1 else f"({' + '.join(parts)})"


def _flat(extents: str) -> str:
    """`[2][32]` → `[(2) * (32)]`, `[1]` for a single value."""
    parts = [p for p in extents[1:-1].split("][") if p]
    return f"[{' * '.join(f'({p})' if len(parts) > 1 else p for p in parts)}]" if parts else "[1]"


def _parameters_in(text: str, context: Context) -> tuple[str, ...]:
    """The template parameters of the function being printed, or of its class, that a text mentions."""
    names = template_names(context)
    return tuple(dict.fromkeys(word for word in _words(text) if word in names))


def _words(text: str) -> list[str]:
    return re.findall(r"[A-Za-z_]\w*", text)
