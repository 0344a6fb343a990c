"""Every diagnostic code, once. Codes are never reused; each has a page in pages/, whose example raises it.

CU1xxx syntax and input, CU2xxx semantics, CU3xxx no Metal counterpart, CU4xxx translated but the meaning
differs, CU5xxx launch and binding, CU9xxx our own fault.
"""

from cu2mlx.transpiler.diagnostics import rows_gradient, rows_preprocess, rows_rules, rows_tables
from cu2mlx.transpiler.diagnostics.model import Code, Diagnostic, Effort, Severity
from cu2mlx.transpiler.source import Span

E_, W, N = Severity.ERROR, Severity.WARNING, Severity.NOTE
MIN, HRS, DAYS, NONE = Effort.MINUTES, Effort.HOURS, Effort.DAYS, Effort.NONE

_ROWS = (
    Code("CU1001", "unreadable-file", E_, MIN, "{path} {reason}", "check the path and its permissions"),
    Code(
        "CU1002",
        "empty-file",
        E_,
        MIN,
        "{path} is empty",
        "pass a file with at least one __global__ function",
    ),
    Code(
        "CU1003",
        "file-too-large",
        E_,
        MIN,
        "{path} {reason}",
        "split the file, or pass the one that has the kernel",
    ),
    Code(
        "CU1004",
        "binary-file",
        E_,
        MIN,
        "{path} is binary, not CUDA source",
        "pass the .cu source, not an object file",
    ),
    Code(
        "CU1005",
        "not-utf8",
        E_,
        MIN,
        "{path} {reason}",
        "save it as UTF-8: iconv -f latin1 (or utf-16) -t utf-8",
    ),
    Code(
        "CU1006",
        "no-kernel",
        E_,
        MIN,
        "{path} has no __global__ function",
        "pass the file that defines the kernel",
    ),
    Code(
        "CU1007",
        "unwritable-output",
        E_,
        MIN,
        "{path}: cannot write: {reason}",
        "choose another folder with -o, or change its permissions",
    ),
    Code(
        "CU1101",
        "syntax-error",
        E_,
        MIN,
        "cannot parse this: {text}",
        "mend it, or give the macros it needs with -I or -D",
    ),
    Code(
        "CU1102",
        "missing-token",
        E_,
        MIN,
        "{token} is missing here",
        "add it; or, where a macro stands here, give its header's folder with -I",
    ),
)

CATALOGUE: dict[str, Code] = {
    row.code: row
    for row in (*_ROWS, *rows_rules.ROWS, *rows_tables.ROWS, *rows_preprocess.ROWS, *rows_gradient.ROWS)
}


def diagnostic(code: str, span: Span, kernel: str | None = None, **details: object) -> Diagnostic:
    """A diagnostic of one catalogue row at one place; `details` fill its message and hint."""
    row = CATALOGUE[code]
    return Diagnostic(row, span, row.message.format(**details), row.hint.format(**details), kernel)
