"""A candidate as one text with one syntax tree: its header, and its body as a function after it.

Metal is C++ but for its address spaces. They are blanked for the parser, so that a place in the tree is the same
place in the text.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from cu2mlx.refine.candidate import Candidate
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node, parse

_OPENING, _CLOSING = "void kernel_body() {\n", "}\n"
_SPACES = re.compile(r"\b(?:device|constant|threadgroup|thread)\b")


@dataclass(frozen=True)
class Program:
    """`functions` are all function bodies, the kernel's last; `block`: its extents in threads, as expressions."""

    candidate: Candidate
    text: str
    root: Node
    block: tuple[str, ...]

    @property
    def functions(self) -> list[Node]:
        return [each.need("body") for each in self.root.all("function_definition") if each.child("body")]

    @property
    def body(self) -> Node:
        """The block of the kernel itself."""
        return self.functions[-1]

    def of(self, node: Node) -> str:
        """The source of a node, address spaces included."""
        return self.text[node.start : node.end]

    def squeezed(self, node: Node) -> str:
        """The source of a node without any white space, to be compared with."""
        return "".join(self.of(node).split())

    def edited(self, edits: Iterable[Edit]) -> Candidate:
        """With all edits made that do not reach into another."""
        header = len(self.candidate.header)
        made = list(_apart(edits))
        before = [each for each in made if each.end <= header]
        shift = header + len(_OPENING)
        after = [
            Edit(each.start - shift, each.end - shift, each.text) for each in made if each.start >= shift
        ]
        assert len(before) + len(after) == len(made), "an edit reaches from the header into the body"
        return replace(
            self.candidate,
            header=_apply(self.candidate.header, before),
            body=_apply(self.candidate.body, after),
        )


def read(candidate: Candidate, block: tuple[str, ...] = ()) -> Program:
    text = f"{candidate.header}{_OPENING}{candidate.body}{_CLOSING}"
    return Program(candidate, text, _tree(text), candidate.block or block)


@lru_cache(maxsize=32)
def _tree(text: str) -> Node:
    plain = text.encode("ascii", "replace").decode()
    return parse(_SPACES.sub(lambda match: " " * len(match[0]), plain))


def _apart(edits: Iterable[Edit]) -> Iterator[Edit]:
    """Insertions before what they stand in front of; of two that overlap, the first."""
    end = 0
    for edit in sorted(edits, key=lambda edit: (edit.start, edit.end)):
        if edit.start >= end:
            yield edit
            end = edit.end


def _apply(text: str, edits: Iterable[Edit]) -> str:
    pieces, position = [], 0
    for edit in edits:
        pieces += [text[position : edit.start], edit.text]
        position = edit.end
    return "".join([*pieces, text[position:]])
