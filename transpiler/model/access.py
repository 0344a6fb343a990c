"""What one expression does to the memory behind a pointer."""

from dataclasses import dataclass, field
from typing import NamedTuple

from cu2mlx.transpiler.model.declarations import Variable
from cu2mlx.transpiler.syntax import Node

_READERS = ("__ldg", "__ldcs", "__ldca", "__ldcg", "__ldlu", "__ldcv", "cub::Load")
_WRITERS = ("__stcs", "__stwt", "__stwb", "__stcg", "cub::Store")


@dataclass(slots=True)
class Access:
    """`owned` holds while every access is at the thread's own global linear index."""

    read: bool = False
    written: bool = False
    atomics: set[str] = field(default_factory=set)
    atomic_result_used: bool = False
    owned: bool = True

    def merge(self, other: "Access") -> None:
        self.read |= other.read
        self.written |= other.written
        self.atomics = self.atomics | other.atomics
        self.atomic_result_used |= other.atomic_result_used
        self.owned &= other.owned


class Site(NamedTuple):
    """One place that touches a buffer: a subscript, or a call that is given a pointer to it."""

    node: Node
    read: bool
    written: bool


def through_builtin(name: str, node: Node, root: Variable) -> Access:
    """What one of CUDA's functions does through a pointer."""
    if name.startswith("atomic"):
        statement = node.parent is not None and node.parent.kind == "expression_statement"
        return Access(atomics={name}, atomic_result_used=not statement, owned=False)
    if name in _READERS:
        return Access(read=True, owned=False)
    if name in _WRITERS:
        return Access(written=True, owned=False)
    return Access(read=True, written=not root.type.const, owned=False)
