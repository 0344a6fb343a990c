"""Elements of memory that are written member by member, or lane by lane: whether any part is left as it was.

`v[i].x = a; v[i].y = b;` write the whole float2 as statements of one block; `if (c) v[i].x = a; else v[i].y = b;`
leave one lane each time.
"""

from typing import NamedTuple

from cu2mlx.transpiler.model.declarations import Record, Variable, qualifiers
from cu2mlx.transpiler.model.expressions import Typing, cast_as_lvalue
from cu2mlx.transpiler.model.full_loops import full_loop
from cu2mlx.transpiler.model.linear_index import changes
from cu2mlx.transpiler.model.types import Type
from cu2mlx.transpiler.model.uniform import constant
from cu2mlx.transpiler.model.vectors import lanes, size_in_bytes
from cu2mlx.transpiler.syntax import Node

Path = tuple[str, ...]  # of members and indices, outermost first; none for the whole element
Name = tuple[Variable | str, ...]  # an element's expression, with what its identifiers mean

_BLOCKS = ("compound_statement", "case_statement")
_LEAVING = ("return_statement", "break_statement", "continue_statement", "goto_statement")
_MOVING = ("update_expression", "assignment_expression", "call_expression")
_ALL, _SOME = "[*]", "[?]"  # every index, by a loop; one that nobody knows


class _Part(NamedTuple):
    """A part of `element`, whose type is `whole`; `statement`: what stands for the assignment in its block."""

    element: Node
    path: Path
    whole: Type | None
    statement: Node


class Parts:
    """What the assignments of one function write of each element that it names."""

    def __init__(self, typing: Typing) -> None:
        self.typing = typing
        self._written: dict[Name, list[_Part]] | None = None

    def leave_some(self, lvalue: Node) -> bool:
        """Whether an assignment to `v[i].y` leaves other parts of `v[i]` that none beside it writes."""
        part = self._split(lvalue)
        if not part.path:
            return False
        if any(part.element.all(*_MOVING)):
            return True
        if self._written is None:
            self._written = self._read()
        beside = self._written[self._name(part.element)]
        written = {each.path for each in beside if self._is_certain(each, part)}
        return not self._is_whole(part.whole, written)

    def _read(self) -> dict[Name, list[_Part]]:
        written: dict[Name, list[_Part]] = {}
        body = self.typing.function.body
        for node in body.all("assignment_expression") if body is not None else ():
            part = self._split(node.need("left"))
            written.setdefault(self._name(part.element), []).append(part)
        return written

    def _name(self, element: Node) -> Name:
        meaning = self.typing.names.meaning
        leaves = [node for node in element.walk() if not node.children]
        return tuple(meaning.get(leaf) or self.typing.spelling(leaf) for leaf in leaves)

    def _split(self, lvalue: Node) -> _Part:
        """`p[i]`, its member `a.x` and its type, of `p[i].a.x`."""
        node, path, statement = lvalue, Path(), _statement(lvalue)
        type_ = self.typing.type_of(node)
        while True:
            argument = node.child("argument")
            if node.kind == "parenthesized_expression" and len(node.named_children) == 1:
                node = node.named_children[0]
            elif (cast := _cast_value(node, self.typing.text)) is not None:
                found, type_ = self.typing.type_of(node), self.typing.type_of(cast)
                if found is None or type_ is None or is_part(found, type_, self.typing):
                    path = (_SOME, *path)
                node = cast
            elif node.kind == "field_expression" and argument is not None:
                node, path = argument, (self.typing.spelling(node.need("field")), *path)
                type_ = self.typing.type_of(node)
                if type_ is not None and type_.is_pointer:  # p->x
                    return _Part(node, path, type_.element, statement)
            elif node.kind == "subscript_expression" and argument is not None and self._is_row(argument):
                index, statement = self._index(node, statement)
                node, path = argument, (index, *path)
            else:
                return _Part(node, path, type_, statement)

    def _is_row(self, node: Node) -> bool:
        """Whether an expression is an array inside of a record."""
        type_ = self.typing.type_of(node)
        while node.kind == "subscript_expression":
            node = node.need("argument")
        return node.kind == "field_expression" and type_ is not None and type_.is_array

    def _index(self, subscript: Node, statement: Node) -> tuple[str, Node]:
        """An index as a part of a path: a number, or all where a loop counts through the array."""
        (index,) = subscript.need("indices").named_children
        number = constant(index, self.typing)
        if number is not None:
            return f"[{number}]", statement
        row = self.typing.type_of(subscript.need("argument"))
        loop = full_loop(index, row.dimensions[0], statement, self.typing) if row is not None else None
        return (_ALL, loop) if loop is not None else (_SOME, statement)

    def _is_certain(self, other: _Part, part: _Part) -> bool:
        """Whether wherever one part is written, the other one is, of the same element."""
        if other.statement is part.statement:
            return True
        block = other.statement.parent
        around: Node | None = part.statement
        while around is not None and around.parent is not block:
            around = around.parent
        if block is None or block.kind not in _BLOCKS or around is None:
            return False
        start = min(around.start, other.statement.start)
        end = max(around.end, other.statement.end)
        named = {self.typing.names.meaning.get(node) for node in part.element.all("identifier")}
        moved = (c for v in named if v is not None for c in changes(v, self.typing))
        if any(start <= change.start < end for change in moved):
            return False
        leaving = (n for n in block.all(*_LEAVING) if part.statement.start < n.start < other.statement.start)
        return next(leaving, None) is None

    def _is_whole(self, type_: Type | None, written: set[Path]) -> bool:
        if () in written:
            return True
        if not written or type_ is None:
            return False
        if type_.is_array:
            return self._is_row_whole(type_, written)
        members = self._members(type_)
        return bool(members) and all(
            self._is_whole(member, _below(name, written)) for name, member in members.items()
        )

    def _is_row_whole(self, type_: Type, written: set[Path]) -> bool:
        inner, extent = Type(type_.base, type_.shape[1:]), type_.dimensions[0]
        if self._is_whole(inner, _below(_ALL, written)):
            return True
        return extent.isdecimal() and all(
            self._is_whole(inner, _below(f"[{i}]", written)) for i in range(int(extent))
        )

    def _members(self, type_: Type) -> dict[str, Type]:
        """The members of a record or the lanes of a vector by name; none where they are not known."""
        type_ = self.typing.alias(type_)
        record = self.typing.declared.record(type_)
        return dict(lanes(type_.base)) if record is None else _fields(record, self.typing.text)


