"""What a unit declares: kernels, helper functions, records, globals, type names."""

from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from cu2mlx.transpiler.model.types import Type
from cu2mlx.transpiler.syntax import Node

RECORDS = {"struct_specifier", "class_specifier", "union_specifier"}
_OF_DEVICE = {"__device__", "constexpr", "default_method_clause", "delete_method_clause"}


class Space(StrEnum):
    """MSL's address spaces, as printed in front of a pointer's type."""

    DEVICE = "device"
    READ = "const device"  # a buffer that the kernel only reads: MLX hands it over as const
    CONSTANT = "constant"
    THREADGROUP = "threadgroup"
    THREAD = "thread"
    INOUT = "inout"  # a buffer that the kernel reads and writes: cu::inout_ptr, see the prelude


@dataclass(eq=False, slots=True)
class Variable:
    """A parameter, local, global or field. `space` is where the variable itself lives."""

    name: str
    type: Type
    holder: Node  # the declaration or parameter_declaration
    declarator: Node | None
    space: Space = Space.THREAD
    is_parameter: bool = False
    is_global: bool = False
    dynamic: bool = False  # extern __shared__
    is_part: bool = False  # `a` of `auto [a, b] = pair;`: its initialiser is the whole

    @property
    def is_pack(self) -> bool:
        """`rest` of `T&&... rest`."""
        return self.holder.kind == "variadic_parameter_declaration"

    @property
    def initialiser(self) -> Node | None:
        if self.declarator is not None and self.declarator.kind == "init_declarator":
            return self.declarator.child("value")
        return None


@dataclass(eq=False, slots=True)
class Function:
    """A kernel, helper function or method. `outer` is what is rendered: the template_declaration around it."""

    name: str
    node: Node
    outer: Node
    declarator: Node
    result: Type
    parameters: list[Variable]
    is_kernel: bool
    template: Node | None = None
    record: "Record | None" = None

    @property
    def is_specialisation(self) -> bool:
        """`template <> float to(float)`."""
        return self.template is not None and not self.template.need("parameters").named_children

    @property
    def is_friend(self) -> bool:
        """A function that is written inside of `record`, and called like one at file scope."""
        around = self.node.parent
        return self.record is not None and around is not None and around.kind == "friend_declaration"

    @property
    def is_static(self) -> bool:
        """Whether it has no object that it is called for."""
        if self.is_friend:
            return True
        words = (c for c in self.node.children if c.kind == "storage_class_specifier")
        return any(word.children[0].kind == "static" for word in words if word.children)

    @property
    def copies_object(self) -> bool:
        """A constructor from another object of its record."""
        record = self.record
        return (
            record is not None
            and self.name == record.name
            and any(
                p.type.is_reference and p.type.base.partition("<")[0] == record.name for p in self.parameters
            )
        )

    @property
    def is_of_host(self) -> bool:
        """A method that says nothing of the device, of a record in which others do."""
        others = self.record.methods if self.record is not None else []
        return not self.is_of_device and any(each.is_of_device for each in others)

    @property
    def is_of_device(self) -> bool:
        """Whether it says that kernels may call it, or that it is a constant expression, or as C++ makes it."""
        words = {c.children[0].kind if c.kind == "type_qualifier" else c.kind for c in self.node.children}
        return not words.isdisjoint(_OF_DEVICE)

    @property
    def is_const(self) -> bool:
        """A method that leaves its object alone."""
        return any(c.kind == "type_qualifier" for c in self.declarator.children)

    @property
    def body(self) -> Node | None:
        return self.node.child("body")


@dataclass(eq=False, slots=True)
class Record:
    """A struct, class or union."""

    name: str
    node: Node
    outer: Node
    fields: dict[str, Variable] = field(default_factory=dict)
    methods: list[Function] = field(default_factory=list)
    pointer: Type | None = None  # what it converts to
    shared: Type | None = None  # the same, where it stands for the dynamic threadgroup memory
    friends: list[Function] = field(default_factory=list)  # those with a body here
    aliases: dict[str, Type] = field(default_factory=dict)  # member type names
    template: Node | None = None
    specialisations: list["Record"] = field(default_factory=list)
    bases: list["Record"] = field(default_factory=list)
    of_const: "Record | None" = None  # `Span<const T>` beside `Span<T>`: its members point elsewhere
    is_of_const: bool = False
    scope: str = ""  # the record that it stands in

    @property
    def is_specialisation(self) -> bool:
        """`template <> struct Wide<half>`, which may be the first of its name, after a declaration."""
        return self.template is not None and not self.template.need("parameters").named_children

    @property
    def all_methods(self) -> list[Function]:
        """Its own methods, those of its specialisations and of its bases."""
        inherited = (m for base in self.bases for m in base.all_methods)
        return [*self.methods, *(m for s in self.specialisations for m in s.methods), *inherited]


