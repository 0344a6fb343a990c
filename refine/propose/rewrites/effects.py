"""What statements do to memory, as far as the text tells."""

import re
from collections.abc import Sequence

from cu2mlx.refine.propose.rewrites.calls import arguments, called_name, definitions
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.terms import (
    FLOAT_FUNCTIONS,
    assigned,
    declaration_of,
    declarations,
    declared_names,
    is_device_pointer,
    uses,
)
from cu2mlx.transpiler.syntax import Node

_PURE = FLOAT_FUNCTIONS | {
    "min", "max", "clamp", "select", "abs", "static_cast", "reinterpret_cast", "as_type",
    "float", "half", "bfloat", "int", "uint", "long", "ulong", "short", "ushort", "char", "uchar", "bool",
}  # fmt: skip
Buffers = set[str] | None  # None where nobody can tell
_ADDRESSES = ("pointer_declarator", "array_declarator", "reference_declarator")
_WORD = re.compile(r"\w+")
_OF_MANY_THREADS = ("atomic", "barrier", "fence")


def is_pure(program: Program, call: Node, inside: Sequence[str] = ()) -> bool:
    """Whether a call surely changes nothing but its result, and has nothing to do with other threads. `inside`: the
    functions that it stands in."""
    name = program.of(called_name(call))
    if name in _PURE:
        return True
    known = definitions(program, name)
    return (
        bool(known)
        and name not in inside
        and not any(writes_memory(program, each) for each in known)
        and all(
            is_pure(program, each, (*inside, name))
            for function in known
            for each in function.all("call_expression")
        )
    )


def writes_memory(program: Program, node: Node) -> bool:
    """Whether a declaration, or a function with the record around it, speaks of device memory that is not constant."""
    record = node.above("struct_specifier", "class_specifier") if node.kind == "function_definition" else None
    whole = node if record is None else record
    before = program.text[: whole.start].rstrip()  # a space that is the first word is not in the tree
    text = f"{before[-len('device') :]} {program.of(whole)}"
    words = text.replace("const device", "").replace("device const", "")
    return "device" in words or "inout" in words


def is_indexed_buffer(program: Program, name: str, place: Node) -> bool:
    """Whether a name surely reads memory in a statement: a pointer into it, or a name from elsewhere with an index."""
    declared = declaration_of(program, name, place)
    if declared is None:
        return _has_parts(program, name, place)
    return is_device_pointer(program, declared, name)


def buffers_read(program: Program, name: str, place: Node) -> Buffers:
    """The buffers that a name may read in a statement: none if it is a number, what it may point into if it is a
    pointer to what is constant, itself if it is from elsewhere; None where nobody can tell."""
    declared = declaration_of(program, name, place)
    if declared is None:
        return None if _is_macro_with_index(program, name) else {name}
    if is_device_pointer(program, declared, name):
        is_constant = "const" in program.of(declared).split()
        return buffers_of(program, name, place) if is_constant else None
    is_record = _has_parts(program, name, place)  # which may hold pointers
    return None if is_record or any(declared.all(*_ADDRESSES)) else set()


def _has_parts(program: Program, name: str, place: Node) -> bool:
    """Whether a name stands with an index or a member."""
    return any(
        use.field == "argument"
        and use.parent is not None
        and use.parent.kind in ("subscript_expression", "field_expression")
        for use in uses(program, name, place)
    )


def buffers_written(program: Program, statement: Node) -> Buffers:
    """The buffers that a statement may write to; None where nobody can tell, or where other threads have a part in
    it."""
    written: set[str] = set()
    inside = list(statement.all("declaration"))
    for name in assigned(program, statement):
        own = next((each for each in inside if name in declared_names(program, each)), None)
        declared = own or declaration_of(program, name, statement)
        if declared is None or is_device_pointer(program, declared, name):
            buffers = buffers_of(program, name, statement)
            if buffers is None:
                return None
            written |= buffers
        elif writes_memory(program, declared) or _may_hold_pointers(program, declared):
            return None
    for call in statement.all("call_expression"):
        name = program.of(called_name(call))
        if any(word in name for word in _OF_MANY_THREADS) or _is_macro(program, name):
            return None
        if any(writes_memory(program, each) for each in definitions(program, name)):
            return None
    return written


def _may_hold_pointers(program: Program, declared: Node) -> bool:
    """Whether a type is deduced, or a record of the text that has device pointers, itself or in another."""
    type_ = declared.need("type")
    words = set(_WORD.findall(program.of(type_)))
    return program.of(type_) == "auto" or not words.isdisjoint(_with_pointers(program))


def _with_pointers(program: Program) -> set[str]:
    """The names of such records, and other names for them."""
    texts = {}
    for each in program.root.all("struct_specifier", "class_specifier", "alias_declaration"):
        name = each.child("name")
        if name is not None:
            texts[program.of(name)] = set(_WORD.findall(program.of(each)))
    found: set[str] = {"device"}
    while more := {name for name, words in texts.items() if name not in found and words & found}:
        found |= more
    return found


def buffers_of(program: Program, name: str, place: Node) -> Buffers:
    """What a name may point into: names that are not declared in the function, or its parameters. None where that
    hangs on more than the declaration."""
    declared, function = declaration_of(program, name, place), place.above("function_definition")
    if declared is None or declared.kind == "parameter_declaration":
        return {name}
    if not is_device_pointer(program, declared, name):
        return set()
    if (
        function is None
        or len(declarations(program, name, function)) != 1
        or _is_set(program, name, function)
    ):
        return None
    for each in declared.fields("declarator"):
        value = each.child("value")
        if value is not None and name in {
            program.of(found) for found in each.need("declarator").all("identifier")
        }:
            return _buffers_in(program, value)
    return None


def _is_set(program: Program, name: str, function: Node) -> bool:
    """Whether a pointer is made to point elsewhere."""
    return any(
        program.of(each.need("left")) == name and each.need("operator").kind == "="
        for each in function.all("assignment_expression")
    )


def _buffers_in(program: Program, value: Node) -> Buffers:
    """Of a pointer, or a number that is added to one."""
    if value.kind == "identifier":
        return buffers_of(program, program.of(value), value)
    if value.kind == "number_literal":
        return set()
    if value.kind == "parenthesized_expression":
        return _buffers_in(program, value.named_children[0])
    if value.kind == "cast_expression":
        return _buffers_in(program, value.need("value"))
    if value.kind == "call_expression" and program.of(called_name(value)) == "reinterpret_cast":
        return _buffers_in(program, arguments(value)[0])
    if value.kind == "pointer_expression" and value.need("argument").kind == "subscript_expression":
        return _buffers_in(program, value.need("argument").need("argument"))  # &x[i]
    if value.kind == "binary_expression" and value.need("operator").kind in ("*", "/", "%"):
        return set()  # no pointer
    if value.kind == "binary_expression" and value.need("operator").kind in ("+", "-"):
        sides = [_buffers_in(program, value.need(side)) for side in ("left", "right")]
        return None if sides[0] is None or sides[1] is None else sides[0] | sides[1]
    return None


def _is_macro(program: Program, name: str) -> bool:
    return any(program.of(each.need("name")) == name for each in program.root.all("preproc_function_def"))


def _is_macro_with_index(program: Program, name: str) -> bool:
    values = [
        each.child("value")
        for each in program.root.all("preproc_def")
        if program.of(each.need("name")) == name
    ]
    return any(value is not None and "[" in program.of(value) for value in values)
