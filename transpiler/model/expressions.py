"""The type of an expression, as far as rules need it; None where it cannot be told (templates, unknown calls)."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from cu2mlx.transpiler.model.aliases import meant_by
from cu2mlx.transpiler.model.declarations import Declarations, Function, Record, Variable
from cu2mlx.transpiler.model.literals import literal
from cu2mlx.transpiler.model.overloads import RANK, Taken, matching, own_functions
from cu2mlx.transpiler.model.scopes import Names, binding
from cu2mlx.transpiler.model.template_parameters import template_parameters
from cu2mlx.transpiler.model.types import (
    ONE_SPELLING,
    Type,
    canonical,
    declared_type,
    names_reference,
    template_arguments,
)
from cu2mlx.transpiler.model.vectors import VECTOR, lanes
from cu2mlx.transpiler.syntax import Node

ResultOf = Callable[[str], str | None]  # builtin name → its C++ result type, None when unknown

_BUILT_IN = frozenset({"bool", "char", "short", "int", "unsigned int", "long", "float", "double", "void"})
INDEX_NAMES = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim"})


@dataclass(slots=True)
class Typing:
    """Types of the expressions of one function."""

    function: Function
    names: Names
    declared: Declarations
    text: str
    result_of: ResultOf
    functions: dict[str, str] = field(default_factory=dict)  # template parameters that stand for one
    known: dict[Node, Type | None] = field(default_factory=dict)
    taken: dict[Function, tuple[Taken, ...]] = field(
        default_factory=dict
    )  # by the parameters of what it calls
    _statements: list[Node] | None = None

    def type_of(self, node: Node) -> Type | None:
        """The type with references removed."""
        known = self.known
        if node in known:
            return known[node]
        rule = _RULES.get(node.kind)
        if rule is None:
            return None
        known[node] = None  # a variable initialised from itself
        found = rule(self, node)
        if found is not None:
            known[node] = self.alias(found.value)
        return known[node]

    def nodes(self, kinds: Collection[str]) -> list[Node]:
        """The function's nodes of these kinds, inner ones first; always asked for the same kinds."""
        if self._statements is None:
            parts = self.function.node.children
            inside = [p for p in parts if p.kind in ("compound_statement", "field_initializer_list")]
            found = [node for part in inside for node in part.all(*kinds)]
            self._statements = sorted(found, key=lambda node: (node.after, -node.index))
        return self._statements

    def alias(self, type_: Type) -> Type:
        """Typedefs and `using` resolved, one spelling for each built-in type."""
        if type_.base in _BUILT_IN:
            return type_
        for _ in range(8):
            meant = meant_by(type_.base, self)
            if meant is None or meant.base == type_.base:
                break
            type_ = Type(meant.base, type_.shape + meant.shape, type_.const or meant.const)
        base = ONE_SPELLING.get(type_.base, type_.base)
        return type_ if base == type_.base else Type(base, type_.shape, type_.const)

    def spelling(self, node: Node) -> str:
        return self.text[node.start : node.end]

    def is_pointer(self, node: Node) -> bool:
        found = self.type_of(node)
        return found is not None and (found.is_pointer or found.is_array)


def _identifier(typing: Typing, node: Node) -> Type | None:
    name = typing.spelling(node)
    if name in INDEX_NAMES:
        return Type("uint3")
    if name == "warpSize":
        return Type("int")
    variable = typing.names.meaning.get(node)
    if variable is None:
        value = typing.declared.macros.get(name)
        return literal(value) if value is not None else None
    if variable.is_part:
        return _part(typing, variable)
    if variable.type.base == "auto":
        initialiser = variable.initialiser
        inferred = typing.type_of(initialiser) if initialiser is not None else None
        if inferred is None:
            return None
        if inferred.is_array:
            inferred = Type(inferred.base, ("*", *inferred.shape[1:]), inferred.const)
        return inferred
    if typing.declared.is_shared(variable.type):
        record = typing.declared.records[variable.type.base.partition("<")[0]]
        return (
            _substituted(typing, record, variable.type, record.shared) if record.shared is not None else None
        )
    return variable.type


def _part(typing: Typing, part: Variable) -> Type | None:
    """The type of `b` of `auto [a, b] = whole;`, also of a loop over wholes."""
    names = binding(part.declarator)
    listed = [typing.spelling(n) for n in names.named_children] if names is not None else []
    if part.holder.kind == "for_range_loop":
        items = typing.type_of(part.holder.need("right"))
        whole = items.element if items is not None and items.shape else None
    else:
        whole = typing.type_of(part.initialiser) if part.initialiser is not None else None
    if whole is None or part.name not in listed:
        return None
    index = listed.index(part.name)
    if whole.shape:
        return whole.element
    if of_lanes := lanes(whole.base):
        return of_lanes["x"]
    record = typing.declared.record(whole)
    if record is None:
        given = template_arguments(whole.base) if whole.base.startswith(("pair<", "tuple<")) else []
        return Type(canonical(given[index])) if index < len(given) else None
    fields = [f.type for f in record.fields.values()]
    return _substituted(typing, record, whole, fields[index]) if index < len(fields) else None


