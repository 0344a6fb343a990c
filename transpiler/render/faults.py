"""What the preprocessor and the parser could not read inside one function."""

from collections.abc import Sequence
from dataclasses import replace

from cu2mlx.transpiler.diagnostics import Diagnostic, Severity, diagnostic
from cu2mlx.transpiler.model.declarations import Function
from cu2mlx.transpiler.preprocess import Unit
from cu2mlx.transpiler.syntax import Node

_MADE_UP = (";", ")", "]", "}")
_UNDECLARED = frozenset({"CU1101", "CU2001", "CU2002"})


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
    return unread or [
        diagnostic(
            "CU1101", unit.origin(n.start), kernel, text=unit.text[n.start : n.end].split("\n")[0][:60]
        )
        for n in _broken(function.node)[:1]
    ]


def unfound_headers(unit: Unit, found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The headers "beside the file" that are not there, where something is missing that one of them may declare."""
    if not any(each.code.code in _UNDECLARED for each in found):
        return []
    return [
        diagnostic("CU1211", include.span, name=include.name)
        for include in unit.includes
        if include.path is None and '"' in include.span.text
    ]


def _broken(node: Node) -> list[Node]:
    """Where the parser gave up, or made up a semicolon or bracket."""
    if not node.broken:
        return []
    return [n for n in node.walk() if n.kind == "ERROR" or (n.end == n.start and n.kind in _MADE_UP)]