@dataclass(eq=False)
class Declarations:
    """Everything at file scope (namespaces flattened), by name, in source order. Complete once it is read."""

    functions: dict[str, list[Function]] = field(default_factory=dict)
    records: dict[str, Record] = field(default_factory=dict)
    globals: dict[str, Variable] = field(default_factory=dict)
    type_names: dict[str, Node] = field(default_factory=dict)
    aliases: dict[str, Type] = field(default_factory=dict)
    macros: dict[str, str] = field(default_factory=dict)  # object-like ones that are a number
    forward: dict[str, list[Function]] = field(default_factory=dict)  # prototypes
    homonyms: dict[str, list[Node]] = field(default_factory=dict)  # type names of other namespaces
    forward_records: dict[str, Node] = field(default_factory=dict)  # templates declared before their bodies
    inner: dict[str, list[Record]] = field(default_factory=dict)  # records inside others, printed with them
    namespaces: set[str] = field(default_factory=set)
    opened: set[str] = field(default_factory=set)  # words of `using namespace a::b;` and `using a::f;`
    enums: set[str] = field(default_factory=set)

    def record(self, type_: Type) -> Record | None:
        """The record of a type: namespaces and template arguments do not matter."""
        last = type_.base.rpartition(">")[2] or type_.base.partition("<")[0]  # `Outer<T>::Inner` is an Inner
        name = last.rsplit("::", 1)[-1]
        found = self.records.get(name)
        if found is not None and found.of_const is not None and "<const " in type_.base:
            return found.of_const if type_.base.partition("<")[2].startswith("const ") else found
        alike = self.inner.get(name)
        if alike is None:
            return found
        scope = type_.base.partition("<")[0] if last.startswith("::") else last.rpartition("::")[0]
        meant = [each for each in alike if each.scope == scope.rsplit("::", 1)[-1]]
        if len(meant) == 1:
            return meant[0]
        return found or (alike[0] if len(alike) == 1 else None)

    @cached_property
    def shared_records(self) -> frozenset[str]:
        """Those whose objects stand for the dynamic threadgroup memory."""
        return frozenset(record.name for record in self.records.values() if record.shared is not None)

    def is_shared(self, type_: Type) -> bool:
        """Whether an object of this type is one of those."""
        return not type_.shape and type_.base.partition("<")[0] in self.shared_records

    @cached_property
    def all_records(self) -> list[Record]:
        """Those at file scope and those inside others."""
        return [*self.records.values(), *(record for alike in self.inner.values() for record in alike)]

    @cached_property
    def kernels(self) -> list[Function]:
        found = [f for overloads in self.functions.values() for f in overloads if f.is_kernel]
        return sorted(found, key=lambda f: f.node.start)

    @cached_property
    def specialised(self) -> frozenset[Function]:
        """The specialisations among the functions."""
        return frozenset(f for overloads in self.functions.values() for f in overloads if f.is_specialisation)

    @cached_property
    def operators(self) -> list[Function]:
        """The operators at file scope."""
        named = (overloads for name, overloads in self.functions.items() if name.startswith("operator"))
        return [function for overloads in named for function in overloads]

    @cached_property
    def methods(self) -> dict[Node, Function]:
        """Every method, and every friend with a body, by its node."""
        return {m.node: m for record in self.all_records for m in (*record.all_methods, *record.friends)}

    @cached_property
    def signs(self) -> frozenset[str]:
        """Those of the user's operators, members or not: `+`, `()`."""
        named = (*self.functions, *(method.name for method in self.methods.values()))
        return frozenset(
            n.removeprefix("operator").replace(" ", "") for n in named if n.startswith("operator")
        )

    @cached_property
    def fields(self) -> frozenset[Variable]:
        """The fields of all records."""
        of_const = [record.of_const for record in self.records.values() if record.of_const is not None]
        return frozenset(f for record in (*self.all_records, *of_const) for f in record.fields.values())


def qualifiers(holder: Node, text: str) -> set[str]:
    """The specifier words of a declaration: const, static, extern, __shared__, __constant__ …"""
    return {
        text[c.start : c.end]
        for c in holder.children
        if c.kind in ("type_qualifier", "storage_class_specifier") or c.kind.startswith("__")
    }


def place(variable: Variable, text: str) -> None:
    """Set where a variable lives from the words before its type."""
    words = qualifiers(variable.holder, text)
    if "__shared__" in words:
        variable.space = Space.THREADGROUP
        variable.dynamic = "extern" in words
    elif "__constant__" in words:
        variable.space = Space.CONSTANT
    elif "__device__" in words and variable.is_global:
        constant = "const" in words or "constexpr" in words
        variable.space = Space.CONSTANT if constant else Space.DEVICE
