"""Inline PTX as C++: every `asm` statement becomes a block that does the same to its operands.

An operand is a Register (64 bits, shim/cuda/ptx.h). What an instruction means is a row of ptx_table.py or a
form of ptx_forms.py.
"""

import re
from dataclasses import dataclass

from cu2mlx.runtime.cpu.cuda_text import blank_literals, find_closing, split_top_level
from cu2mlx.runtime.cpu.ptx_forms import UnknownInstructionError, statement
from cu2mlx.runtime.cpu.ptx_table import SPECIAL
from cu2mlx.runtime.msl.tokens import Edit, apply, line_of

# A constraint letter -> the C++ type of the register's content.
CONSTRAINTS = {
    "h": "uint16_t",
    "r": "uint32_t",
    "l": "uint64_t",
    "f": "float",
    "d": "double",
    "n": "uint64_t",
}

_ASM = re.compile(r"\b(?:asm|__asm__|__asm)\b(?:\s+(?:volatile|__volatile__))?\s*(?=\()")
_STRING = re.compile(r'"((?:\\.|[^"\\\n])*)"')
_OPERAND = re.compile(r'\s*(?:\[(\w+)\])?\s*"([=+&]*)(\w)"\s*\((.*)\)\s*$', re.DOTALL)
_DECLARATION = re.compile(r"\.reg\s+\.\w+\s+(.*)", re.DOTALL)
_INSTRUCTION = re.compile(r"(?:@(!?)([%$\w]+)\s+)?([a-z]\w*(?:\.[\w:]+)*)\s*(.*)", re.DOTALL)


@dataclass(frozen=True)
class Operand:
    """One operand of an asm statement: `type` is its register's content, `expression` its C++ text."""

    register: str
    type: str
    expression: str
    reads: bool
    writes: bool


def rewrite_asm(text: str) -> str:
    """Replace every asm statement.

    PTX that the table does not cover stops the run where it is executed, with its line: it may stand in a
    helper that this kernel never calls.
    """
    blanked = blank_literals(text)
    edits: list[Edit] = []
    for match in _ASM.finditer(blanked):
        closing = find_closing(blanked, match.end())
        try:
            block = _block(text[match.end() + 1 : closing])
        except UnknownInstructionError as unknown:
            reason = f"kernel.cu:{line_of(text, match.start())}: inline PTX: {unknown}"
            block = f"::engine::stop({_quoted(reason)})"
        edits.append(Edit(match.start(), closing + 1, block))
    return apply(text, edits)


def _quoted(reason: str) -> str:
    return '"' + re.sub(r'[\\"\n]', " ", reason) + '"'


def _block(inside: str) -> str:
    """The C++ block for what stands between the parentheses of one asm statement."""
    template, *sections = split_top_level(inside, ":")
    if blank_literals(template).replace("\\", "").strip():
        raise UnknownInstructionError("the template must be a plain string")
    ptx = "".join(_STRING.findall(template))
    ptx = re.sub(r"\\n|\\t|\\r", " \n", ptx).replace("\\", "")
    operands: list[Operand] = []
    names: dict[str, str] = {}
    for section, writes in zip(sections[:2], (True, False), strict=False):
        for part in split_top_level(section, ",") if section.replace("\\", "").strip() else []:
            operand, name = _operand(part, len(operands), writes)
            operands.append(operand)
            names |= {f"%{len(operands) - 1}": operand.register} | (
                {f"%[{name}]": operand.register} if name else {}
            )
    code = [
        f"::cudashim::ptx::Register {o.register}"
        + (f" = ::cudashim::ptx::in<{o.type}>({o.expression});" if o.reads else ";")
        for o in operands
    ]
    code += _statements(ptx, names, bool(operands))
    code += [f"::cudashim::ptx::out<{o.type}>({o.expression}, {o.register});" for o in operands if o.writes]
    return "do { " + " ".join(code) + " } while (0)"


def _operand(part: str, index: int, output: bool) -> tuple[Operand, str | None]:
    match = _OPERAND.match(part.replace("\\\n", "\n"))
    if match is None or match[3] not in CONSTRAINTS:
        raise UnknownInstructionError(f"cannot read the operand {part.strip()}")
    name, modifiers, letter, expression = match.groups()
    reads = not output or "+" in modifiers
    return Operand(f"ptx_{index}", CONSTRAINTS[letter], expression.strip(), reads, output), name


def _statements(ptx: str, names: dict[str, str], escaped: bool) -> list[str]:
    """C++ for the instructions; `escaped` says that %% stands for a percent sign."""
    ptx = re.sub(r"//[^\n]*|/\*.*?\*/", " ", ptx, flags=re.DOTALL)
    code: list[str] = []
    for piece in re.split(r"(?<=;)|(?<=\})(?!\s*[,;])", ptx):
        line = piece.strip().rstrip(";").strip()
        opened = 0
        while line.startswith("{"):
            line, opened = line[1:].strip(), opened + 1
        code += ["{"] * opened
        closed = 0
        while line.endswith("}") and line.count("}") > line.count("{"):
            line, closed = line[:-1].strip(), closed + 1
        if line:
            code.append(_statement(line, names, escaped))
        code += ["}"] * closed
    return code


def _statement(line: str, names: dict[str, str], escaped: bool) -> str:
    if declaration := _DECLARATION.fullmatch(line):
        registers = [name for part in declaration[1].split(",") for name in _declared(part.strip())]
        return "::cudashim::ptx::Register " + ", ".join(registers) + ";"
    match = _INSTRUCTION.fullmatch(line)
    if match is None:
        raise UnknownInstructionError(f"cannot read {line}")
    negated, guard, opcode, operands = match.groups()
    text = statement(opcode, [_resolve(o, names, escaped) for o in _split_operands(operands)])
    if guard is None:
        return text
    return f"if ({'!' if negated else ''}{_resolve(guard, names, escaped)}.bits) {{ {text} }}"


def _split_operands(operands: str) -> list[str]:
    return [part.strip() for part in split_top_level(operands, ",")] if operands.strip() else []


def _declared(name: str) -> list[str]:
    """`r<3>` declares r0, r1, r2."""
    if many := re.fullmatch(r"([%$\w]+)<(\d+)>", name):
        return [_identifier(f"{many[1]}{i}") for i in range(int(many[2]))]
    return [_identifier(name)]


def _identifier(name: str) -> str:
    return "ptx_" + re.sub(r"\W", "_", name.lstrip("%")) + "_"


def _resolve(operand: str, names: dict[str, str], escaped: bool) -> str:
    """Registers by their C++ names; special registers (%laneid, %tid.x) and numbers stay for the table."""

    def replace(match: re.Match[str]) -> str:
        token = match[0]
        if token in names:
            return names[token]
        special = "%" + token.lstrip("%")
        if token[0] == "%" and (special in SPECIAL or token[:2] == "%%" or not escaped):
            return special
        return token if token[0].isdigit() else _identifier(token)

    return re.sub(r"%\[\w+\]|%{0,2}[A-Za-z_$][\w$.]*|%\d+|\d[\w.]*", replace, operand)
