"""Reading and writing the operands of inline PTX as Metal expressions."""

import re
import struct
from dataclasses import dataclass, field

from cu2mlx.transpiler.model.assembly import AsmOperand, shared_pointer
from cu2mlx.transpiler.model.declarations import Space
from cu2mlx.transpiler.model.types import canonical
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.names import attribute, safe_name
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.syntax.ptx import Memory, Name, Number, Operand
from cu2mlx.transpiler.tables.index import HANDED
from cu2mlx.transpiler.tables.ptx import INTEGERS, SPECIAL, UNSIGNED, WIDTHS
from cu2mlx.transpiler.tables.types import TYPES

_CONSTRAINTS = {"h": "ushort", "r": "uint", "l": "ulong", "f": "float", "b": "bool"}
_SIMPLE = re.compile(r"[\w:]+(?:[.\[][\w.]+\]?)*|\w[\w:]*(?:<[\w ]*>)?\([^()]*\)")
_SUFFIXES = {"uint": "u", "ulong": "ul", "long": "l", "int": ""}


class Untranslatable(Exception):
    """An instruction, or a form of it, that Metal does not get."""

    def __init__(self, reason: str, code: str = "CU3502") -> None:
        super().__init__(reason)
        self.code = code


@dataclass(slots=True)
class Place:
    """Where a value stands: an operand of the asm statement or a register of its own. `type` is Metal's."""

    text: str
    type: str | None
    node: Node | None = None  # the operand's expression
    pointer: bool = False


@dataclass(slots=True)
class Block:
    """The statements of one asm statement while they are made."""

    context: Context
    places: dict[str, Place] = field(default_factory=dict)
    declared: dict[str, str] = field(default_factory=dict)  # local → type, until its first value
    lines: list[str] = field(default_factory=list)
    loaded: int = 0
    instruction_node: Node | None = None  # where diagnostics point

    def place(self, name: str) -> Place:
        if name not in self.places:
            raise Untranslatable(f"the register {name}")
        return self.places[name]

    def read(self, operand: Operand, want: str) -> str:
        """A source operand as an expression of Metal type `want`."""
        if isinstance(operand, Number):
            return literal(operand.text, want)
        if not isinstance(operand, Name):
            raise Untranslatable("a vector where one value is expected")
        if operand.text in SPECIAL:
            return converted(self._special(operand.text), "uint", want)
        place = self.place(operand.text)
        if place.pointer or not place.text:
            raise Untranslatable("an address as a number")
        self.require(place)
        text = converted(place.text, place.type, want)
        return f"!{bracketed(text)}" if operand.negated else text

    def write(self, operand: Operand, text: str, type_: str) -> None:
        """Give a destination operand a value of Metal type `type_`."""
        if not isinstance(operand, Name) or operand.negated:
            raise Untranslatable("a destination that is no register")
        if operand.text == "_":
            return
        place = self.place(operand.text)
        value = text if place.type is None else stored(text, type_, place.type)
        kind = self.declared.pop(place.text, None)
        self.lines.append(f"{kind} {place.text} = {value};" if kind else f"{place.text} = {value};")

    def require(self, place: Place) -> None:
        """Declare a register that is read before it has a value."""
        kind = self.declared.pop(place.text, None)
        if kind is not None:
            self.lines.append(f"{kind} {place.text};")

    def declare_rest(self) -> list[str]:
        """Declarations of registers that get their first value under a condition."""
        lines = [f"{type_} {name};" for name, type_ in self.declared.items()]
        self.declared.clear()
        return lines

    def _special(self, name: str) -> str:
        used = {
            n: attribute(self.context, index) for n, index in HANDED.items() if f"{{{n}}}" in SPECIAL[name]
        }
        return SPECIAL[name].format(**used)

    def address(self, memory: Operand, state: str, type_: str, *, write: bool = False) -> str:
        """A pointer to `type_` at a memory operand, in the address space that its pointer has."""
        if not isinstance(memory, Memory) or not isinstance(memory.address, Name):
            raise Untranslatable("an address that is no register")
        place = self.place(memory.address.text)
        text, space = self._pointer(place, state)
        offset = ""
        if memory.offset is not None:
            offset = f" + {self.read(memory.offset, 'int')}"
        if space is Space.INOUT:
            moved = f"({bracketed(text)}.template as<uchar>(){offset})" if offset else bracketed(text)
            return f"{moved}.template as<{type_}>()"
        words = str(space) if write or space is Space.READ else f"const {space}"
        if offset:
            text = f"({words} uchar*){bracketed(text)}{offset}"
        return f"({words} {type_}*){bracketed(text)}"

    def space(self, memory: Operand, state: str) -> Space:
        """The address space of a memory operand."""
        if not isinstance(memory, Memory) or not isinstance(memory.address, Name):
            raise Untranslatable("an address that is no register")
        return self._pointer(self.place(memory.address.text), state)[1]

    def _pointer(self, place: Place, state: str) -> tuple[str, Space]:
        context = self.context
        if place.pointer and place.node is not None:
            space = context.pointee(place.node) or Space.DEVICE
            expected = {"global": space in (Space.DEVICE, Space.READ, Space.INOUT, Space.CONSTANT)}
            if not expected.get(state, True) and space is not Space.THREAD:
                raise Untranslatable(f"a {state} access to {space} memory")
            return place.text, space
        found = shared_pointer(place.node, context.typing) if place.node is not None else None
        if found is None:
            raise Untranslatable("an address in an integer whose pointer is not in sight")
        return context.render(found), context.pointee(found) or Space.THREADGROUP

    def local(self, type_: str, text: str) -> str:
        """A new local with a value."""
        name = f"loaded{self.loaded or ''}"
        self.loaded += 1
        self.lines.append(f"{type_} {name} = {text};")
        return name


