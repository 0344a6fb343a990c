"""Inline PTX: the text between the quotes of an asm statement as a list of statements."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from cu2mlx import grammars

if TYPE_CHECKING:
    from lark import Token, Tree


class PtxSyntaxError(ValueError):
    """PTX outside the grammar; the message quotes what could not be read."""


@dataclass(frozen=True, slots=True)
class Name:
    """A register, an operand of the asm statement ("%0", "%[x]") or a special register ("%laneid")."""

    text: str
    negated: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """A literal as written: "5", "0x1f", "0f3F800000"."""

    text: str


@dataclass(frozen=True, slots=True)
class Vector:
    """`{a, b}`."""

    items: tuple["Name | Number", ...]


@dataclass(frozen=True, slots=True)
class Memory:
    """`[a+16]`."""

    address: "Name | Number"
    offset: "Name | Number | None" = None


@dataclass(frozen=True, slots=True)
class Pair:
    """`p|q`: two results."""

    first: "Name | Number"
    second: "Name | Number"


Operand = Name | Number | Vector | Memory | Pair


@dataclass(frozen=True, slots=True)
class Registers:
    """`.reg .b32 a, b<3>;` with the names spelt out."""

    type: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Instruction:
    """`@!p opcode a, b, c;`. `opcode` has its modifiers: ("ld", "global", "v4", "u32")."""

    opcode: tuple[str, ...]
    operands: tuple[Operand, ...]
    guard: Name | None = None

    @property
    def name(self) -> str:
        return ".".join(self.opcode)


@dataclass(frozen=True, slots=True)
class Label:
    name: str


Statement = Registers | Instruction | Label


@lru_cache(maxsize=512)
def parse_ptx(text: str) -> tuple[Statement, ...]:
    """The statements of a template, blocks flattened. Raises PtxSyntaxError."""
    from lark.exceptions import UnexpectedInput

    try:
        tree = grammars.load("ptx").parse(text)
    except UnexpectedInput as error:
        context = text[max(error.pos_in_stream or 0, 0) :].strip().split("\n")[0][:40]
        raise PtxSyntaxError(f"cannot read the PTX at: {context or 'its end'}") from error
    return tuple(_statements(tree.children))


def _statements(nodes: "Sequence[Token | Tree[Token]]") -> list[Statement]:
    found: list[Statement] = []
    for node in nodes:
        if isinstance(node, str):
            continue
        if node.data == "block":
            found += _statements(node.children)
        elif node.data == "registers":
            kind, *declared = node.children
            names = [name for each in _trees(declared) for name in _declared(each)]
            found.append(Registers(str(kind).removeprefix("."), tuple(names)))
        elif node.data == "label":
            found.append(Label(str(node.children[0])))
        elif node.data == "instruction":
            found.append(_instruction(node))
    return found


def _trees(nodes: "Sequence[Token | Tree[Token]]") -> "list[Tree[Token]]":
    return [node for node in nodes if not isinstance(node, str)]


def _declared(node: "Tree[Token]") -> list[str]:
    """`r<3>` declares r0, r1, r2."""
    name = _plain(str(node.children[0]))
    if len(node.children) == 1:
        return [name]
    return [f"{name}{i}" for i in range(int(str(node.children[1])))]


def _instruction(node: "Tree[Token]") -> Instruction:
    guard: Name | None = None
    opcode: tuple[str, ...] = ()
    operands: tuple[Operand, ...] = ()
    for child in node.children:
        if isinstance(child, str):
            opcode = tuple(str(child).split("."))
        elif child.data == "guard":
            register = _trees(child.children)[0]
            guard = Name(_plain(str(register.children[0])), negated=len(child.children) > 1)
        else:
            operands = tuple(_operand(each) for each in _trees(child.children))
    return Instruction(opcode, operands, guard)


def _operand(node: "Tree[Token]") -> Operand:
    if node.data == "vector":
        return Vector(tuple(_atom(each) for each in _trees(node.children)))
    if node.data == "pair":
        first, second = _trees(node.children)
        return Pair(_atom(first), _atom(second))
    if node.data == "memory":
        address, *offset = _trees(node.children)
        return Memory(_atom(address), _offset(offset[0]) if offset else None)
    return _atom(node)


def _offset(node: "Tree[Token]") -> Name | Number:
    child = node.children[0]
    return Number(str(child).replace(" ", "")) if isinstance(child, str) else _atom(child)


def _atom(node: "Tree[Token]") -> Name | Number:
    if node.data == "number":
        return Number(str(node.children[0]))
    if node.data == "negated":
        return Name(_plain(str(_trees(node.children)[0].children[0])), negated=True)
    return Name(_plain(str(node.children[0])))


def _plain(name: str) -> str:
    """A name with at most one percent sign."""
    return name[1:] if name.startswith("%%") else name
