"""asm statements: inline PTX, by the table of instructions and a few forms; the rest is refused by its name."""

import re

from cu2mlx.transpiler.model.assembly import AsmOperand, asm_operands, asm_template, only_address
from cu2mlx.transpiler.model.declarations import Variable
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.rules.ptx_block import Block, Place, Untranslatable, operand_place, register_name
from cu2mlx.transpiler.rules.ptx_forms import form_of
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.syntax.ptx import (
    Instruction,
    Label,
    PtxSyntaxError,
    Registers,
    Statement,
    parse_ptx,
)
from cu2mlx.transpiler.tables.ptx import DROPPED, REFUSED, TYPES, UNSIGNED

_WORDS = re.compile(r"[A-Za-z_]\w*")
_STATEFUL = frozenset({"call_expression", "update_expression", "assignment_expression"})


def assembly(node: Node, context: Context) -> str | None:
    """The statements of one asm statement, without the last semicolon."""
    template = asm_template(node, context.text)
    if template is None:
        context.report("CU3502", node, name="asm", reason="its text is not written out here")
        return None
    try:
        statements = parse_ptx(template)
    except PtxSyntaxError as error:
        context.report("CU3502", node, name="asm", reason=str(error))
        return None
    try:
        lines = _lines(node, statements, context)
    except _Refused as refused:
        context.report(refused.code, node, name=refused.name, reason=refused.reason)
        return None
    return _laid_out(lines, node, context)


class _Refused(Exception):
    def __init__(self, name: str, error: Untranslatable) -> None:
        super().__init__(name)
        self.name, self.code, self.reason = name, error.code, str(error)


def _lines(node: Node, statements: tuple[Statement, ...], context: Context) -> list[str]:
    block = Block(context, instruction_node=node)
    instructions = [s for s in statements if isinstance(s, Instruction)]
    try:
        operands = asm_operands(node, context.text)
        places = _places(operands, block, several=len(instructions) > 1)
    except Untranslatable as error:
        raise _Refused("asm", error) from error
    block.places = places
    taken = set(_WORDS.findall(" ".join(place.text for place in places.values())))
    for statement in statements:
        name = statement.name if isinstance(statement, Instruction) else "asm"
        try:
            _statement(statement, block, taken)
        except Untranslatable as error:
            raise _Refused(name, error) from error
    return block.lines


def _places(operands: list[AsmOperand], block: Block, *, several: bool) -> dict[str, Place]:
    """%0, %1 … and their names. Where several instructions follow, an input that a result may change, or that
    does something itself, is read once, before them."""
    places: dict[str, Place] = {}
    results = {w for o in operands if o.writes for w in _WORDS.findall(block.context.source(o.value))}
    for index, operand in enumerate(operands):
        place = operand_place(operand, block.context)
        mentioned = set(_WORDS.findall(block.context.source(operand.value)))
        acts = any(n.kind in _STATEFUL for n in operand.value.walk())
        if operand.writes and acts and several:
            raise Untranslatable("a destination with side effects")
        if (
            several
            and place.text
            and not operand.writes
            and not place.pointer
            and (acts or mentioned & results)
        ):
            name = f"operand{index}"
            block.lines.append(f"{place.type or 'auto'} {name} = {place.text};")
            place = Place(name, place.type, operand.value)
        places[f"%{index}"] = place
        if operand.name is not None:
            places[f"%[{operand.name}]"] = place
    return places


def _statement(statement: Statement, block: Block, taken: set[str]) -> None:
    if isinstance(statement, Label):
        raise Untranslatable("a label")
    if isinstance(statement, Registers):
        if statement.type not in TYPES and statement.type not in ("f64", "b128"):
            raise Untranslatable(f"registers of type .{statement.type}")
        type_ = TYPES.get(statement.type, "")
        if not type_:
            raise Untranslatable(f"registers of type .{statement.type}", "CU3101")
        type_ = UNSIGNED.get(type_, "ushort" if type_ in ("half", "bfloat") else type_)
        for name in statement.names:
            spelled = register_name(name, taken)
            block.places[name] = Place(spelled, type_)
            block.declared[spelled] = type_
        return
    code = next((REFUSED[key] for key in _prefixes(statement) if key in REFUSED), None)
    if code is not None:
        raise Untranslatable("Metal has no such instruction", code)
    if any(key in DROPPED for key in _prefixes(statement)):
        assert block.instruction_node is not None
        block.context.report("CU4204", block.instruction_node, name=statement.name)
        block.lines.append(f"/* {statement.name} */")
        return
    if statement.guard is None:
        form_of(statement)(statement, block)
        return
    condition = block.read(statement.guard, "bool")
    block.lines += block.declare_rest()
    first = len(block.lines)
    form_of(statement)(statement, block)
    inside = block.lines[first:]
    block.lines[first:] = [f"if ({condition}) {{", *(f"    {line}" for line in inside), "}"]


def _prefixes(instruction: Instruction) -> list[str]:
    """`cp.async.bulk`, `cp.async`, `cp` of cp.async.bulk.…: the longest first."""
    parts = instruction.opcode
    return [".".join(parts[:length]) for length in range(min(3, len(parts)), 0, -1)]


def _laid_out(lines: list[str], node: Node, context: Context) -> str:
    """One statement as it is, several as a block; the semicolon behind the asm statement stays."""
    if len(lines) <= 1:
        return "".join(lines).removesuffix(";")
    start = context.text.rfind("\n", 0, node.start) + 1
    indent = re.match(r"[ \t]*", context.text[start : node.start])
    margin = "\n" + (indent[0] if indent is not None else "")
    return f"do {{{margin}    {f'{margin}    '.join(lines)}{margin}}} while (false)"


def is_address(variable: Variable, context: Context) -> bool:
    """A local that only asm statements use, for an address in threadgroup memory: Metal needs none."""
    return only_address(variable, context.typing)
