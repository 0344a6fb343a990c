"""A loop that begins by filling registers from memory: with what the next time round needs, before it is needed.

                                              struct Ahead { float part[4]; };
                                              Ahead ahead;
                                              { int i = START; if (CONDITION) { ahead.part[…] = x[… i …]; } }
    for (int i = START; CONDITION; UPDATE) {  for (int i = START; CONDITION; UPDATE) {
        float part[4];                            const Ahead now = ahead;
        part[…] = x[… i …];              →        { int i_ = i; int i = i_; UPDATE;
        … part[…] …                                 if (CONDITION) { ahead.part[…] = x[… i …]; } }
    }                                             … now.part[…] …
                                              }

Loads are then on their way while the last ones are used, for twice the registers. They may come earlier: they read
through constant pointers only, the rest of the loop writes to no device memory, and changes nothing that they, the
condition or the update depend on. No load happens that did not before.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cu2mlx.refine.propose.rewrites.calls import called_name, definitions
from cu2mlx.refine.propose.rewrites.loops import Head, head_of, indentation, start_of
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Rewrite
from cu2mlx.refine.propose.rewrites.terms import (
    assigned,
    declaration_of,
    declarations,
    declared_names,
    fresh,
    is_device_pointer,
    names,
    statements,
    uses,
)
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node

_PURE = frozenset({"min", "max", "clamp", "select", "static_cast", "reinterpret_cast", "as_type"})
_JUMPS = ("break_statement", "return_statement", "goto_statement")
_WORDS = ("comment", "preproc_call")  # between statements


@dataclass(frozen=True, slots=True)
class Filled:
    """`declared`: the registers, as the loop's body begins with them; `fill`: the statements that load them, together
    with the comments and pragmas before them the text from `declared`'s end to `end`."""

    head: Head
    declared: tuple[Node, ...]
    registers: frozenset[str]
    fill: tuple[Node, ...]
    rest: tuple[Node, ...]

    @property
    def end(self) -> int:
        return self.fill[-1].end


def edits(program: Program) -> Iterator[Edit]:
    for node in program.root.all("for_statement"):
        filled = _filled(program, node)
        if filled is not None and start_of(program, node) == node.start and _may_load_ahead(program, filled):
            yield Edit(node.start, node.end, _replacement(program, filled))


def _filled(program: Program, node: Node) -> Filled | None:
    head, function = head_of(program, node), node.above("function_definition")
    if head is None or function is None or head.body.kind != "compound_statement":
        return None
    inside = [each for each in statements(head.body) if each.kind not in _WORDS]
    count = next((at for at, each in enumerate(inside) if not _is_room(each)), len(inside))
    registers = {name for each in inside[:count] for name in declared_names(program, each)}
    end = count
    while end < len(inside) and _fills(program, inside[end], registers, head.variable):
        end += 1
    if end == count or any(len(declarations(program, each, function)) != 1 for each in registers):
        return None
    return Filled(
        head, tuple(inside[:count]), frozenset(registers), tuple(inside[count:end]), tuple(inside[end:])
    )


def _is_room(statement: Node) -> bool:
    """A declaration of variables without values."""
    return statement.kind == "declaration" and all(
        each.kind != "init_declarator" for each in statement.fields("declarator")
    )


def _fills(program: Program, statement: Node, registers: set[str], variable: str) -> bool:
    """Whether a statement sets registers to what it reads through constant pointers, and does nothing else."""
    own = _own(program, statement)
    changed = assigned(program, statement)
    others = names(program, statement) - registers - own - {variable}
    return (
        bool(changed & registers)
        and changed <= registers | own
        and not any(statement.all(*_JUMPS, "continue_statement"))
        and all(_is_pure(program, each, ()) for each in statement.all("call_expression"))
        and all(_is_constant_source(program, name, statement) for name in others)
    )


def _own(program: Program, statement: Node) -> set[str]:
    """What a statement declares."""
    return {name for each in statement.all("declaration") for name in declared_names(program, each)}


def _is_pure(program: Program, call: Node, inside: Sequence[str]) -> bool:
    """Whether a call neither changes anything but its result nor has to do with other threads."""
    name = program.of(called_name(call))
    if name in _PURE:
        return True
    known = definitions(program, name)
    return (
        bool(known)
        and name not in inside
        and not any(_writes_memory(program, each) for each in known)
        and all(
            _is_pure(program, each, (*inside, name))
            for function in known
            for each in function.all("call_expression")
        )
    )


def _is_constant_source(program: Program, name: str, place: Node) -> bool:
    """A number, or a pointer into device memory that cannot be written through."""
    declared = declaration_of(program, name, place)
    if declared is None:  # a function or a template's parameter; a buffer would stand with an index
        return all(use.field != "argument" for use in uses(program, name, place))
    if is_device_pointer(program, declared, name):
        return "const" in program.of(declared).split()
    return not any(declared.all("pointer_declarator", "array_declarator", "reference_declarator"))


