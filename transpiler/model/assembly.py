"""asm statements: their template, their operands, what they do to memory, and addresses as integers."""

import re
from dataclasses import dataclass

from cu2mlx.transpiler.model.declarations import Function, Variable
from cu2mlx.transpiler.model.expressions import Typing, called_name, cast_target
from cu2mlx.transpiler.syntax import Node
from cu2mlx.transpiler.syntax.ptx import Instruction, PtxSyntaxError, parse_ptx

_ESCAPE = re.compile(r"\\(?:\n|(.))", re.DOTALL)
_TO_SHARED = "__cvta_generic_to_shared"
_OPERANDS = frozenset({"gnu_asm_output_operand", "gnu_asm_input_operand"})
_ATOMICS = {"add": "atomicAdd", "cas": "atomicCAS", "exch": "atomicExch"}


@dataclass(frozen=True, slots=True)
class AsmOperand:
    """`[name] "=r"(value)`."""

    name: str | None
    constraint: str  # the letter
    value: Node
    reads: bool
    writes: bool


def asm_operands(node: Node, text: str) -> list[AsmOperand]:
    """The operands of a gnu_asm_expression, numbered as %0, %1, …"""
    found: list[AsmOperand] = []
    for kind in ("gnu_asm_output_operand", "gnu_asm_input_operand"):
        for operand in node.all(kind):
            written = kind == "gnu_asm_output_operand"
            literal = operand.first("string_literal")
            named = [c for c in operand.named_children if c.kind != "comment"]
            assert literal is not None
            words = text[literal.start : literal.end].strip('"')
            before = [text[c.start : c.end] for c in named if c.end <= literal.start]
            reads = not written or "+" in words
            found.append(
                AsmOperand(before[0] if before else None, words.lstrip("=+&"), named[-1], reads, written)
            )
    return found


def asm_template(node: Node, text: str) -> str | None:
    """The PTX between the quotes, None where it is not written out (a macro, R"(…)")."""
    literals: list[str] = []
    for child in node.children:
        if child.kind in ("string_literal", "concatenated_string"):
            parts = list(child.all("string_literal")) if child.kind != "string_literal" else [child]
            if len(parts) != len([c for c in child.named_children if c.kind != "comment"]) and len(parts) > 1:
                return None
            literals += [text[p.start : p.end] for p in parts]
    if not literals or not all(item.startswith('"') for item in literals):
        return None
    unescaped = (_ESCAPE.sub(_unescape, item[1:-1]) for item in literals)
    return "".join(unescaped)


def _unescape(match: re.Match[str]) -> str:
    return {"n": "\n", "t": "\t", "r": "\r", None: ""}.get(match[1], match[1] or "")


def memory_effects(node: Node, text: str) -> tuple[bool, bool, set[str], bool]:
    """What an asm statement does through its pointers: read, written, CUDA's atomics, atomic result used."""
    template = asm_template(node, text)
    try:
        statements = parse_ptx(template) if template is not None else ()
    except PtxSyntaxError:
        statements = ()
    roots = [s for s in statements if isinstance(s, Instruction)]
    atomics = {_atomic(s) for s in roots if s.opcode[0] in ("red", "atom")}
    written = any(s.opcode[0] == "st" for s in roots)
    read = any(s.opcode[0] == "ld" or s.opcode[:2] == ("cp", "async") for s in roots)
    return read, written, atomics, any(s.opcode[0] == "atom" for s in roots)


def _atomic(instruction: Instruction) -> str:
    return next((_ATOMICS[part] for part in instruction.opcode if part in _ATOMICS), "atomic")


def shared_pointer(node: Node, typing: Typing) -> Node | None:
    """The pointer whose address in threadgroup memory an integer expression is.

    It is followed through casts, locals that are set once and helpers that only convert.
    """
    if node.kind in ("parenthesized_expression", "cast_expression"):
        inner = node.child("value") or next(iter(node.named_children), None)
        return shared_pointer(inner, typing) if inner is not None else None
    if node.kind == "identifier":
        variable = typing.names.meaning.get(node)
        value = variable.initialiser if variable is not None else None
        if variable is None or value is None or _changes(variable, typing):
            return None
        found = shared_pointer(value, typing)
        return found if found is not None and not _parts_change(found, typing) else None
    if node.kind != "call_expression":
        return None
    arguments = node.need("arguments").named_children
    if not arguments:
        return None
    if cast_target(typing.text, node.need("function")) is not None:
        return shared_pointer(arguments[0], typing)
    name = called_name(typing.text, node.need("function"))
    helpers = typing.declared.functions.get(name, [])
    if name == _TO_SHARED or (helpers and all(converts_address(f, typing.text) for f in helpers)):
        return arguments[0]
    return None


def converts_address(function: Function, text: str) -> bool:
    """Whether a helper does nothing but return its pointer's address in shared memory."""
    body = function.body
    if body is None or len(function.parameters) != 1 or function.result.has_pointer:
        return False
    returned = next(iter(body.all("return_statement")), None)
    before = [c for c in body.named_children if c.kind not in ("comment",)]
    if returned is None or not before:
        return False
    first = before[0]
    if first is not returned and not first.kind.startswith("preproc"):
        return False
    called = [called_name(text, c.need("function")) for c in returned.all("call_expression")]
    return _TO_SHARED in called


def only_address(variable: Variable, typing: Typing) -> bool:
    """Whether a local holds an address in threadgroup memory that only asm statements use."""
    value = variable.initialiser
    if value is None or variable.type.shape or shared_pointer(value, typing) is None:
        return False
    uses = [n for n in typing.names.uses.get(variable, ()) if not _declares(n)]
    return all(n.parent is not None and n.parent.kind in _OPERANDS for n in uses)


def _declares(node: Node) -> bool:
    parent = node.parent
    return parent is not None and parent.kind == "init_declarator" and node.field == "declarator"


def _changes(variable: Variable, typing: Typing) -> bool:
    """Whether a local is assigned after its declaration."""
    for node in typing.names.uses.get(variable, ()):
        parent = node.parent
        if parent is None:
            continue
        if parent.kind == "assignment_expression" and node.field == "left":
            return True
        if parent.kind in ("update_expression", "gnu_asm_output_operand"):
            return True
    return False


def _parts_change(expression: Node, typing: Typing) -> bool:
    names = [typing.names.meaning.get(n) for n in expression.all("identifier")]
    return any(_changes(v, typing) for v in names if v is not None)
