"""The check itself: outline, lint, rewrite, clang, messages."""

from cu2mlx.runtime.check import frontend, messages
from cu2mlx.runtime.check.finding import Finding
from cu2mlx.runtime.check.outline import outline
from cu2mlx.runtime.check.rewrite import original_place, rewrite
from cu2mlx.runtime.check.tokens import Lines


def check_msl(text: str, *, path: str = "kernel.metal", mlx_preamble: bool = False) -> tuple[Finding, ...]:
    """Type-check MSL text; an empty result means well-typed, as far as can be told without Apple's compiler.

    `path` only names the text. With `mlx_preamble` the names that `mx.fast.metal_kernel` puts before a custom
    kernel are visible (`using namespace metal`, bfloat16_t, complex64_t, elem_to_loc, ceildiv …).
    """
    shape = outline(text)
    rewritten = rewrite(shape)
    new, old = Lines(rewritten.text), Lines(text)
    unit = frontend.parse(rewritten.text, path, mlx_preamble=mlx_preamble)
    findings = []
    for problem in messages.problems(unit, path):
        line, column = original_place(rewritten, new, old, problem.line, problem.column)
        findings.append(Finding(line, column, problem.message, problem.hint, problem.rule))
    return tuple(sorted(set(findings)))
