"""Clang's diagnostics in Metal's words: which count, where they point, what to do."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from cu2mlx.runtime.check import hints
from cu2mlx.runtime.check.finding import Finding
from cu2mlx.runtime.check.generic import is_of_thread
from cu2mlx.runtime.check.rewrite import OVERFLOW, THREADGROUP_BYTES

if TYPE_CHECKING:
    from clang.cindex import Diagnostic, TranslationUnit

_SPACES = {"__global": "device", "__local": "threadgroup", "__constant": "constant"}
_WARNINGS = frozenset({"-Wuninitialized", "-Wreturn-type", "-Wreturn-stack-address"})


@dataclass(frozen=True, slots=True)
class _Rule:
    """One kind of diagnostic. `message` may use the pattern's groups; None keeps clang's words."""

    pattern: re.Pattern[str]
    rule: str
    message: str | None = None
    hint: str = ""


def _rule(pattern: str, rule: str, message: str | None = None, hint: str = "") -> _Rule:
    return _Rule(re.compile(pattern), rule, message, hint)


_CAST_HINT = "cast the arguments to one type, for example min(a, int(b))"
_RULES = (
    _rule(r"use of undeclared identifier '(?P<name>\w+)'", "unknown-name"),
    _rule(r"unknown type name '(?P<name>\w+)'", "unknown-name"),
    _rule(r"no (?:template|type) named '(?P<name>\w+)'", "unknown-name"),
    _rule(r"'(?P<name>[^']+)' file not found", "include", None, "only Metal's own headers can be included"),
    _rule(r"no member named", "unknown-member"),
    _rule(
        r"use of type '(?:long )?double' requires",
        "double",
        "Metal has no type 'double'",
        "use float; translate with --double=float to narrow a CUDA kernel",
    ),
    _rule(r"call to '.*' is ambiguous", "ambiguous-call", None, _CAST_HINT),
    _rule(r"use of overloaded operator .* is ambiguous", "ambiguous-call", None, _CAST_HINT),
    _rule(
        r"non-kernel function variable cannot be declared in (?:local|__local) address space",
        "threadgroup-in-helper",
        "threadgroup variables can only be declared in a kernel",
        "declare it in the kernel and pass a threadgroup pointer",
    ),
    _rule(
        r"variable cannot be declared in (?:constant|global) address space",
        "address-space",
        "a variable of a function cannot lie in device or constant memory",
        "drop the word, or declare it at program scope as constant",
    ),
    _rule(
        r"address space|(?:initialize|assigning|passing).*(?:__global|__local|__constant).* (?:with|to|from)",
        "address-space",
        None,
        "a pointer keeps the address space of what it points to: device, constant, threadgroup or thread",
    ),
    _rule(r"non-overlapping address spaces|incompatible operand types", "address-space"),
    _rule(r"no matching function for call to", "no-matching-call"),
    _rule(
        r"address of property expression requested",
        "vector-element-address",
        "the address of a vector element cannot be taken",
        "copy the element to a variable, or index an array",
    ),
    _rule(
        r"variable length array|variable-sized object|array size is not a constant",
        "dynamic-array",
        "the size of an array must be a constant",
        "use a template argument or a constexpr value",
    ),
    _rule(r"static assertion failed(?: due to requirement '.*')?: (?P<text>.*)", "static-assert", "{text}"),
    _rule(r"is (?:used )?uninitialized", "uninitialised", None, "give it a value where it is declared"),
    _rule(r"non-void (?:function|lambda) does not return", "missing-return"),
    _rule(r"const-qualified|read-only variable|is not assignable", "const"),
    _rule(r"drops .*qualifier|discards qualifier|casts? away (?:const|qualifiers)", "const"),
    _rule(r"virtual functions|'virtual'", "unsupported", "Metal has no virtual functions"),
    _rule(
        r"no viable (?:conversion|overloaded)|cannot convert|incompatible type|cannot initialize",
        "conversion",
    ),
    _rule(r"overload resolution selected deleted", "conversion"),
)

# Clang cannot copy a struct out of `constant`, and calls temporaries generic: both are fine in Metal.
_CONSTANT_COPY = re.compile(r"implicit (?:copy|move) .* reference in address space '__constant' to object")
_TEMPORARY = re.compile(
    r"reference of type 'const __private .*cannot bind to a temporary object because of address"
)
_TERNARY = re.compile(
    r"incompatible operand types \('(?P<left>[^']*)'(?: \(aka '(?P<real_left>[^']*)'\))?"
    r" and '(?P<right>[^']*)'(?: \(aka '(?P<real_right>[^']*)'\))?"
)
_SPACE_OR_CONST = re.compile(r"\b(?:__global|__local|__constant|__private|__generic|const)\b ?")
_FUNCTION_CONSTANT = re.compile(r"initializer element is not a compile-time constant")
_ARGUMENT = re.compile(r"candidate (?:function|template|constructor)[^:]*(?:not viable|ignored): (?P<why>.*)")


def problems(unit: "TranslationUnit", path: str) -> list[Finding]:
    """Findings at places of the rewritten text. RuntimeError where clang fails without naming a place in it."""
    counting = [d for d in unit.diagnostics if _counts(d) and not is_of_thread(d, unit)]
    placed = [(diagnostic, *_place(diagnostic, path)) for diagnostic in counting]
    found = [_finding(diagnostic, line, column) for diagnostic, line, column in placed if line]
    if counting and not found:
        raise RuntimeError(f"the checker cannot read its own headers: {counting[0]}")
    return found


def _counts(diagnostic: "Diagnostic") -> bool:
    if diagnostic.severity < diagnostic.Error:
        return diagnostic.option in _WARNINGS
    if _same_class(diagnostic.spelling):
        return False
    if _TEMPORARY.search(diagnostic.spelling) or _FUNCTION_CONSTANT.search(diagnostic.spelling):
        return False
    return not any(_CONSTANT_COPY.search(note.spelling) for note in diagnostic.children)


def _same_class(spelling: str) -> bool:
    """Whether the branches of a `?:` differ in space or const only, which clang refuses for classes."""
    match = _TERNARY.search(spelling)
    if match is None or "*" in match[0]:
        return False
    left = match["real_left"] or match["left"]
    right = match["real_right"] or match["right"]
    return _plain(left) == _plain(right)


def _plain(type_: str) -> str:
    """A type without its space; clang gives the namespace of some vectors and not of others."""
    return _SPACE_OR_CONST.sub("", type_).replace("metal::", "")


def mixed_ternaries(unit: "TranslationUnit", path: str) -> Iterator[tuple[int, int]]:
    """Places of the `?` whose branches are one class type in two address spaces."""
    for diagnostic in unit.diagnostics:
        if _same_class(diagnostic.spelling):
            yield _place(diagnostic, path)


def _place(diagnostic: "Diagnostic", path: str) -> tuple[int, int]:
    """Line and byte column in the text; for an error inside our headers, of what brought clang there."""
    entries = (diagnostic, *diagnostic.children)
    included = [entry for entry in entries if entry.spelling.startswith("in file included")]
    for entry in (*(entry for entry in entries if entry not in included), *included):
        place = entry.location
        if place.file is not None and place.file.name == path:
            return place.line, place.column
    return 0, 0


def _finding(diagnostic: "Diagnostic", line: int, column: int) -> Finding:
    spelling = diagnostic.spelling
    if OVERFLOW in spelling:
        return _overflow(diagnostic, line, column)
    for rule in _RULES:
        if match := rule.pattern.search(spelling):
            groups = match.groupdict()
            name = groups.get("name", "")
            message = rule.message.format(**groups) if rule.message else _with_reason(diagnostic)
            hint = rule.hint or hints.for_name(name) or hints.for_conversion(message)
            return Finding(line, column, reword(message), hint, rule.rule)
    return Finding(line, column, reword(_with_reason(diagnostic)), "", "type-error")


def _overflow(diagnostic: "Diagnostic", line: int, column: int) -> Finding:
    notes = " ".join(note.spelling for note in diagnostic.children)
    size = re.search(r"evaluates to '(\d+) <=", notes)
    message = (
        f"{size[1] if size else 'too many'} bytes of threadgroup memory; the limit is {THREADGROUP_BYTES}"
    )
    return Finding(line, column, message, "use smaller tiles or a narrower type", "threadgroup-limit")


def _with_reason(diagnostic: "Diagnostic") -> str:
    """Clang's message, and for a failed call why the first candidate did not fit."""
    if diagnostic.spelling.startswith(("no matching", "no viable")):
        for note in diagnostic.children:
            if match := _ARGUMENT.match(note.spelling):
                return f"{diagnostic.spelling}: {match['why']}"
    return str(diagnostic.spelling)


def reword(message: str) -> str:
    """OpenCL's words for address spaces, and our own inner names, as Metal spells them."""
    message = re.sub(r"'([^']*)'", lambda quoted: f"'{_type(quoted[1])}'", message)
    message = message.replace("__msl_name_", "").replace("std::nullptr_t", "nullptr_t")
    message = re.sub(r"\b(?:C\+\+ for OpenCL|OpenCL C\+\+|OpenCL)(?: version [\w.+]+)?", "Metal", message)
    return re.sub(r" \(aka '(?:metal::)?vec<[^']*'\)", "", message)


def _type(text: str) -> str:
    """A type in quotes: the space of the variable itself is thread and goes without saying."""
    text = re.sub(r"([*&]) ?(?:__private|__generic)\b", r"\1", text)
    for word, metal in _SPACES.items():
        text = re.sub(rf"\b{word}\b", metal, text)
    thread = "thread" if re.search(r"[*&]", text) or text == "__private" else ""
    text = re.sub(r"\b__private\b ?", f"{thread} " if thread else "", text)
    return re.sub(r"\b__generic\b ?", "" if text != "__generic" else "unnamed", text).strip()
