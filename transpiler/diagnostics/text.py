"""Diagnostics as people read them: message, place, source line with a caret, hint."""

from collections.abc import Iterable, Iterator

from cu2mlx.transpiler.diagnostics.model import Diagnostic, Severity

_LONGEST_LINE = 160
COLOURS = {Severity.ERROR: "31;1", Severity.WARNING: "33;1", Severity.NOTE: "36;1"}


def as_text(diagnostics: Iterable[Diagnostic], *, colour: bool = False) -> str:
    """All diagnostics, one block each, errors where they stand in the file."""
    return "\n".join("\n".join(_block(d, colour)) for d in diagnostics)


def _block(diagnostic: Diagnostic, colour: bool) -> Iterator[str]:
    code = diagnostic.code
    head = f"{diagnostic.severity}[{code.code}]"
    if colour:
        head = f"\x1b[{COLOURS[diagnostic.severity]}m{head}\x1b[0m"
    yield f"{head}: {diagnostic.message}"
    span = diagnostic.span
    where = f"{span.file.path}:{span.line}:{span.column}"
    in_kernel = f" (kernel {diagnostic.kernel})" if diagnostic.kernel else ""
    yield f"  --> {where}{in_kernel}"
    if span.file.text:
        yield from _excerpt(diagnostic)
    if diagnostic.hint:
        yield f"  = help: {diagnostic.hint}"


def _excerpt(diagnostic: Diagnostic) -> Iterator[str]:
    """The source line, cut to a readable width around the place, and a caret line under it."""
    span = diagnostic.span
    text = span.file.line_text(span.line).replace("\t", " ")
    start = span.column - 1
    width = max(1, min(span.end - span.start, len(text) - start))
    if len(text) > _LONGEST_LINE:
        cut = max(0, start - _LONGEST_LINE // 2)
        text, start = text[cut : cut + _LONGEST_LINE], start - cut
        width = min(width, len(text) - start)
    number = str(span.line)
    margin = " " * len(number)
    yield f" {margin} |"
    yield f" {number} | {text}"
    yield f" {margin} | {' ' * start}{'^' * max(1, width)}"