def _number(typing: Typing, node: Node) -> Type | None:
    return literal(typing.spelling(node))


def _subscript(typing: Typing, node: Node) -> Type | None:
    base = typing.type_of(node.need("argument"))
    if base is None:
        return None
    if base.shape:
        return base.element
    record = typing.declared.record(typing.alias(base))
    methods = record.all_methods if record is not None else []
    found = next((m for m in methods if m.name == "operator[]"), None)
    if found is None or record is None:
        return None
    return _substituted(typing, found.record or record, base, found.result.value)


def _pointer(typing: Typing, node: Node) -> Type | None:
    base = typing.type_of(node.need("argument"))
    if base is None:
        return None
    if node.children[0].kind == "&":
        return base.pointer
    return base.element if base.shape else None


def _field(typing: Typing, node: Node) -> Type | None:
    argument = node.need("argument")
    base = typing.type_of(argument)
    name = typing.spelling(node.need("field"))
    if base is None:
        return None
    if (lane := lanes(base.base).get(name)) is not None:
        return lane
    if base.base == "dim3":
        return Type("unsigned int")
    record = typing.declared.record(base)
    for each in (record, *record.specialisations) if record is not None else ():
        if name in each.fields:
            return _substituted(typing, each, base, each.fields[name].type)
    return None


def _substituted(typing: Typing, record: Record, base: Type, member: Type) -> Type:
    """A member's type in one instance of a class template: `float` for the T of `vec<3, float>`."""
    name = record.node.child("name")
    if name is not None and name.kind == "template_type":  # a specialisation: `struct vec<3, T>`
        written = template_arguments(typing.spelling(name))
    elif record.template is not None:
        written = [each.name for each in template_parameters(record.template, typing.text)]
    else:
        return member
    given = template_arguments(base.base)
    if member.base not in written or written.index(member.base) >= len(given):
        return member
    meant = given[written.index(member.base)]
    return Type(canonical(meant), member.shape, member.const or meant.startswith("const "))


def promote(left: Type | None, right: Type | None) -> Type | None:
    """The usual arithmetic conversions; pointer ± integer is the pointer."""
    for side in (left, right):
        if side is not None and side.shape:
            return side if side.is_pointer else Type(side.base, ("*", *side.shape[1:]), side.const)
    if left is None or right is None:
        return None
    for side, other in ((left, right), (right, left)):
        if VECTOR.match(side.base) and (other.base in RANK or other.base == side.base):
            return side
    if left.base in RANK and right.base in RANK:
        higher = max(RANK.index(left.base), RANK.index(right.base))
        return Type(RANK[max(higher, RANK.index("int"))])
    return left if left.base == right.base else None


_COMPARISONS = frozenset({"==", "!=", "<", ">", "<=", ">=", "&&", "||"})


def _binary(typing: Typing, node: Node) -> Type | None:
    operator = node.need("operator").kind
    if operator in _COMPARISONS:
        return Type("bool")
    left = typing.type_of(node.need("left"))
    if operator in ("<<", ">>"):
        return promote(left, Type("int")) if left is not None and left.base in RANK else left
    right = typing.type_of(node.need("right"))
    if operator == "-" and left is not None and right is not None and left.shape and right.shape:
        return Type("long")
    return promote(left, right)


def _unary(typing: Typing, node: Node) -> Type | None:
    if node.need("operator").kind in ("!", "not"):
        return Type("bool")
    inner = typing.type_of(node.need("argument"))
    return promote(inner, Type("int")) if inner is not None and inner.base in RANK else inner


def _left(typing: Typing, node: Node) -> Type | None:
    return typing.type_of(node.need("left"))


def _argument(typing: Typing, node: Node) -> Type | None:
    return typing.type_of(node.need("argument"))


def _parenthesised(typing: Typing, node: Node) -> Type | None:
    inner = node.named_children
    return typing.type_of(inner[-1]) if inner else None


def _conditional(typing: Typing, node: Node) -> Type | None:
    first = node.child("consequence")
    one = typing.type_of(first) if first is not None else None
    return promote(one, typing.type_of(node.need("alternative")))


def _cast(typing: Typing, node: Node) -> Type | None:
    described = node.need("type")
    return declared_type(described, described.child("declarator"), typing.text)


CASTS = frozenset({"static_cast", "reinterpret_cast", "const_cast", "dynamic_cast"})


def cast_target(typing_text: str, function: Node) -> Node | None:
    """The type_descriptor in static_cast<T>, None for anything else, and where nothing is cast."""
    call = function.parent
    if function.kind != "template_function" or call is None or not call.need("arguments").named_children:
        return None
    name = function.need("name")
    if typing_text[name.start : name.end] not in CASTS:
        return None
    return function.need("arguments").first("type_descriptor")


