"""A thin view of the syntax tree: plain Python objects, since the renderer visits every node several times."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tree_sitter


class Node:
    """One node. `start`/`end` are character offsets into the unit's text; `children` holds tokens as well.

    Function bodies are built when first asked for: host code is never visited.
    """

    __slots__ = ("_children", "_raw", "broken", "end", "field", "kind", "named", "parent", "start")

    def __init__(self, raw: "tree_sitter.Node", parent: "Node | None", field: str | None) -> None:
        self.kind: str = raw.type
        self.start: int = raw.start_byte
        self.end: int = raw.end_byte
        self.named: bool = raw.is_named
        self.broken: bool = raw.has_error  # a syntax error here or below
        self.parent = parent
        self.field = field
        self._raw: tree_sitter.Node | None = raw
        self._children: list[Node] = []

    @property
    def children(self) -> "list[Node]":
        raw = self._raw
        if raw is not None:
            self._raw = None
            if raw.child_count:
                cursor = raw.walk()
                cursor.goto_first_child()
                append = self._children.append
                while True:
                    current = cursor.node
                    if current is not None:
                        append(Node(current, self, cursor.field_name))
                    if not cursor.goto_next_sibling():
                        break
        return self._children

    @property
    def named_children(self) -> "list[Node]":
        return [c for c in self.children if c.named and c.kind != "comment"]

    def child(self, field: str) -> "Node | None":
        for child in self._children if self._raw is None else self.children:
            if child.field == field:
                return child
        return None

    def fields(self, field: str) -> "list[Node]":
        return [c for c in self.children if c.field == field]

    def need(self, field: str) -> "Node":
        """The child in a field that the grammar always fills."""
        found = self.child(field)
        if found is None:
            raise LookupError(f"{self.kind} has no {field}")
        return found

    def first(self, *kinds: str) -> "Node | None":
        for child in self.children:
            if child.kind in kinds:
                return child
        return None

    def all(self, *kinds: str) -> "Iterator[Node]":
        """Every node of these kinds below (and including) this one, in source order."""
        for node in self.walk():
            if node.kind in kinds:
                yield node

    def walk(self) -> "Iterator[Node]":
        """Every node below (and including) this one, in source order."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            children = node._children if node._raw is None else node.children
            if children:
                stack += children[::-1]

    def above(self, *kinds: str) -> "Node | None":
        """The nearest node of one of these kinds that contains this one."""
        node = self.parent
        while node is not None and node.kind not in kinds:
            node = node.parent
        return node

    def __repr__(self) -> str:
        return f"<{self.kind} {self.start}..{self.end}>"
