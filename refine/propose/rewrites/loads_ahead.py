"""A loop that begins by reading memory: it reads what the next time round needs while this one's is used.

                                              struct Ahead { float a, part[4]; } ahead;
                                              { int i = START; if (CONDITION) { ahead.a = x[i]; … } }
    for (int i = START; CONDITION; UPDATE) {  for (int i = START; CONDITION; UPDATE) {
        const float a = x[i];                     Ahead now = ahead;
        float part[4];                            { i of the next time; if (CONDITION) { ahead.a = x[i]; … } }
        for (…) part[…] = y[… i …];      →        … now.a … now.part[…] …
        … a … part[…] …                       }
    }

Loads are then on their way while the last ones are used, for twice the registers. They may come earlier: the rest of
the loop writes to none of the buffers that are read (a kernel's buffers are different ones; in a function, it writes to
none at all), waits for no other thread, and changes nothing that the loads, the condition or the update depend on. No
load happens that did not before. Loops that all threads share out are left to vectors: there are others to go on with.
"""

import textwrap
from collections.abc import Iterator
from dataclasses import dataclass

from cu2mlx.refine.propose.rewrites.effects import buffers_read, buffers_written, is_indexed_buffer, is_pure
from cu2mlx.refine.propose.rewrites.loops import Head, counting, head_of, indentation, start_of
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Rewrite
from cu2mlx.refine.propose.rewrites.terms import (
    assigned,
    declarations,
    declared_names,
    fresh,
    names,
    statements,
)
from cu2mlx.refine.propose.rewrites.thread_strides import is_of_grid, is_of_group
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node

_PLACES = frozenset({"constexpr", "static", "threadgroup"})  # of what is no variable of one time round
_NOT_OF_NUMBERS = ("call_expression", "subscript_expression", "pointer_expression")
_JUMPS = ("break_statement", "return_statement", "goto_statement")


@dataclass(frozen=True, slots=True)
class Begun:
    """A loop, the statements that it begins with and that may come earlier, the variables that these declare, and the
    other statements."""

    head: Head
    first: tuple[Node, ...]
    registers: frozenset[str]
    rest: tuple[Node, ...]


def edits(program: Program) -> Iterator[Edit]:
    for node in program.root.all("for_statement"):
        begun = None if _is_shared_out(program, node) else _begun(program, node)
        if begun is not None and start_of(program, node) == node.start and _may_read_ahead(program, begun):
            yield Edit(node.start, node.end, _replacement(program, begun))


def _is_shared_out(program: Program, node: Node) -> bool:
    loop = counting(program, node)
    return loop is not None and (is_of_group(program, loop) or is_of_grid(program, loop))


def _begun(program: Program, node: Node) -> Begun | None:
    head, function = head_of(program, node), node.above("function_definition")
    if head is None or function is None or head.body.kind != "compound_statement":
        return None
    inside = [each for each in statements(head.body) if each.kind != "preproc_call"]
    changed = assigned(program, head.body) | {head.variable}
    registers: set[str] = set()
    first: list[Node] = []
    for each in inside:
        declared = _members(program, each)
        own = _own(program, each) - declared
        others = names(program, each) - registers - declared - own - {head.variable}
        is_filling = each.kind != "declaration" and assigned(program, each) <= registers | own
        if not (declared or is_filling) or others & changed or not _only_reads(program, each):
            break
        registers |= declared
        first.append(each)
    while first and not _is_from_memory(program, first[-1]):
        registers -= _members(program, first.pop())
    if not first or any(len(declarations(program, each, function)) != 1 for each in registers):
        return None
    return Begun(head, tuple(first), frozenset(registers), tuple(inside[len(first) :]))


def _members(program: Program, statement: Node) -> set[str]:
    """What a statement declares, if that is variables, or arrays without values, of a type that is written out."""
    is_plain = statement.kind == "declaration" and _PLACES.isdisjoint(program.of(statement).split())
    if not is_plain or statement.need("type").kind == "placeholder_type_specifier":
        return set()
    for each in statement.fields("declarator"):
        value = each.child("value") if each.kind == "init_declarator" else None
        if value is None and each.kind not in ("identifier", "array_declarator"):
            return set()
        if value is not None and (
            each.need("declarator").kind != "identifier"
            or value.kind in ("initializer_list", "argument_list")
        ):
            return set()
    return declared_names(program, statement)


def _is_from_memory(program: Program, statement: Node) -> bool:
    others = names(program, statement) - _own(program, statement)
    return any(is_indexed_buffer(program, name, statement) for name in others)


def _own(program: Program, statement: Node) -> set[str]:
    """What a statement declares."""
    return {name for each in statement.all("declaration") for name in declared_names(program, each)}


def _only_reads(program: Program, statement: Node) -> bool:
    calls = all(is_pure(program, each) for each in statement.all("call_expression"))
    return calls and not any(statement.all(*_JUMPS, "continue_statement", "lambda_expression"))


