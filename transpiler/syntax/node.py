"""A thin view of the syntax tree: plain Python objects, since the renderer visits every node several times."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from sys import intern
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tree_sitter


class Tree:
    """One unit's nodes in source order. A node and all below it stand next to each other: `nodes[index:after]`."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.places: defaultdict[str, list[int]] = defaultdict(list)  # kind → indices, in order

    def root(self, raw: "tree_sitter.Node") -> "Node":
        """Read a tree of tree-sitter's, and give its root."""
        cursor = raw.walk()
        nodes, places = self.nodes, self.places
        above: Node | None = None
        index = 0
        while (at := cursor.node) is not None:
            node = Node(self, at, above, cursor.field_name, index)
            if above is not None:
                above.children.append(node)
            nodes.append(node)
            places[node.kind].append(index)
            index = node.after
            if cursor.goto_first_child():
                node.children = []
                above = node
                continue
            while not cursor.goto_next_sibling():
                if above is None or not cursor.goto_parent():
                    return nodes[0]
                above.after = index
                above = above.parent
        raise LookupError("a tree without nodes")


_NONE: "list[Node]" = []  # of all leaves


class Node:
    """One node. `start`/`end` are character offsets into the unit's text; `children` holds tokens as well."""

    __slots__ = (
        "after",
        "broken",
        "children",
        "end",
        "field",
        "index",
        "kind",
        "named",
        "parent",
        "start",
        "tree",
    )

    def __init__(
        self, tree: Tree, raw: "tree_sitter.Node", parent: "Node | None", field: str | None, index: int
    ) -> None:
        self.kind = intern(raw.type)  # one string per kind
        self.start: int = raw.start_byte
        self.end: int = raw.end_byte
        self.named: bool = raw.is_named
        self.broken: bool = raw.has_error  # a syntax error here or below
        self.parent = parent
        self.field = field
        self.children = _NONE
        self.tree = tree
        self.index = index
        self.after = index + 1

    @property
    def named_children(self) -> "list[Node]":
        return [c for c in self.children if c.named and c.kind != "comment"]

    def child(self, field: str) -> "Node | None":
        for child in self.children:
            if child.field == field:
                return child
        return None

    def fields(self, field: str) -> "list[Node]":
        return [c for c in self.children if c.field == field]

    def need(self, field: str) -> "Node":
        """The child in a field that the grammar always fills."""
        for child in self.children:
            if child.field == field:
                return child
        raise LookupError(f"{self.kind} has no {field}")

    def first(self, *kinds: str) -> "Node | None":
        for child in self.children:
            if child.kind in kinds:
                return child
        return None

    def all(self, *kinds: str) -> "Iterator[Node]":
        """Every node of these kinds below (and including) this one, in source order."""
        found: list[int] = []
        for kind in kinds:
            places = self.tree.places.get(kind, ())
            found += places[bisect_left(places, self.index) : bisect_left(places, self.after)]
        if len(kinds) > 1:
            found.sort()
        nodes = self.tree.nodes
        return (nodes[index] for index in found)

    def walk(self) -> "list[Node]":
        """Every node below (and including) this one, in source order."""
        return self.tree.nodes[self.index : self.after]

    def above(self, *kinds: str) -> "Node | None":
        """The nearest node of one of these kinds that contains this one."""
        node = self.parent
        while node is not None and node.kind not in kinds:
            node = node.parent
        return node

    def __repr__(self) -> str:
        return f"<{self.kind} {self.start}..{self.end}>"