def operand_place(operand: AsmOperand, context: Context) -> Place:
    """An operand of the asm statement; its type is that of its expression where that is known."""
    if operand.constraint == "r" and shared_pointer(operand.value, context.typing) is not None:
        return Place("", None, operand.value)
    text = context.render(operand.value)
    found = context.typing.type_of(operand.value)
    pointer = context.typing.is_pointer(operand.value) or (
        found is not None and bool(found.shape) and not found.is_reference
    )
    if operand.constraint == "d":
        raise Untranslatable("an operand of type double", "CU3101")
    if operand.constraint not in ("n", "i", "C") and operand.constraint not in _CONSTRAINTS:
        raise Untranslatable(f'the constraint "{operand.constraint}"')
    row = TYPES.get(canonical(found.base)) if found is not None else None
    type_ = row.metal if row is not None and row.metal in WIDTHS else None
    expected = _CONSTRAINTS.get(operand.constraint)
    if not operand.writes:
        if (type_ is None and expected is not None and not pointer) or (
            type_ is not None and expected is not None and WIDTHS[type_] != WIDTHS[expected] and not pointer
        ):
            text, type_ = f"{expected}({text})", expected
        if type_ is None and expected is None:
            type_ = "int"
    return Place(text, type_, operand.value, pointer)


def register_name(name: str, taken: set[str]) -> str:
    """A PTX register as a local variable that hides nothing its operands mention."""
    plain = safe_name(re.sub(r"\W", "_", name.lstrip("%")))
    return f"{plain}_reg" if plain in taken else plain


def bracketed(text: str) -> str:
    return text if _SIMPLE.fullmatch(text) else f"({text})"


def converted(text: str, have: str | None, want: str) -> str:
    """A register's bits read as another type of an instruction."""
    if have == want:
        return bracketed(text)
    if want == "bool":
        return f"({bracketed(text)} != 0)"
    if have is None or (have in INTEGERS and want in INTEGERS) or have == "bool":
        return f"{want}({text})"
    if WIDTHS[have] == WIDTHS[want]:
        return f"as_type<{want}>({text})"
    raise Untranslatable(f"a register of type {have} used as {want}")


def stored(text: str, have: str, want: str) -> str:
    """A result as a register's type. Integers extend and truncate by themselves."""
    if have == want or have == "bool" or (have in INTEGERS and want in INTEGERS):
        return text
    if WIDTHS.get(have) == WIDTHS[want]:
        return f"as_type<{want}>({text})"
    if want in INTEGERS and WIDTHS.get(have, 64) < WIDTHS[want]:  # 16 bits in a wider register
        return f"as_type<ushort>({text})"
    raise Untranslatable(f"a result of type {have} in a register of type {want}")


def literal(text: str, want: str) -> str:
    """A PTX number as a Metal literal of type `want`."""
    if text[:2] in ("0f", "0F"):
        bits = int(text[2:], 16)
        value = struct.unpack("<f", struct.pack("<I", bits))[0]
        plain = want == "float" and value == value and abs(value) != float("inf")
        return f"{value!r}f" if plain else f"as_type<{want}>(0x{bits:08x}u)"
    if text[:2] in ("0d", "0D"):
        raise Untranslatable("a number of type double", "CU3101")
    if want in ("float", "half", "bfloat"):
        return f"{text}f" if "." in text or "e" in text else f"{text}.0f"
    number = text.rstrip("U")
    if want == "bool":
        return "false" if int(number, 0) == 0 else "true"
    if "." in number or want not in INTEGERS:
        raise Untranslatable(f"the number {text} as {want}")
    if number.startswith("-") and want in UNSIGNED.values():
        return f"{want}({number})"
    if want in _SUFFIXES:
        wide = want == "int" and int(number, 0) > 0x7FFFFFFF
        return f"int({number}u)" if wide else f"{number}{_SUFFIXES[want]}"
    return f"{want}({number})"
