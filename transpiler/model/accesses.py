"""What a function does to the memory behind each of its pointers: read, written, accumulated, owned."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from cu2mlx.transpiler.model.access import Access, Site, through_builtin
from cu2mlx.transpiler.model.address_spaces import Instance
from cu2mlx.transpiler.model.assembly import asm_operands, memory_effects
from cu2mlx.transpiler.model.declarations import Function, Variable
from cu2mlx.transpiler.model.expressions import called_name, cast_target
from cu2mlx.transpiler.model.linear_index import has_one_axis, is_own_element
from cu2mlx.transpiler.model.lvalue_uses import use_of
from cu2mlx.transpiler.model.members import Parts, is_part
from cu2mlx.transpiler.model.null_tests import null_tests
from cu2mlx.transpiler.model.types import Type
from cu2mlx.transpiler.syntax import Node

Pass = Callable[[str], str | None]  # builtin name → "read" or "write" for its pointer argument


__all__ = ["Access", "Accesses", "Site"]

Effects = dict[Variable, Access]
Sites = dict[Variable, list[Site]]
_LISTS = ("initializer_list", "argument_list")
_ACTIONS = ("subscript_expression", "pointer_expression", "field_expression", "identifier", "call_expression",
            "gnu_asm_expression", "return_statement", *_LISTS)  # fmt: skip
_VALUE_ONLY = frozenset({"sizeof", "static_cast", "assert"})


class Accesses:
    """What a kernel and all that it calls do: each function is read once."""

    def __init__(self) -> None:
        self._known: dict[Function, _Reader] = {}

    def effects(self, instance: Instance) -> Effects:
        """Effects on parameters and globals, callees included."""
        found = _read(instance, self._known).through_members()[0]
        typing = instance.typing
        texts = (each.typing.spelling(each.function.node) for each in instance.reached())
        if any(a.owned and a.read and a.written for a in found.values()) and not has_one_axis(
            texts, typing.declared.macros
        ):
            return {variable: replace(access, owned=False) for variable, access in found.items()}
        return found

    def sites(self, instance: Instance) -> Sites:
        """Where a function touches the memory behind each of its parameters."""
        return _read(instance, self._known).through_members()[1]

    def tested(self, instance: Instance) -> set[Variable]:
        """The parameters that may be null: the function, or one that it calls, asks whether they are."""
        reader = _read(instance, self._known)
        return reader.tested.union(*(reader.behind(member) for member in reader.tested))


def _read(instance: Instance, known: "dict[Function, _Reader]") -> "_Reader":
    """`known` keeps what was found, by function."""
    reader = known.get(instance.function)
    if reader is None:
        reader = known[instance.function] = _Reader(instance, known)  # recursion adds nothing new
        reader.read()
    return reader


@dataclass(slots=True)
class _Reader:
    """Reads one function. `held`: what pointer members of records point into; `result`: where a returned pointer or
    reference leads; `tested`: what is compared with null."""

    instance: Instance
    known: "dict[Function, _Reader]"
    found: Effects = field(default_factory=dict)
    sites: Sites = field(default_factory=dict)
    held: dict[Variable, set[Variable]] = field(default_factory=dict)
    result: set[Variable] = field(default_factory=set)
    tested: set[Variable] = field(default_factory=set)
    aliases: dict[Variable, set[Variable]] = field(default_factory=dict)
    parts: Parts = field(init=False)

    def __post_init__(self) -> None:
        self.parts = Parts(self.instance.typing)

    def read(self) -> None:
        body = self.instance.function.body
        if body is None:
            return
        for parameter in self.instance.function.parameters:
            if parameter.type.has_pointer or parameter.type.is_reference:
                self.aliases[parameter] = {parameter}
        self._collect_aliases(body)
        for node in self._nodes(*_ACTIONS):
            if node.kind in ("subscript_expression", "pointer_expression", "field_expression"):
                self._memory(node)
            elif node.kind == "identifier":
                self._reference(node)
            elif node.kind == "call_expression":
                self._call(node)
            elif node.kind == "gnu_asm_expression":
                self._assembly(node)
            elif node.kind == "return_statement":
                self.result |= set().union(*(self.roots(value) for value in node.named_children))
            elif node.kind in _LISTS and node in self.instance.calls:  # of a constructor
                self._called(self.instance.calls[node], node, node)
        self.tested |= set().union(*(self.roots(pointer) for pointer in null_tests(self.instance.typing)))

    def _nodes(self, *kinds: str) -> Iterator[Node]:
        for part in self.instance.function.node.children:
            if part.kind in ("field_initializer_list", "compound_statement"):
                yield from part.all(*kinds)

    def through_members(self) -> tuple[Effects, Sites]:
        """What was done through the members of records was done to what they were given."""
        if not self.held:
            return self.found, self.sites
        found = {variable: replace(access) for variable, access in self.found.items()}
        sites = {variable: list(each) for variable, each in self.sites.items()}
        for member in [variable for variable in self.found if variable in self.held]:
            for root in self.behind(member):
                access = found[member]
                written = access.written and not root.type.const
                partly = written and is_part(_element(member), _element(root), self.instance.typing)
                found.setdefault(root, Access()).merge(
                    replace(access, read=access.read or partly, written=written, owned=False)
                )
                sites.setdefault(root, []).extend(sites.get(member, []))
        return found, sites

    def behind(self, member: Variable) -> set[Variable]:
        """All that a record's member may point into."""
        reached, pending = set[Variable](), [member]
        while pending:
            new = self.held.get(pending.pop(), set()) - reached
            reached |= new
            pending += new
        return reached

    @property
    def text(self) -> str:
        return self.instance.typing.text

    def _collect_aliases(self, body: Node) -> None:
        bindings = list(self._bindings(body))
        changed = True
        while changed:
            changed = False
            for variable, value in bindings:
                roots = self.roots(value)
                have = (self.held if _is_member(variable) else self.aliases).setdefault(variable, set())
                if not roots <= have:
                    have |= roots
                    changed = True

    def _bindings(self, body: Node) -> Iterator[tuple[Variable, Node]]:
        meaning = self.instance.typing.names.meaning
        for variable in self.instance.typing.names.variables:
            value = variable.initialiser
            if value is None:
                continue
            if self._leads_somewhere(variable, value):
                yield variable, value
            record = self.instance.typing.declared.record(variable.type)
            if record is not None and value.kind in _LISTS and value not in self.instance.calls:
                yield from zip(record.fields.values(), value.named_children, strict=False)
        record = self.instance.function.record
        if record is not None:
            for node in self._nodes("field_initializer"):
                name, values = node.named_children[:2]
                member = record.fields.get(self.instance.typing.spelling(name))
                yield from ((member, value) for value in values.named_children if member is not None)
        for node in body.all("assignment_expression"):
            left = node.need("left")
            types = [self.instance.typing.type_of(side) for side in (left, node.need("right"))]
            if any(type_ is not None and not type_.shape for type_ in types):
                continue  # a value stored through a pointer, not a pointer
            while left.kind in ("subscript_expression", "parenthesized_expression"):
                left = left.child("argument") or left.named_children[0]
            assigned = self._member(left) if left.kind == "field_expression" else meaning.get(left)
            if assigned is not None and self._leads_somewhere(assigned, node.need("right")):
                yield assigned, node.need("right")

    def _leads_somewhere(self, variable: Variable, value: Node) -> bool:
        """Whether a variable holds a pointer or reference: values loaded from memory lead nowhere."""
        if variable.type.base == "auto" and not variable.type.shape:
            found = self.instance.typing.type_of(value)
            return found is None or bool(found.shape)
        return variable.type.has_pointer or variable.type.is_reference

    def roots(self, node: Node) -> set[Variable]:
        """Parameters and globals whose memory a pointer or lvalue expression may lead to."""
        kind = node.kind
        if kind == "identifier":
            variable = self.instance.typing.names.meaning.get(node)
            if variable is None:
                return set()
            if variable.is_global or _is_member(variable):
                return {variable}
            return self.aliases.get(variable, set())
        if kind == "call_expression":
            if cast_target(self.text, node.need("function")) is not None:
                return self.roots(node.need("arguments").named_children[0])
            called = self.instance.calls.get(node)
            if called is not None and (
                called.function.result.has_pointer or called.function.result.is_reference
            ):
                return self._outside(_read(called, self.known).result, called, node.need("arguments"))
            return set()
        if kind == "field_expression":
            member = self._member(node)
            if member is not None and member.type.has_pointer:
                return {member}
            return self.roots(node.need("argument"))
        if kind == "subscript_expression" and node in self.instance.calls:
            called = self.instance.calls[node]
            if called.function.result.has_pointer or called.function.result.is_reference:
                return self._outside(_read(called, self.known).result, called, node.need("indices"))
            return set()
        if kind in ("subscript_expression", "pointer_expression", "update_expression"):
            return self.roots(node.need("argument"))
        if kind == "binary_expression":
            if node.need("operator").kind not in ("+", "-"):
                return set()
            return self._pointer_side(node.need("left")) | self._pointer_side(node.need("right"))
        if kind == "conditional_expression":
            consequence = node.child("consequence")
            chosen = self.roots(consequence) if consequence is not None else set()
            return chosen | self.roots(node.need("alternative"))
        if kind == "cast_expression":
            return self.roots(node.need("value"))
        if kind == "assignment_expression":
            return self.roots(node.need("right"))
        if kind in ("parenthesized_expression", "initializer_list", "argument_list", "comma_expression"):
            return set().union(*(self.roots(c) for c in node.named_children))
        return set()

    def _pointer_side(self, node: Node) -> set[Variable]:
        """Roots of an operand of pointer arithmetic; the offset has none."""
        found = self.instance.typing.type_of(node)
        return set() if found is not None and not found.shape else self.roots(node)

    def _member(self, node: Node) -> Variable | None:
        """The member of a user's record that a field expression names."""
        typing = self.instance.typing
        base = typing.type_of(node.need("argument"))
        own = self.instance.function.record if node.need("argument").kind == "this" else None
        record = typing.declared.record(base) if base is not None else own
        return record.fields.get(typing.spelling(node.need("field"))) if record is not None else None

    def _note(self, variable: Variable, node: Node, access: Access, *touched: Type | None) -> None:
        """`touched`: what the pointer or reference is to; less than an element where it is a cast's or a lane's."""
        if any(t is not None and is_part(t, _element(variable), self.instance.typing) for t in touched):
            access = replace(access, read=access.read or access.written, owned=False)
        self.found.setdefault(variable, Access()).merge(access)
        changed = access.written or bool(access.atomics)
        self.sites.setdefault(variable, []).append(Site(node, access.read or bool(access.atomics), changed))

    def _memory(self, node: Node) -> None:
        """`p[i]`, `*p`, `p->m`: one access through each root, unless it only forms an address."""
        if node.kind == "pointer_expression" and node.children[0].kind != "*":
            return
        if node.kind == "field_expression" and not any(c.kind == "->" for c in node.children):
            return
        base = node.need("argument")
        base_type = self.instance.typing.type_of(base)
        if node.kind == "subscript_expression" and base_type is not None:
            if base_type.is_array and base.kind != "identifier":
                return  # x[i][j]: counted once, at the innermost subscript
            if node in self.instance.calls:
                self._called_for(node, node.need("indices"))
                return
            if not base_type.shape:
                return  # a lane
        roots = self.roots(base)
        if not roots:
            return
        read, written = use_of(node, self.instance, self.parts)
        owned = is_own_element(node, self.instance.typing) or not (read or written)
        through = base_type.element if base_type is not None else None
        for root in roots:
            self._note(root, node, Access(read, written, owned=owned), through)

    def _reference(self, node: Node) -> None:
        variable = self.instance.typing.names.meaning.get(node)
        if variable is None or not (variable.type.is_reference or variable.is_global):
            return
        if variable.is_global and variable.type.shape:
            return
        parent = node.parent
        if parent is not None and parent.kind.endswith("declarator") and node.field != "value":
            return
        roots = {variable} if variable.is_global else self.aliases.get(variable, set())
        read, written = use_of(node, self.instance, self.parts)
        for root in roots:
            self._note(root, node, Access(read, written, owned=False), variable.type.value)

    def _call(self, node: Node) -> None:
        arguments = node.child("arguments")
        if arguments is None:
            return
        function = node.need("function")
        called = self.instance.calls.get(node)
        if called is not None:
            self._called_for(node, arguments)
            return
        name = called_name(self.text, function) or self._library_method(function)
        if cast_target(self.text, function) is not None or name in _VALUE_ONLY:
            return
        for argument in arguments.named_children:
            if not self.instance.typing.is_pointer(argument):
                continue
            for root in self.roots(argument):
                self._note(root, node, through_builtin(name, node, root), self._pointed(argument))

    def _pointed(self, pointer: Node) -> Type | None:
        found = self.instance.typing.type_of(pointer)
        return found.element if found is not None and found.shape else found

    def _called_for(self, node: Node, arguments: Node) -> None:
        """A call, and what is done to the lvalue it returns: `view.at(i) = v`, `view[i] += v`."""
        called = self.instance.calls[node]
        self._called(called, node, arguments)
        if called.function.result.is_reference:
            read, written = use_of(node, self.instance, self.parts)
            for root in self.roots(node):
                self._note(root, node, Access(read, written, owned=False), called.function.result.value)

    def _called(self, called: Instance, node: Node, arguments: Node) -> None:
        inner = _read(called, self.known)
        given = dict(zip(called.function.parameters, arguments.named_children, strict=False))
        for variable, access in inner.found.items():
            through = self._pointed(given[variable]) if variable in given else None
            for root in self._outside({variable}, called, arguments):
                owned = access.owned and not variable.is_parameter
                self._note(root, node, replace(access, owned=owned), through, _element(variable))
        self.tested |= self._outside(inner.tested, called, arguments)
        for member, pointers in inner.held.items():
            self.held.setdefault(member, set()).update(self._outside(pointers, called, arguments))

    def _outside(self, roots: set[Variable], called: Instance, arguments: Node) -> set[Variable]:
        """A callee's parameters as what is given for them; members and globals are the same everywhere."""
        given = dict(zip(called.function.parameters, arguments.named_children, strict=False))
        return set().union(
            *(self.roots(given[r]) if r in given else set() if r.is_parameter else {r} for r in roots)
        )

    def _library_method(self, function: Node) -> str:
        """`cub::Store` of a call of that method on an object of one of CUB's classes."""
        typing = self.instance.typing
        of = typing.type_of(function.need("argument")) if function.kind == "field_expression" else None
        known = of is not None and of.base.startswith("cub::")
        return f"cub::{typing.spelling(function.need('field'))}" if known else ""

    def _assembly(self, node: Node) -> None:
        """What inline PTX does through the pointers it is given."""
        read, written, atomics, used = memory_effects(node, self.text)
        for operand in asm_operands(node, self.text):
            if self.instance.typing.is_pointer(operand.value):
                for root in self.roots(operand.value):
                    changed = written and not root.type.const
                    access = Access(read, changed, set(atomics), used, owned=False)
                    self._note(root, node, access, self._pointed(operand.value))


def _element(variable: Variable) -> Type:
    """What a pointer or reference leads to."""
    return variable.type.value if variable.type.is_reference else variable.type.element


def _is_member(variable: Variable) -> bool:
    return variable.holder.kind == "field_declaration"
