"""Type names, and declarations: every pointer and reference gets its address space."""

import re

from cu2mlx.transpiler.model.declarations import Space, Variable
from cu2mlx.transpiler.model.types import Type, as_parameter, canonical, declared_type
from cu2mlx.transpiler.rules import cub_names, group_names
from cu2mlx.transpiler.rules.context import DROP, Context
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.tables.reserved import TAKEN
from cu2mlx.transpiler.tables.standard import NAMES as STANDARD
from cu2mlx.transpiler.tables.types import TYPES

_PACKED = re.compile(r"^(u?char|u?short|u?int|half|bfloat|float|u?long)3$")
_OVERALIGNED = frozenset({"long4", "ulong4"})


def type_name(base: str, node: Node, context: Context) -> str:
    """The MSL name of a type named by its canonical CUDA spelling; reports the types Metal lacks."""
    base = canonical(base)
    row = TYPES.get(base)
    if row is None:
        return own_type(base, context)
    if row.code is not None:
        narrowed = row.narrowed if context.options.double == "float" else None
        if narrowed is None:
            context.report(row.code, node, type=base, name=base)
            return base
        context.report("CU4101", node, type=base, name=base)
        return narrowed
    return row.metal or base


def own_type(name: str, context: Context) -> str:
    """A type of the user's without its namespace; one called like Metal's own gets an underscore behind it, and a
    member of a template's instance is said to be a type, as it has to be where the arguments are parameters."""
    scoped, bracket, arguments = name.partition("<")
    scope, _, word = scoped.rpartition("::")
    word = word if scope in context.declared.namespaces else scoped
    own = word in context.declared.records or word in context.declared.type_names
    member = "typename " if ">::" in arguments else ""
    return f"{member}{word}{'_' if own and word in TAKEN else ''}{bracket}{arguments}"


def packed(name: str) -> str:
    """CUDA's float3 in memory is 12 bytes; MSL's float3 is 16, its packed_float3 12. CUDA's longlong4 is aligned
    to 16 bytes, MSL's long4 to 32."""
    if name in _OVERALIGNED:
        return f"cu::aligned_{name}"
    return f"packed_{name}" if _PACKED.match(name) else name


def element_name(type_: Type, node: Node, context: Context, *, memory: bool) -> str:
    return memory_name(type_.base, node, context) if memory else type_name(type_.base, node, context)


def memory_name(base: str, node: Node, context: Context) -> str:
    """The MSL name of a type with CUDA's layout."""
    return _packed_meaning(base, context) or type_name(base, node, context)


def _packed_meaning(base: str, context: Context) -> str | None:
    """The packed vector that a type is in memory; also for a user's name of it, which stands for the plain one."""
    meant = context.typing.alias(Type(canonical(base)))
    row = TYPES.get(meant.base)
    if meant.shape or row is None or row.metal is None or packed(row.metal) == row.metal:
        return None
    return packed(row.metal)


def size_of(node: Node, context: Context) -> str | None:
    """`sizeof(float3)` and `alignof(float3)`: of the 12 bytes that CUDA means."""
    operand = node.child("value") or node.child("type")
    while operand is not None and operand.kind in ("parenthesized_expression", "type_descriptor"):
        operand = operand.named_children[0] if len(operand.named_children) == 1 else None
    if operand is None or operand.kind not in ("identifier", "type_identifier", "qualified_identifier"):
        return None
    variable = context.typing.names.meaning.get(operand)
    type_ = variable.type.value if variable is not None else Type(context.source(operand))
    name = None if type_.shape else _packed_meaning(type_.base, context)
    return None if name is None else f"{context.source(node.children[0])}({name})"


def specifier(node: Node, context: Context) -> str | None:
    """A named or built-in type, wherever it stands."""
    source = context.source(node)
    if source in context.template_casts:  # `f<REDUCE>`: the grammar takes the value for a type
        return f"{context.template_casts[source]}({source})"
    if node.kind == "sized_type_specifier":
        source = canonical(source)
    if canonical(source) in TYPES:
        return element_name(Type(source), node, context, memory=_names_what_is_stored(node, context))
    if own_type(source, context) != source:
        return own_type(source, context)
    if source in context.declared.functions and _is_argument(node):  # `f<g>`
        context.report("CU3711", node, name=source)
    if source in group_names.TYPES and source not in context.declared.records and not _is_qualified(node):
        return f"cu::{source}"
    return cub_names.unqualified(node, context)


def _is_argument(node: Node) -> bool:
    parent = node.parent
    return (
        parent is not None
        and parent.kind == "type_descriptor"
        and parent.above("template_argument_list") is not None
    )


def _names_what_is_stored(node: Node, context: Context) -> bool:
    """`Rows<float3>`, `load<float3>(p)`: the template argument is the type of something in memory."""
    holder = node.above("template_type", "template_function") if _is_argument(node) else None
    if holder is None:
        return False
    name = context.source(holder.need("name"))
    overloads = context.declared.functions.get(name, ()) if holder.kind == "template_function" else ()
    return name in context.declared.records or any(
        p.type.has_pointer for f in overloads for p in f.parameters
    )