def _may_load_ahead(program: Program, filled: Filled) -> bool:
    head, fill, rest = filled.head, filled.fill, filled.rest
    control = names(program, head.condition) | names(program, head.update)
    own = set().union(*(_own(program, each) for each in fill))
    read = set().union(*(names(program, each) for each in fill)) - own
    changed = set().union(*(assigned(program, each) for each in rest))
    parts = (head.start, head.condition, head.update)
    return (
        assigned(program, head.update) == {head.variable}
        and not any(any(each.all("call_expression")) for each in parts)
        and not changed & (control | read | {head.variable})
        and not own & (control | {head.variable})
        and not any(_is_visible(program, name, head.node) for name in own)
        and any(_is_buffer(program, name, head.body) for name in read)
        and all(_leaves_memory(program, each) for each in rest)
    )


def _is_buffer(program: Program, name: str, place: Node) -> bool:
    declared = declaration_of(program, name, place)
    return declared is not None and is_device_pointer(program, declared, name)


def _is_visible(program: Program, name: str, place: Node) -> bool:
    """Whether a variable of this name is in scope where a statement begins."""
    function = place.above("function_definition")
    for each in [] if function is None else declarations(program, name, function):
        scope = each.above("compound_statement", "for_statement", "function_definition")
        if scope is not None and each.start < place.start and place.start < scope.end:
            return True
    return False


def _leaves_memory(program: Program, statement: Node) -> bool:
    """Whether a statement surely writes to no device memory, waits for no other thread, and does not leave the loop."""
    if any(statement.all(*_JUMPS)):
        return False
    inside = list(statement.all("declaration"))
    for name in assigned(program, statement):
        own = next((each for each in inside if name in declared_names(program, each)), None)
        declared = own or declaration_of(program, name, statement)
        if (
            declared is None
            or _writes_memory(program, declared)
            or program.of(declared.need("type")) == "auto"
        ):
            return False
    for call in statement.all("call_expression"):
        name = program.of(called_name(call))
        if any(word in name for word in ("atomic", "barrier", "fence")):
            return False
        if any(_writes_memory(program, each) for each in definitions(program, name)):
            return False
    return True


def _writes_memory(program: Program, node: Node) -> bool:
    """Whether a declaration, or a function with the record around it, speaks of device memory that is not constant."""
    record = node.above("struct_specifier", "class_specifier") if node.kind == "function_definition" else None
    whole = node if record is None else record
    before = program.text[: whole.start].rstrip()  # a space that is the first word is not in the tree
    text = f"{before[-len('device') :]} {program.of(whole)}"
    words = text.replace("const device", "").replace("device const", "")
    return "device" in words or "inout" in words


def _replacement(program: Program, filled: Filled) -> str:
    head = filled.head
    _, indent = indentation(program, head.node)
    record, ahead, now = (fresh(program, each) for each in ("Ahead", "ahead", "now"))
    last = fresh(program, f"last_{head.variable}")
    condition, update = program.of(head.condition), program.of(head.update)
    room = " ".join(program.of(each) for each in filled.declared)
    begin = filled.declared[-1].end
    fill = _renamed(program, filled, begin, filled.end, ahead)
    rest = _renamed(program, filled, filled.end, head.body.end, now)
    first = program.text[head.node.start : head.body.start].rstrip()
    return f"""struct {record} {{ {room} }};
{indent}{record} {ahead};
{indent}{{
{indent}    {head.type} {head.variable} = {program.of(head.start)};
{indent}    if ({condition}) {{{fill}
{indent}    }}
{indent}}}
{indent}{first} {{
{indent}    const {record} {now} = {ahead};
{indent}    const {head.type} {last} = {head.variable};
{indent}    {{
{indent}        {head.type} {head.variable} = {last};
{indent}        {update};
{indent}        if ({condition}) {{{fill}
{indent}        }}
{indent}    }}{rest}"""


def _renamed(program: Program, filled: Filled, start: int, end: int, record: str) -> str:
    """A part of the loop with the registers of a record."""
    pieces, position = [], start
    for use in filled.head.body.all("identifier"):
        if start <= use.start < end and program.of(use) in filled.registers:
            pieces += [program.text[position : use.start], f"{record}."]
            position = use.start
    return "".join([*pieces, program.text[position:end]])


LOADS_AHEAD = Rewrite(
    title="loads ahead",
    description="load what the next time round a loop needs while this one's is used",
    score=0.58,
    difficulty=2,
    gain=1.15,
    edits=edits,
)
