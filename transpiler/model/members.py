"""Elements of memory that are written member by member, or lane by lane: whether any part is left as it was."""

from cu2mlx.transpiler.model.declarations import qualifiers
from cu2mlx.transpiler.model.expressions import Typing
from cu2mlx.transpiler.model.types import Type
from cu2mlx.transpiler.model.vectors import lanes
from cu2mlx.transpiler.syntax import Node

Path = tuple[str, ...]  # of members, outermost first; none for the whole element


class Parts:
    """What the assignments of one function write of each element that it names."""

    def __init__(self, typing: Typing) -> None:
        self.typing = typing
        self._written: dict[str, set[Path]] | None = None

    def leave_some(self, lvalue: Node) -> bool:
        """Whether an assignment to `v[i].y` leaves other parts of `v[i]`, and no other one writes those."""
        element, path, type_ = self._split(lvalue)
        if not path:
            return False
        if self._written is None:
            self._written = self._read()
        return not self._is_whole(type_, self._written[self._name(element)])

    def _read(self) -> dict[str, set[Path]]:
        """The paths that are assigned to in each element. Behind a member's address all others can be reached: it
        counts as the whole."""
        written: dict[str, set[Path]] = {}
        body = self.typing.function.body
        for node in body.all("assignment_expression", "pointer_expression") if body is not None else ():
            is_assigned = node.kind == "assignment_expression"
            if is_assigned or node.children[0].kind == "&":
                element, path, _ = self._split(node.need("left" if is_assigned else "argument"))
                written.setdefault(self._name(element), set()).add(path if is_assigned else ())
        return written

    def _name(self, element: Node) -> str:
        return "".join(self.typing.spelling(element).split())

    def _split(self, lvalue: Node) -> tuple[Node, Path, Type | None]:
        """`p[i]`, its member `a.x` and its type, of `p[i].a.x`; an array is written as a whole, round by round."""
        node: Node = lvalue
        path: Path = ()
        type_ = self.typing.type_of(node)
        while True:
            argument = node.child("argument")
            if node.kind == "parenthesized_expression" and len(node.named_children) == 1:
                node = node.named_children[0]
            elif node.kind == "field_expression" and argument is not None:
                node, path = argument, (self.typing.spelling(node.need("field")), *path)
                type_ = self.typing.type_of(node)
                if type_ is not None and type_.is_pointer:  # p->x
                    return node, path, type_.element
            elif (
                node.kind == "subscript_expression"
                and argument is not None
                and self._is_member_array(argument)
            ):
                node = argument
            else:
                return node, path, type_

    def _is_member_array(self, node: Node) -> bool:
        type_ = self.typing.type_of(node)
        while node.kind == "subscript_expression":
            node = node.need("argument")
        return node.kind == "field_expression" and type_ is not None and type_.is_array

    def _is_whole(self, type_: Type | None, written: set[Path]) -> bool:
        if () in written:
            return True
        members = self._members(type_) if written and type_ is not None else {}
        return bool(members) and all(
            self._is_whole(member, {path[1:] for path in written if path[0] == name})
            for name, member in members.items()
        )

    def _members(self, type_: Type) -> dict[str, Type]:
        """The members of a record or the lanes of a vector by name; none where they are not known."""
        type_ = self.typing.alias(type_)
        record = self.typing.declared.record(type_)
        if record is None:
            return dict(lanes(type_.base))
        return {
            name: field.type
            for name, field in record.fields.items()
            if "static" not in qualifiers(field.holder, self.typing.text)
        }
