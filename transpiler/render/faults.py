"""What the preprocessor and the parser could not read inside one function."""

from dataclasses import replace

from cu2mlx.transpiler.diagnostics import Diagnostic, Severity, diagnostic
from cu2mlx.transpiler.model.declarations import Function
from cu2mlx.transpiler.preprocess import Unit
from cu2mlx.transpiler.syntax import Node

_MADE_UP = (";", ")", "]", "}")


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


def _broken(node: Node) -> list[Node]:
    """Where the parser gave up, or made up a semicolon or bracket."""
    if not node.broken:
        return []
    return [n for n in node.walk() if n.kind == "ERROR" or (n.end == n.start and n.kind in _MADE_UP)]
