"""What the preprocessor and the parser could not read: inside one function, and whole kernels."""

import re
from collections.abc import Sequence
from dataclasses import replace

from cu2mlx.transpiler.diagnostics import Diagnostic, Severity, diagnostic
from cu2mlx.transpiler.model.conditions import is_seen
from cu2mlx.transpiler.model.declarations import Function
from cu2mlx.transpiler.model.types import Type
from cu2mlx.transpiler.preprocess import Unit
from cu2mlx.transpiler.syntax import Node

_MADE_UP = (";", ")", "]", "}")
_UNDECLARED = frozenset({"CU1101", "CU1102", "CU2001", "CU2002"})
_CALLED = re.compile(r"(?!__launch_bounds__)\b(\w+)\s*\(")


def faults(function: Function, unit: Unit) -> list[Diagnostic]:
    """The errors inside a function, as diagnostics of the kernel where it is one; of the parser's, the first."""
    kernel = function.name if function.is_kernel else None
    first, last = unit.origin(function.node.start), unit.origin(max(function.node.end - 1, 0))
    unread = [
        replace(d, kernel=kernel)
        for d in unit.diagnostics
        if d.severity is Severity.ERROR
        and d.span.file is first.file
        and first.start <= d.span.start <= last.start
    ]
    return unread or [_fault(node, unit, kernel) for node in _broken(function.node)[:1]]


def lost_kernels(root: Node, unit: Unit) -> list[tuple[Function, list[Diagnostic]]]:
    """Kernels that no function of the file is, each with the reason: after a syntax error they stand inside of
    another function, or in what the parser gave up."""
    if not root.broken:
        return []
    lost: list[tuple[Function, list[Diagnostic]]] = []
    for word in root.walk():
        holder = word.parent
        named = _CALLED.search(unit.text, word.end) if word.kind == "__global__" else None
        if holder is None or named is None:
            continue
        around = holder.above("function_definition") if holder.kind == "function_definition" else holder
        if around is not None and around.broken and is_seen(word, unit.text, unit.conditions):
            found = Function(named[1], holder, holder, holder, Type("void"), [], is_kernel=True)
            lost.append((found, [_fault(_broken(around)[0], unit, found.name)]))
    return lost


def unfound_headers(unit: Unit, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The headers "beside the file" that are not there, where something is missing that one of them may declare."""
    if not any(each.code.code in _UNDECLARED for each in found):
        return []
    return [
        diagnostic("CU1211", include.span, name=include.name)
        for include in unit.includes
        if include.path is None and '"' in include.span.text
    ]


def _fault(node: Node, unit: Unit, kernel: str | None) -> Diagnostic:
    if node.end > node.start:
        text = unit.text[node.start : node.end].split("\n")[0][:60]
        return diagnostic("CU1101", unit.origin(node.start), kernel, text=text)
    # A brace that is made up at the end of the file is missing before the first function inside of the block.
    block = node.parent.walk() if node.kind == "}" and node.parent is not None else []
    inside = next((each for each in block if each.kind == "function_definition"), node)
    return diagnostic("CU1102", unit.origin(inside.start), kernel, token=node.kind)


def _broken(node: Node) -> list[Node]:
    """Where the parser gave up, or made up a semicolon or bracket."""
    if not node.broken:
        return []
    return [n for n in node.walk() if n.kind == "ERROR" or (n.end == n.start and n.kind in _MADE_UP)]
