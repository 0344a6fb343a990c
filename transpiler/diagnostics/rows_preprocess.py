"""Diagnostics of the preprocessor."""

from cu2mlx.transpiler.diagnostics.model import Code, Effort, Severity

_MINUTES = Effort.MINUTES

ROWS: tuple[Code, ...] = (
    Code(
        "CU1201",
        "unterminated-comment",
        Severity.ERROR,
        _MINUTES,
        "this /* comment has no end",
        "close it with */",
    ),
    Code(
        "CU1202",
        "unterminated-string",
        Severity.ERROR,
        _MINUTES,
        "this string has no end on its line",
        "close it with a double quote, or end the line with a backslash to go on",
    ),
    Code(
        "CU1203",
        "unterminated-conditional",
        Severity.ERROR,
        _MINUTES,
        "this {directive} has no matching {missing}",
        "add the missing {missing}",
    ),
    Code(
        "CU1204",
        "macro-arguments",
        Severity.ERROR,
        _MINUTES,
        "macro {name} takes {wanted} arguments, {given} given",
        "give {wanted} arguments, or #undef the macro if another {name} is meant",
    ),
    Code(
        "CU1205",
        "include-depth",
        Severity.ERROR,
        _MINUTES,
        "{name} is included {limit} levels deep",
        "break the include cycle, or leave its directory out of -I",
    ),
    Code(
        "CU1206",
        "unreadable-header",
        Severity.WARNING,
        _MINUTES,
        "header {name} was found but not read: {reason}",
        "repair the header, or leave its directory out of -I",
    ),
    Code(
        "CU1207",
        "unknown-macro",
        Severity.NOTE,
        _MINUTES,
        "{name} looks like a macro that no header found here defines; it is read as nothing",
        "give the header's directory with -I, or the macro with -D {name}=...",
    ),
    Code(
        "CU1208",
        "macro-expansion-size",
        Severity.ERROR,
        _MINUTES,
        "the macros of this file expand to more than {limit} characters, or nest too deeply",
        "pass only the file that has the kernel, or expand {name} by hand",
    ),
    Code(
        "CU1209",
        "conditional-resolved",
        Severity.NOTE,
        Effort.NONE,
        "this {directive} splits a construct in two, so one branch had to be chosen: {branch}",
        "choose the other branch with -D",
    ),
    Code(
        "CU1210",
        "unknown-block-macro",
        Severity.ERROR,
        _MINUTES,
        "{name}(...) before a block is a macro that no header found here defines",
        "give the header's directory with -I, or #define {name} in the file",
    ),
    Code(
        "CU1211",
        "header-not-found",
        Severity.NOTE,
        _MINUTES,
        "{name} was not found; it may declare what is missing",
        "give its directory with -I",
    ),
)
