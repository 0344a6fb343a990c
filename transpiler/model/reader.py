"""Reads what a unit declares from its tree."""

import re
from collections.abc import Mapping

from cu2mlx.transpiler.model.conditions import holds
from cu2mlx.transpiler.model.declarations import (
    RECORDS,
    Declarations,
    Function,
    Record,
    Space,
    Variable,
    place,
    qualifiers,
)
from cu2mlx.transpiler.model.template_parameters import template_parameters
from cu2mlx.transpiler.model.types import Type, as_parameter, declarator_name, declared_type, specifier_base
from cu2mlx.transpiler.syntax import Node

# Also inside of functions. They start with the word itself, which `re` can skip to.
_ALIASED = re.compile(r"namespace(?<!\wnamespace)\s+(\w+)\s*=")
_OPENED = re.compile(r"using(?<!\wusing)\s+(?:namespace\s+)?([\w:]+)\s*;")
_CONST_ELEMENTS = re.compile(r"\b(\w+)<const\b")
_CONTAINERS = {"translation_unit", "declaration_list", "linkage_specification", "namespace_definition"}
_CONDITIONALS = {"preproc_if", "preproc_ifdef", "preproc_else", "preproc_elif", "preproc_elifdef"}


class Reader:
    """Fills Declarations from the tree of one unit."""

    def __init__(self, text: str, macros: Mapping[str, str]) -> None:
        self.text = text
        self.macros = macros  # object-like ones, for the conditions of `#if`
        self.declared = Declarations()

    def read(self, root: Node) -> Declarations:
        self._container(root)
        self._of_const()
        self.declared.namespaces.update(_ALIASED.findall(self.text))
        self.declared.opened.update(part for each in _OPENED.findall(self.text) for part in each.split("::"))
        return self.declared

    def _of_const(self) -> None:
        """Class templates that the file uses for const and for other elements are two records."""
        if "<const" not in self.text:  # most files: quicker told than by the pattern
            return
        if all(record.template is None for record in self.declared.records.values()):
            return
        for name in set(_CONST_ELEMENTS.findall(self.text)) & self.declared.records.keys():
            record = self.declared.records[name]
            body = record.node.child("body")
            others = re.finditer(rf"\b{name}\s*<\s*(?!const\b)", self.text)
            elsewhere = any(not record.outer.start <= other.start() < record.outer.end for other in others)
            if body is None or not elsewhere or record.friends or record.specialisations:
                continue
            if not self._names_parameters(record):  # a broken text
                continue
            record.of_const = Record(
                name, record.node, record.outer, template=record.template, bases=record.bases
            )
            record.of_const.is_of_const = True
            self.fill_record(record.of_const, body)

    def _names_parameters(self, record: Record) -> bool:
        """Whether a class is a template, each of whose parameters has a name."""
        listed = template_parameters(record.template, self.text)
        return bool(listed) and all(each.name for each in listed)

    def _container(self, node: Node) -> None:
        name = node.child("name") if node.kind == "namespace_definition" else None
        if name is not None:
            self.declared.namespaces.add(self._text(name))
        for child in node.children:
            if child.kind in _CONTAINERS or child.kind in _CONDITIONALS:
                if child.kind not in ("preproc_if", "preproc_ifdef"):
                    self._container(child)
                else:
                    self._conditional(child)
            else:
                self._item(child, child, None)

    def _conditional(self, node: Node) -> None:
        """`#if` at file scope: helpers of a branch that no compiler sees would be second definitions."""
        active = holds(node, self.text, self.macros)
        alternative = node.child("alternative")
        for child in node.children:
            seen = active is None or (child is not alternative if active else child is alternative)
            if not seen:
                self._kernels_only(child)
            elif child.kind in ("preproc_if", "preproc_ifdef"):
                self._conditional(child)
            elif child.kind in _CONTAINERS or child.kind in _CONDITIONALS:
                self._container(child)
            else:
                self._item(child, child, None)

    def _kernels_only(self, node: Node) -> None:
        """A kernel in a branch that is not compiled here is still the user's to have."""
        if node.kind in _CONTAINERS or node.kind in _CONDITIONALS:
            for child in node.children:
                self._kernels_only(child)
        elif node.kind in ("function_definition", "template_declaration"):
            head = self.text[node.start : node.start + 400].split("{")[0]
            if "__global__" in head:
                self._item(node, node, None)

    def _item(self, node: Node, outer: Node, template: Node | None) -> None:
        if node.kind == "template_declaration":
            for child in node.named_children:
                if child.kind != "template_parameter_list":
                    self._item(child, outer, template or node)
        elif node.kind == "function_definition":
            function = self.function(node, outer, template, None)
            if function is not None:
                self.declared.functions.setdefault(function.name, []).append(function)
        elif node.kind in RECORDS:
            self._record(node, outer, template)
        elif node.kind == "declaration":
            self._declaration(node, outer, template)
        elif node.kind == "type_definition":
            self._typedef(node, outer)
        elif node.kind == "alias_declaration":
            name = node.need("name")
            self._type_name(self._text(name), outer)
            described = node.need("type")
            self.declared.aliases[self._text(name)] = declared_type(
                described, described.child("declarator"), self.text
            )
        elif node.kind == "enum_specifier":
            self._enum(node, outer)
        elif node.kind == "namespace_alias_definition":
            self.declared.namespaces.add(self._text(node.need("name")))

    def _text(self, node: Node) -> str:
        return self.text[node.start : node.end]

    def function(
        self, node: Node, outer: Node, template: Node | None, record: Record | None
    ) -> Function | None:
        declarator = node.child("declarator")
        while declarator is not None and declarator.kind != "function_declarator":
            declarator = declarator.child("declarator") or declarator.first("function_declarator")
        name = declarator_name(declarator)
        if declarator is None or name is None:
            return None
        result = declared_type(node, node.child("declarator"), self.text)
        return Function(
            name=self._text(name).rsplit("::", 1)[-1],
            node=node,
            outer=outer,
            declarator=declarator,
            result=result,
            parameters=self.parameters(declarator),
            is_kernel=any(c.kind == "__global__" for c in node.children),
            template=template,
            record=record,
        )

    def parameters(self, function_declarator: Node) -> list[Variable]:
        listed = function_declarator.child("parameters")
        found: list[Variable] = []
        for node in listed.named_children if listed is not None else []:
            if not node.kind.endswith("parameter_declaration"):
                continue
            declarator = node.child("declarator")
            name = declarator_name(declarator)
            type_ = as_parameter(declared_type(node, declarator, self.text))
            if type_.base == "void" and not type_.shape:
                continue
            text = self._text(name) if name is not None else ""
            found.append(Variable(text, type_, node, declarator, is_parameter=True))
        return found

    def _record(self, node: Node, outer: Node, template: Node | None) -> None:
        name_node, body = node.child("name"), node.child("body")
        name = self._text(name_node) if name_node is not None else f"<anonymous {node.start}>"
        if body is None:
            if template is not None:
                self.declared.forward_records.setdefault(name, outer)
            return
        base = name.split("<")[0]
        record = Record(base, node, outer, template=template, bases=self._bases(node))
        for inherited in record.bases:
            record.fields.update(inherited.fields)
            record.aliases.update(inherited.aliases)
        self.fill_record(record, body)
        primary = self.declared.records.get(base)
        if "<" in name and primary is not None:
            primary.specialisations.append(record)
            if record.shared is not None:  # as in CUDA's samples, where the general one only fails to link
                primary.shared = primary.shared or primary.pointer
            return
        self.declared.records[base] = record
        self.declared.type_names.setdefault(base, outer)

    def _bases(self, node: Node) -> list[Record]:
        """The records that one inherits from, as far as the file declares them."""
        clause = node.first("base_class_clause")
        names = [self._text(n) for n in clause.named_children] if clause is not None else []
        found = [self.declared.record(Type(name)) for name in names]
        return [record for record in found if record is not None]

    def fill_record(self, record: Record, body: Node) -> None:
        for member in body.named_children:
            template = member if member.kind == "template_declaration" else None
            inner = member
            if template is not None:
                inner = next(
                    (c for c in member.named_children if c.kind != "template_parameter_list"), member
                )
            if inner.kind == "field_declaration":
                self._inner(record, inner)
                for declarator in inner.fields("declarator"):
                    name = declarator_name(declarator)
                    if name is not None:
                        type_ = declared_type(inner, declarator, self.text)
                        record.fields[self._text(name)] = Variable(self._text(name), type_, inner, declarator)
            elif inner.kind == "function_definition":
                method = self.function(inner, member, template, record)
                if method is not None:
                    record.methods.append(method)
                else:
                    self._conversion(record, inner)
            elif inner.kind == "friend_declaration":
                self._friend(record, inner, member, template)
            elif inner.kind in ("alias_declaration", "type_definition"):
                self._member_alias(record, inner)
            elif inner.kind in _CONDITIONALS:
                self.fill_record(record, inner)

    def _inner(self, outer: Record, declaration: Node) -> None:
        """A record with a name inside another one; the outer one's template parameters are its own."""
        node = declaration.child("type")
        name, body = (node.child("name"), node.child("body")) if node is not None else (None, None)
        if node is None or name is None or body is None or node.kind not in RECORDS:
            return
        record = Record(
            self._text(name),
            node,
            node,
            template=outer.template,
            bases=self._bases(node),
            scope=outer.name,
        )
        self.fill_record(record, body)
        self.declared.inner.setdefault(record.name, []).append(record)

    def _conversion(self, record: Record, node: Node) -> None:
        """The `T*` of `operator T*() { extern __shared__ int memory[]; return (T*)memory; }`."""
        operator, body = node.child("declarator"), node.child("body")
        declarator = operator.child("declarator") if operator is not None else None
        if operator is None or body is None or declarator is None:
            return
        if declarator.kind == "abstract_pointer_declarator":
            record.pointer = Type(specifier_base(operator.need("type"), self.text), ("*",))
            if any({"extern", "__shared__"} <= qualifiers(d, self.text) for d in body.all("declaration")):
                record.shared = record.shared or record.pointer

    def _friend(self, record: Record, node: Node, outer: Node, template: Node | None) -> None:
        body = node.first("function_definition")
        function = self.function(body, outer, template, record) if body is not None else None
        if function is not None:
            record.friends.append(function)
            self.declared.functions.setdefault(function.name, []).append(function)

    def _member_alias(self, record: Record, node: Node) -> None:
        if node.kind == "alias_declaration":
            described = node.need("type")
            meant = declared_type(described, described.child("declarator"), self.text)
            record.aliases[self._text(node.need("name"))] = meant
            return
        for declarator in node.fields("declarator"):
            if declarator.kind == "type_identifier":
                record.aliases[self._text(declarator)] = declared_type(node, declarator, self.text)

    def _type_name(self, name: str, outer: Node) -> None:
        known = self.declared.type_names.get(name)
        if known is not None and self._text(known) == self._text(outer):
            return  # said twice: the first stands in front of all that uses it
        if known is not None and known is not outer:
            self.declared.homonyms.setdefault(name, []).append(known)
        self.declared.type_names[name] = outer

    def _declaration(self, node: Node, outer: Node, template: Node | None) -> None:
        specifier = node.child("type")
        if specifier is not None and specifier.kind in RECORDS:
            self._record(specifier, outer, template)
        if specifier is not None and specifier.kind == "enum_specifier":
            self._enum(specifier, outer)
        for declarator in node.fields("declarator"):
            name = declarator_name(declarator)
            if name is None:
                continue
            if _is_function(declarator):
                prototype = self.function(node, outer, template, None)
                if prototype is not None:
                    self.declared.forward.setdefault(prototype.name, []).append(prototype)
                continue
            variable = Variable(
                self._text(name), declared_type(node, declarator, self.text), node, declarator, is_global=True
            )
            place(variable, self.text)
            if variable.space is Space.THREAD:
                variable.space = Space.CONSTANT
            known = self.declared.globals.get(variable.name)
            if known is None or self._text(known.holder) != self._text(node):  # said twice: the first stands
                self.declared.globals[variable.name] = variable

    def _typedef(self, node: Node, outer: Node) -> None:
        specifier = node.child("type")
        for declarator in node.fields("declarator"):
            name = next(declarator.all("type_identifier"), None)
            if name is None:
                continue
            self._type_name(self._text(name), outer)
            if specifier is not None and specifier.kind == "enum_specifier":
                self.declared.enums.add(self._text(name))
                self._enum(specifier, outer)
            elif specifier is not None and specifier.kind in RECORDS:
                body = specifier.child("body")
                if body is not None:
                    record = Record(self._text(name), specifier, outer)
                    self.fill_record(record, body)
                    self.declared.records[record.name] = record
            else:
                self.declared.aliases[self._text(name)] = declared_type(node, declarator, self.text)

    def _enum(self, node: Node, outer: Node) -> None:
        name = node.child("name")
        if name is not None:
            self._type_name(self._text(name), outer)
            self.declared.enums.add(self._text(name))
        body = node.child("body")
        for enumerator in body.named_children if body is not None else []:
            if enumerator.kind == "enumerator":
                self.declared.type_names[self._text(enumerator.need("name"))] = outer


def _is_function(declarator: Node) -> bool:
    node: Node | None = declarator
    while node is not None:
        if node.kind == "function_declarator":
            return True
        node = node.child("declarator") if node.kind != "init_declarator" else None
    return False
