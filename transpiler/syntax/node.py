"""A thin view of the syntax tree: plain Python objects, since the renderer visits every node several times."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tree_sitter


class Tree:
    """One unit's nodes in source order. A node and all below it stand next to each other: `nodes[index:after]`."""

    def __init__(self) -> None:
        self.nodes: list[Node] = []
        self.places: defaultdict[str, list[int]] = defaultdict(list)  # kind → indices, in order

    def root(self, raw: "tree_sitter.Node", kinds: "Kinds") -> "Node":
        """Read a tree of tree-sitter's, and give its root."""
        cursor = raw.walk()
        nodes, places = self.nodes, self.places
        above: Node | None = None
        siblings: list[Node] = []
        broken = raw.has_error
        index = 0
        while (at := cursor.node) is not None:
            node = Node()
            kind, node.named = kinds[at.kind_id]
            node.kind = kind
            node.start, node.end = at.byte_range
            node.broken = broken and at.has_error
            node.parent = above
            node.field = cursor.field_name
            node.children = _NONE
            node.tree = self
            node.index = index
            siblings.append(node)
            nodes.append(node)
            places[kind].append(index)
            node.after = index = index + 1
            if cursor.goto_first_child():
                node.children = siblings = []
                above = node
                continue
            while not cursor.goto_next_sibling():
                if above is None or not cursor.goto_parent():
                    return nodes[0]
                above.after = index
                above = above.parent
                siblings = above.children if above is not None else []
        raise LookupError("a tree without nodes")


Kinds = Mapping[
    int, tuple[str, bool]
]  # tree-sitter's number of a kind → its name, whether it is no mere token

_NONE: "list[Node]" = []  # of all leaves


class Node:
    """One node. `start`/`end` are character offsets into the unit's text; `children` holds tokens as well."""

    # No __init__: its call would be half of the work that a node is.
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
    kind: str
    start: int
    end: int
    named: bool
    broken: bool  # a syntax error here or below
    parent: "Node | None"
    field: str | None
    children: "list[Node]"
    tree: Tree
    index: int
    after: int

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
