"""Which members of a file's records its device code may need: those that something there mentions."""

import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cu2mlx.transpiler.model.declarations import Declarations, Function
from cu2mlx.transpiler.model.expressions import Typing
from cu2mlx.transpiler.model.template_parameters import template_names
from cu2mlx.transpiler.model.types import declarator_name
from cu2mlx.transpiler.syntax import Node

_WORD = re.compile(r"[A-Za-z_]\w*(?:\s*\(|<)?")
_ATTRIBUTES = re.compile(r"(?:__\w+__\s*)+$")  # which the grammar may not count to what follows
_LOOP_ENDS = frozenset({"begin(", "end("})  # called by a range loop, without their names


@dataclass(frozen=True, slots=True)
class Needed:
    """`left_out`: methods and friends, and records inside others, in source order."""

    left_out: tuple[Node, ...]

    def text(self, node: Node, text: str) -> str:
        """A node's text without the members inside of it that are left out."""
        parts, position = [], node.start
        for member in self.left_out:
            around = member.parent
            whole = around if around is not None and around.kind == "template_declaration" else member
            if position <= whole.start and whole.end <= node.end and whole is not node:
                parts.append(_ATTRIBUTES.sub("", text[position : whole.start]))
                position = whole.end
        return "".join([*parts, text[position : node.end]])


def needed_members(
    declared: Declarations, macros: Mapping[str, str], text: str, typing: Callable[[Function], Typing]
) -> Needed:
    """Members that are called or named in kernels and device functions, in macros (their bodies), in records outside
    of their members, or in needed members. Constructors, operators and conversions are called without a name: all
    are needed. Those of the host are not."""
    methods = {m.node: m for record in declared.all_records for m in (*record.methods, *record.friends)}
    inner = {record.node: record.name for alike in declared.inner.values() for record in alike}
    members = sorted({*methods, *inner}, key=lambda node: node.start)
    if not members:
        return Needed(())
    free = (f for alike in declared.functions.values() for f in alike if f.node not in methods)
    functions = {**methods, **{f.node: f for f in free}}
    wanted = inner | {
        node: _mark(f) for node, f in functions.items() if node not in methods or not f.is_of_host
    }
    marks = _marks("\n".join(macros.values()))
    for record in declared.records.values():
        marks |= _marks(_own_text(record.node, record.node.start, members, text))
    needed, found = set[Node](), set[Node]()
    while found := {*found, *(n for n, mark in wanted.items() if mark in marks or not mark)} - needed:
        needed |= found
        for node in found:
            start = _after_name(functions[node]) if node in functions else node.start
            marks |= _marks(_own_text(node, start, members, text))
            found = found | (_loop_ends(typing(functions[node]), marks) if node in functions else set())
    return Needed(tuple(node for node in members if node not in needed))


def _mark(function: Function) -> str:
    """What a call of it looks like; empty where that does not say its name, and for kernels and device functions."""
    record = function.record
    if record is None:
        unsaid = function.is_kernel or function.is_of_device
    else:
        unsaid = function.name in (record.name, f"~{record.name}")
    return "" if unsaid or "operator" in function.name else f"{function.name}("


def _marks(text: str) -> set[str]:
    """The words of a text, with a bracket behind those that are called or given template arguments."""
    found: set[str] = set()
    for match in _WORD.findall(text):
        word = match.rstrip("(<").rstrip()
        found |= {word, f"{word}("} if word != match else {word}
    return found


def _after_name(function: Function) -> int:
    name = declarator_name(function.declarator)
    return name.end if name is not None else function.node.start


def _own_text(node: Node, start: int, candidates: Sequence[Node], text: str) -> str:
    """The text of a record or function from `start` on, without the members inside of it."""
    parts = []
    for inner in candidates[bisect_left(candidates, start, key=lambda each: each.start) :]:
        if inner.start >= node.end:
            break
        if inner is not node and inner.start >= start:
            parts.append(text[start : inner.start])
            start = inner.end
    return " ".join([*parts, text[start : node.end]])


def _loop_ends(typing: Typing, marks: set[str]) -> set[Node]:
    """What range loops of a function call; where it is not known of which record, their names go to `marks`."""
    body, template = typing.function.body, typing.function.template
    found: set[Node] = set()
    for loop in body.all("for_range_loop") if body is not None else ():
        items = typing.type_of(loop.need("right"))
        record = typing.declared.record(items) if items is not None else None
        if record is not None:
            found |= {method.node for method in record.all_methods if f"{method.name}(" in _LOOP_ENDS}
        elif items is None or items.base in template_names(template, typing.text):
            marks |= _LOOP_ENDS
    return found