def cast_as_lvalue(text: str, value: Node) -> Node | None:
    """`reinterpret_cast<T&>(x)` around its `x`, which is the same memory; None for any other value."""
    call = value.parent.parent if value.parent is not None and value.parent.kind == "argument_list" else None
    target = cast_target(text, call.need("function")) if call is not None and call.child("function") else None
    return call if target is not None and names_reference(target) else None


def called_name(text: str, function: Node) -> str:
    """The called function's last name: `ns::f<int>` → f; empty for member and computed calls. Of what stands behind
    a dot: `template f<int>` → f."""
    if function.kind in ("template_function", "qualified_identifier", "template_method"):
        return called_name(text, function.need("name"))
    if function.kind == "dependent_name":
        return called_name(text, function.named_children[0])
    if function.kind in ("identifier", "primitive_type", "type_identifier", "field_identifier"):
        return text[function.start : function.end]
    return ""


def _call(typing: Typing, node: Node) -> Type | None:
    function = node.need("function")
    target = cast_target(typing.text, function)
    if target is not None:
        return declared_type(target, target.child("declarator"), typing.text)
    if function.kind == "field_expression":
        result = _method(typing, node, function)
        if result is not None:
            return result
    name = called_name(typing.text, function)
    name = typing.functions.get(name, name).partition("<")[0]
    overloads = own_functions(typing, name, node)
    if overloads:
        found = matching(typing, overloads, node)
        return found.result if found.result.base != "auto" else None
    if (shared := _shared(typing, function, name)) is not None:
        return shared
    if (
        function.kind == "primitive_type"
        or name in RANK
        or VECTOR.match(name)
        or name in typing.declared.records
    ):
        return Type(name)
    if function.kind == "template_function" and name in typing.declared.records:
        return Type(canonical(typing.spelling(function)))
    if function.kind != "field_expression":
        made = typing.alias(Type(canonical(typing.spelling(function))))
        if made.base.startswith("cub::"):
            return made
    spelled = typing.result_of(name)
    if spelled in ("T", "T0"):
        arguments = node.need("arguments").named_children
        first = typing.type_of(arguments[0]) if arguments else None
        for argument in arguments[1:]:
            first = promote(first, typing.type_of(argument))
        return first
    return Type(spelled) if spelled else None


def _shared(typing: Typing, made: Node, name: str) -> Type | None:
    """The pointer that an object for the dynamic threadgroup memory stands for: `SharedMemory<T>()`."""
    record = typing.declared.records.get(name)
    if record is None or record.shared is None:
        return None
    return _substituted(typing, record, Type(canonical(typing.spelling(made))), record.shared)


def _method(typing: Typing, node: Node, function: Node) -> Type | None:
    """The result of a method of a user's record, where it does not hang on the method's own template."""
    base = typing.type_of(function.need("argument"))
    record = typing.declared.record(base) if base is not None else None
    methods = (
        [m for m in record.all_methods if m.name == typing.spelling(function.need("field"))] if record else []
    )
    if base is not None and base.base.startswith("cub::"):
        return _collective(typing, base, typing.spelling(function.need("field")))
    if base is None or record is None or not methods:
        return None
    found = matching(typing, methods, node)
    own = found.template is None or found.template is record.template
    plain = own and found.result.base != "auto"
    if record.is_of_const and found.result.base.partition("<")[0] == record.name:
        return base
    return _substituted(typing, found.record or record, base, found.result.value) if plain else None


def _collective(typing: Typing, of: Type, method: str) -> Type | None:
    """The result of one of CUB's methods: `float` of `cub::BlockReduce<float, 128>`'s Sum."""
    class_name, given = of.base.partition("<")[0], template_arguments(of.base)
    spelled = typing.result_of(f"{class_name}::{method}")
    if spelled == "T":
        return Type(canonical(given[0])) if given else None
    return Type(spelled) if spelled else None


def _braced(typing: Typing, node: Node) -> Type | None:
    made = node.need("type")
    if (shared := _shared(typing, made, typing.spelling(made).partition("<")[0])) is not None:
        return shared
    return Type(canonical(typing.spelling(node.need("type"))))


_Rules = Mapping[str, Callable[[Typing, Node], Type | None]]
_RULES: _Rules = {
    "identifier": _identifier,
    "number_literal": _number,
    "true": lambda typing, node: Type("bool"),
    "false": lambda typing, node: Type("bool"),
    "char_literal": lambda typing, node: Type("char"),
    "subscript_expression": _subscript,
    "pointer_expression": _pointer,
    "field_expression": _field,
    "binary_expression": _binary,
    "unary_expression": _unary,
    "assignment_expression": _left,
    "update_expression": _argument,
    "parenthesized_expression": _parenthesised,
    "conditional_expression": _conditional,
    "cast_expression": _cast,
    "call_expression": _call,
    "compound_literal_expression": _braced,
    "sizeof_expression": lambda typing, node: Type("unsigned long"),
}