def _is_qualified(node: Node) -> bool:
    parent = node.parent
    if parent is not None and parent.kind == "template_type":
        parent = parent.parent
    return parent is not None and parent.kind == "qualified_identifier"


def qualified(node: Node, context: Context) -> str | None:
    """Namespaces are flattened: `std::` and the user's own go, a record's or a template's scope stays."""
    source = canonical(context.source(node))
    if source in TYPES:
        return type_name(source, node, context)
    scope, name = node.child("scope"), node.need("name")
    word = context.source(scope).split("<")[0] if scope is not None else ""
    if (
        word in ("std", "thrust")
        and (standard := STANDARD.get(context.source(name).split("<")[0])) is not None
    ):
        arguments = name.child("arguments")
        return f"{standard}{context.render(arguments) if arguments is not None else ''}"
    if word == "cuda":  # cuda::std
        return context.render(name)
    if word == "cub":
        return cub_names.in_namespace(name, context)
    if word in group_names.NAMESPACES:
        return group_names.in_namespace(node, name, context)
    if word in ("std", "") or (
        scope is not None and scope.kind == "namespace_identifier" and _is_namespace(word, context)
    ):
        return context.render(name)
    return None


def _is_namespace(word: str, context: Context) -> bool:
    return word in context.declared.namespaces


def declared_variables(node: Node, context: Context) -> list[Variable]:
    """The variables that a declaration, parameter or field introduces, in order."""
    meaning = context.typing.names.meaning
    found: list[Variable] = []
    for declarator in node.fields("declarator"):
        inner: Node | None = declarator
        while inner is not None and inner not in meaning:
            named = inner.child("declarator")
            inner = (
                named
                if named is not None
                else next(
                    (c for c in inner.named_children if c.kind.endswith("declarator") or c in meaning), None
                )
            )
        if inner is not None:
            found.append(meaning[inner])
    return found


def is_in_memory(type_: Type, variable: Variable | None) -> bool:
    """Whether 3-vectors of this declaration have CUDA's 12-byte layout."""
    return bool(type_.value.shape) or (variable is not None and variable.space is Space.THREADGROUP)


def pointer_prefix(space: Space, type_: Type) -> str:
    if type_.has_pointer or type_.is_reference:
        return f"{space} "
    return "const " if space is Space.READ and type_.const else ""


def with_space(
    node: Node,
    type_: Type,
    space: Space,
    context: Context,
    variable: Variable | None = None,
    *,
    memory: bool = False,
) -> str:
    """Specifier part of a declaration: qualifiers kept, space and packed type put in front of the declarator."""
    specified = node.child("type")
    if specified is None:
        return ""
    memory = memory or is_in_memory(type_, variable)
    if type_.is_reference and not type_.value.shape:
        memory = space is not Space.THREAD or _names_an_element(variable)
    if specified.kind in (
        "placeholder_type_specifier",
        "struct_specifier",
        "union_specifier",
        "class_specifier",
    ):
        name = context.render(specified)
    else:
        name = element_or_rendered(specified, type_, context, memory=memory)
    qualifier = "const " if type_.const and space is not Space.READ else ""
    if any(c.kind == "type_qualifier" and context.source(c) == "volatile" for c in node.children):
        qualifier = f"volatile {qualifier}"
    if space is Space.INOUT and type_.has_pointer:
        return f"cu::inout_ptr<{'uchar' if name == 'void' else name}>"
    if space is Space.INOUT and type_.is_reference and not type_.has_pointer:
        return f"cu::inout_ref<{name}>"
    return f"{qualifier}{pointer_prefix(space, type_)}{name}"


def _names_an_element(variable: Variable | None) -> bool:
    """Whether a reference stands for an element of an array or a member of a record."""
    if variable is not None and variable.holder.kind == "for_range_loop":
        return True
    value = variable.initialiser if variable is not None else None
    return value is not None and value.kind in (
        "subscript_expression",
        "field_expression",
        "pointer_expression",
    )


def element_or_rendered(specified: Node, type_: Type, context: Context, *, memory: bool) -> str:
    if canonical(context.source(specified)) in TYPES:
        return element_name(type_, specified, context, memory=memory)
    stands_for = _packed_meaning(context.source(specified), context) if memory else None
    return stands_for or context.render(specified)


def declarator_text(declarator: Node, space: Space, context: Context) -> str:
    """A declarator as written; an inout_ptr is a value, so its star goes."""
    rendered = context.render(declarator)
    if space is Space.INOUT:
        return re.sub(r"^[\s*&]*(?:const\b)?\s*", "", rendered)
    return rendered


def gap_before(rendered: str, declarator: Node, context: Context) -> str:
    """White space before a declarator: the author's, which may be none in front of `*` and `&`."""
    start = declarator.start
    while context.text[start - 1].isspace():
        start -= 1
    written = context.text[start : declarator.start]
    return written if written or rendered.startswith(("*", "&")) else " "


