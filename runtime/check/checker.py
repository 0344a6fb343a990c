"""The check itself: outline, lint, rewrite, clang, messages."""

from collections.abc import Iterable

from cu2mlx.runtime.check import frontend, lint, messages
from cu2mlx.runtime.check.finding import Finding
from cu2mlx.runtime.check.lint import recursion
from cu2mlx.runtime.check.outline import outline
from cu2mlx.runtime.check.rewrite import original_place, rewrite
from cu2mlx.runtime.check.tokens import Lines, unclosed


def check_msl(text: str, *, path: str = "kernel.metal", mlx_preamble: bool = False) -> tuple[Finding, ...]:
    """Type-check MSL text; an empty result means well-typed, as far as can be told without Apple's compiler.

    `path` only names the text. With `mlx_preamble` the names that `mx.fast.metal_kernel` puts before a custom
    kernel are visible (`using namespace metal`, bfloat16_t, complex64_t, elem_to_loc, ceildiv …).
    """
    shape = outline(text)
    if (open_brace := unclosed(shape.tokens)) is not None:
        place = Lines(text).place(open_brace.start)
        return (Finding(*place, f"'{open_brace.text}' is never closed", "", "syntax"),)
    old = Lines(text)
    noted = [Finding(*old.place(n.offset), n.message, n.hint, n.rule) for n in lint.run(shape)]

    rewritten = rewrite(shape)
    new = Lines(rewritten.text)
    unit = frontend.parse(rewritten.text, path, mlx_preamble=mlx_preamble)
    mixed = {rewritten.original(new.offset(*place)) for place in messages.mixed_ternaries(unit, path)}
    if mixed:
        rewritten = rewrite(shape, ternaries=frozenset(mixed))
        new = Lines(rewritten.text)
        unit = frontend.parse(rewritten.text, path, mlx_preamble=mlx_preamble)
    found = messages.problems(unit, path)
    if recursion.suspected(shape):
        for name, line, column in recursion.recursive(unit, path):
            message = f"function '{name}' calls itself"
            found.append(Finding(line, column, message, "write a loop", "recursion"))
    placed = []
    for finding in found:
        line, column = original_place(rewritten, new, old, finding.line, finding.column)
        placed.append(Finding(line, column, finding.message, finding.hint, finding.rule))
    return _merged(noted, placed)


def _merged(noted: Iterable[Finding], found: Iterable[Finding]) -> tuple[Finding, ...]:
    """Both, sorted; where the lint has named a line's mistake, clang's view of the same line is left out."""
    noted = set(noted)
    lines = {finding.line for finding in noted}
    return tuple(sorted(noted | {finding for finding in found if finding.line not in lines}))