def _may_read_ahead(program: Program, begun: Begun) -> bool:
    head = begun.head
    control = names(program, head.condition) | names(program, head.update)
    own = set().union(*(_own(program, each) for each in begun.first)) - begun.registers
    changed = set().union(*(assigned(program, each) for each in begun.rest))
    parts = (head.start, head.condition, head.update)
    return (
        assigned(program, head.update) == {head.variable}
        and not assigned(program, head.start)
        and not any(any(each.all(*_NOT_OF_NUMBERS)) for each in parts)
        and not changed & (control | {head.variable})
        and not (own | begun.registers) & (control | {head.variable})
        and not any(_is_visible(program, name, head.node) for name in own)
        and not any(any(each.all(*_JUMPS)) for each in begun.rest)
        and _reads_what_stays(program, begun, own)
    )


def _reads_what_stays(program: Program, begun: Begun, own: set[str]) -> bool:
    """Whether buffers are read ahead, and the rest of the loop writes to none of them."""
    read: set[str] = set()
    for each in begun.first:
        for name in names(program, each) - begun.registers - own - {begun.head.variable}:
            buffers = buffers_read(program, name, each)
            if buffers is None:
                return False
            read |= buffers
    written: set[str] = set()
    for each in begun.rest:
        buffers = buffers_written(program, each)
        if buffers is None:
            return False
        written |= buffers
    in_kernel = begun.head.node.start > program.body.start
    return not (read & written if in_kernel else written)


def _is_visible(program: Program, name: str, place: Node) -> bool:
    """Whether a variable of this name is in scope where a statement begins."""
    function = place.above("function_definition")
    for each in [] if function is None else declarations(program, name, function):
        scope = each.above("compound_statement", "for_statement", "function_definition")
        if scope is not None and each.start < place.start < scope.end:
            return True
    return False


def _replacement(program: Program, begun: Begun) -> str:
    head = begun.head
    _, indent = indentation(program, head.node)
    record, ahead, now = (fresh(program, each) for each in ("Ahead", "ahead", "now"))
    last = fresh(program, f"last_{head.variable}")
    condition, update = program.of(head.condition), program.of(head.update)
    members = " ".join(_member(program, each) for each in begun.first if each.kind == "declaration")
    end = begun.first[-1].end
    fill = _renamed(program, begun, head.body.start + 1, end, ahead).strip("\n")
    rest = _renamed(program, begun, end, head.body.end - 1, now).strip("\n")
    loop = program.text[head.node.start : head.body.start].rstrip()
    text = f"""{{
    struct {record} {{ {members} }};
    {record} {ahead};
    {{
        {head.type} {head.variable} = {program.of(head.start)};
        if ({condition}) {{
{_indented(indent, fill, 8)}
        }}
    }}
    {loop} {{
        {record} {now} = {ahead};
        const {head.type} {last} = {head.variable};
        {{
            {head.type} {head.variable} = {last};
            {update};
            if ({condition}) {{
{_indented(indent, fill, 12)}
            }}
        }}
{_indented(indent, rest, 4)}
    }}
}}"""
    return textwrap.indent(text, indent, lambda line: line.strip() != "" and line[0] != "#").lstrip(" ")


def _indented(indent: str, text: str, more: int) -> str:
    """Lines of the loop's body, without its own indentation."""
    lines = (each.removeprefix(indent) for each in text.splitlines())
    return textwrap.indent("\n".join(lines), " " * more, lambda line: line.strip() != "" and line[0] != "#")


def _member(program: Program, declaration: Node) -> str:
    """A declaration without values."""
    declarators = [
        program.of(each.need("declarator") if each.kind == "init_declarator" else each)
        for each in declaration.fields("declarator")
    ]
    return f"{program.of(declaration.need('type'))} {', '.join(declarators)};"


def _renamed(program: Program, begun: Begun, start: int, end: int, record: str) -> str:
    """A part of the loop with the variables of a record, which are set where they were declared."""
    pieces, position = [], start
    for each in begun.first:
        if each.kind == "declaration" and start <= each.start < end:
            pieces.append(_with_record(program, begun, position, each.start, record))
            pieces.append(" ".join(_settings(program, begun, each, record)))
            position = each.end
    pieces.append(_with_record(program, begun, position, end, record))
    return "\n".join(line for line in "".join(pieces).splitlines() if line.strip())


def _settings(program: Program, begun: Begun, declaration: Node, record: str) -> Iterator[str]:
    for each in declaration.fields("declarator"):
        if each.kind == "init_declarator":
            value = each.need("value")
            text = _with_record(program, begun, value.start, value.end, record)
            yield f"{record}.{program.of(each.need('declarator'))} = {text};"


def _with_record(program: Program, begun: Begun, start: int, end: int, record: str) -> str:
    pieces, position = [], start
    for use in begun.head.body.all("identifier"):
        if start <= use.start < end and program.of(use) in begun.registers:
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