def parameter(node: Node, context: Context) -> str | None:
    """A function's parameter (helpers and lambdas; a kernel's signature is MLX's)."""
    type_ = as_parameter(declared_type(node, node.child("declarator"), context.text))
    variable = next(iter(declared_variables(node, context)), None)
    if variable is None:
        variable = next((p for p in context.instance.function.parameters if p.holder is node), None)
    if not (type_.has_pointer or type_.is_reference):
        return None
    space = context.space_of(variable) if variable is not None else _default(type_)
    declarator = node.child("declarator")
    if declarator is not None and variable is not None and variable in context.instance.takes_values:
        name = "".join(context.render(c) for c in declarator.children[1:])
        return (
            f"{context.render(node.need('type'))}{f'... {variable.name}' if variable.is_pack else f' {name}'}"
        )
    head = with_space(node, type_, space, context, variable)
    if declarator is None:
        return head
    body = declarator_text(declarator, space, context)
    if space is Space.INOUT and declarator.kind == "array_declarator":
        body = body.partition("[")[0]
    return (
        f"{head}{gap_before(body, declarator, context)}{body}{_default_value(node, variable, type_, context)}"
    )


def _default_value(node: Node, variable: Variable | None, type_: Type, context: Context) -> str:
    """What stands in for an argument, as ` = value`. What a reference refers to then is the thread's: only the
    overload in which this and all later references are to the thread's memory has it."""
    default = node.child("default_value")
    if default is None:
        return ""
    listed = context.instance.function.parameters
    later = listed[listed.index(variable) :] if variable in listed else []
    if type_.is_reference and any(
        p.type.is_reference and context.space_of(p) is not Space.THREAD for p in later
    ):
        return ""
    return f" = {context.render(default)}"


def _default(type_: Type) -> Space:
    return Space.THREAD if type_.is_reference else Space.DEVICE


def described(node: Node, context: Context) -> str | None:
    """`type_descriptor`: in casts the space is that of what is cast."""
    type_ = declared_type(node, node.child("declarator"), context.text)
    if not (type_.has_pointer or type_.is_reference):
        return None
    space = context.cast_space or _default(type_)
    head = with_space(node, type_, space, context)
    declarator = node.child("declarator")
    if declarator is None or space is Space.INOUT:
        return head
    return f"{head}{context.render(declarator)}"


def pointer_declarator(node: Node, context: Context) -> str | None:
    """A second star is a pointer held by the thread itself."""
    parent = node.parent
    if parent is not None and parent.kind == node.kind:
        inner = node.child("declarator")
        first = context.render(inner) if inner is not None else ""
        return f"thread *{first}"
    return None


def reference_declarator(node: Node, context: Context) -> str | None:
    """Metal has no perfect forwarding across address spaces: `T&&` binds like `T&`. In `T*& p` the reference is
    to a pointer of the thread's own."""
    if node.parent is not None and node.parent.kind == "pointer_declarator":
        rest = "".join(context.render(c) for c in node.children[1:])
        return " thread" + "".join(context.render(c) for c in node.children[:1]) + f" {rest}"
    if node.children and node.children[0].kind == "&&" and node.parent is not None:
        holder = node.parent
        if holder.kind.endswith("parameter_declaration") or holder.kind == "for_range_loop":
            named = node.children[1:]
            gap = context.text[node.children[0].end : named[0].start] if named else ""
            return f"&{gap}{''.join(context.render(c) for c in named)}"
    return None


def dropped(node: Node, context: Context) -> str | None:
    return DROP


_DROPPED_WORDS = (
    "__device__", "__host__", "__global__", "__forceinline__", "__noinline__", "launch_bounds", "__launch_bounds__",
    "__inline__", "__managed__", "__restrict__", "__restrict", "__grid_constant__",
)  # fmt: skip
_KEPT_QUALIFIERS = frozenset({"const", "constexpr", "volatile", "mutable"})


def alignment(node: Node, context: Context) -> str:
    """`alignas(16) ` of a declaration, which wide loads rely on; empty where there is none."""
    for qualifier in node.children:
        if qualifier.kind == "type_qualifier" and context.source(qualifier).startswith("alignas"):
            return f"{context.render(qualifier)} "
    return ""


def type_qualifier(node: Node, context: Context) -> str | None:
    source = context.source(node)
    return None if source in _KEPT_QUALIFIERS or source.startswith("alignas") else DROP


def storage_class(node: Node, context: Context) -> str | None:
    """`static`, `extern`, `register`, `inline` before a declaration say nothing in Metal."""
    holder = node.parent
    if holder is not None and holder.kind == "field_declaration":
        return None
    return DROP


RULES = {
    "primitive_type": specifier,
    "type_identifier": specifier,
    "sized_type_specifier": specifier,
    "qualified_identifier": qualified,
    "parameter_declaration": parameter,
    "optional_parameter_declaration": parameter,
    "variadic_parameter_declaration": parameter,
    "type_descriptor": described,
    "sizeof_expression": size_of,
    "alignof_expression": size_of,
    "pointer_declarator": pointer_declarator,
    "reference_declarator": reference_declarator,
    "type_qualifier": type_qualifier,
    "storage_class_specifier": storage_class,
    "namespace_alias_definition": dropped,
    **dict.fromkeys(_DROPPED_WORDS, dropped),
}