def _fields(record: Record, text: str) -> dict[str, Type]:
    found = {name: type_ for base in record.bases for name, type_ in _fields(base, text).items()}
    for name, field in record.fields.items():
        if "static" not in qualifiers(field.holder, text):
            found[name] = field.type
    return found


def _below(step: str, written: set[Path]) -> set[Path]:
    return {path[1:] for path in written if path and path[0] == step}


def _cast_value(node: Node, text: str) -> Node | None:
    """`x` of `reinterpret_cast<T&>(x)`."""
    arguments = node.child("arguments") if node.kind == "call_expression" else None
    value = next(iter(arguments.named_children), None) if arguments is not None else None
    return value if value is not None and cast_as_lvalue(text, value) is not None else None


def _statement(lvalue: Node) -> Node:
    """The statement that an assignment is, also in a row of them (`a = b = 0`, `a = 0, b = 0`); itself elsewhere."""
    node = lvalue
    while node.parent is not None and node.parent.kind in (
        "assignment_expression",
        "comma_expression",
        "parenthesized_expression",
        "field_expression",
        "subscript_expression",
    ):
        node = node.parent
    parent = node.parent
    return parent if parent is not None and parent.kind == "expression_statement" else node


def is_part(written: Type, whole: Type, typing: Typing) -> bool:
    """Whether a value of one type covers a part of an element of another: a float of a float4. Types that nobody
    knows, such as a template's, cover what they are said to point to."""
    written, whole = typing.alias(written), typing.alias(whole)
    if written.shape or whole.shape or written.base == whole.base:
        return False
    size, room = size_in_bytes(written.base), size_in_bytes(whole.base)
    if typing.declared.record(whole) is not None:
        return size is not None or typing.declared.record(written) is not None
    return size is not None and room is not None and size < room
