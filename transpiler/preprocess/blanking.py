"""The parse text: what the grammar trips over is blanked, every character is ASCII, the length stays."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from cu2mlx.transpiler.preprocess.lexical import Structure, balanced, blanked
from cu2mlx.transpiler.preprocess.mapped import Mapped
from cu2mlx.transpiler.preprocess.unknown import Attribute, bare_calls, block_calls, unknown_attributes

_BALANCED = balanced(6)
_ARGUMENTS = r"<[^<>;{}]*(?:<[^<>;{}]*(?:<[^<>;{}]*>[^<>;{}]*)*>[^<>;{}]*)*>"

# All patterns here start with plain characters, which `re` can skip to; `_places` looks at what is before.

# Not in the output either: Metal has no such words, or says them in another way.
_DROPPED = re.compile(
    rf"__(?:attribute__|cluster_dims__|declspec|maxnreg__)\s*{_BALANCED}|\[\[\s*[a-z_][^\[\]]*\]\]"
    r"|__(?:restrict__|restrict|forceinline__|noinline__|inline__|grid_constant__|extension__|forceinline"
    r"|nv_pure__)(?!\w)"
    rf"|alignas\s*{_BALANCED}(?=\s*(?:struct|class|union)\b)"
    r"|\](?P<what>(?:\s*__(?:host|device)__)+)(?=\s*[({])"
)

# Stays in the output: _Pragma, `typename` before a call, the type of an enum without a name, the keyword in
# `x.operator T()`, which is then read as a method called T.
_HIDDEN = re.compile(
    rf"_Pragma\s*{_BALANCED}|__pragma\s*{_BALANCED}"
    rf"|typename(?=\s+(?:::\s*)?\w+(?:{_ARGUMENTS})?(?:\s*::\s*(?:template\s+)?\w+(?:{_ARGUMENTS})?)+"
    r"\s*(?:\{|\((?!\s*[&*]\s*\w*\s*\)\s*[\[(])))"
    r"|enum(?P<what>\s*:[\w:\s]{1,60})(?=\{)"
    r"|operator(?=\s+\w+\s*\(\s*\)\s*[,;)])"
)

# The grammar wants && || ! in conditions.
_SPELLED = re.compile(r"\b(?:and|or|not)\b")
_SIGNS = {"and": "&& ", "or": "||", "not": "!  "}

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")


@dataclass(frozen=True)
class Blanked:
    """`unknown` are the macros read as nothing because no header defines them; `blocks` are calls of such
    macros before a block."""

    parse_text: str
    dropped: tuple[tuple[int, int], ...]
    unknown: tuple[Attribute, ...]
    blocks: tuple[Attribute, ...]


def blank(unit: Mapped, macros: Collection[str]) -> Blanked:
    """The parse text of a text, and the ranges that must not be in the output."""
    text, parts, code = unit.text, unit.structure, unit.code
    dropped = list(_places(_DROPPED, code))
    hidden = list(_places(_HIDDEN, code))
    hidden += _directive_parts(text, parts)
    clean = _erase(code, sorted(dropped + hidden))
    unknown = tuple(unknown_attributes(clean, macros))
    if unknown:
        places = sorted((attribute.start, attribute.end) for attribute in unknown)
        clean = _erase(clean, places)
        dropped = sorted(dropped + places)
    parse_text = _with_signs(_erase(text, sorted(dropped + hidden)), parts)
    return Blanked(
        _ascii(_with_semicolons(parse_text, bare_calls(clean))),
        tuple(dropped),
        unknown,
        tuple(block_calls(clean)),
    )


def _places(pattern: re.Pattern[str], code: str) -> Iterator[tuple[int, int]]:
    for match in pattern.finditer(code):
        before = code[match.start() - 1 : match.start()]
        if not (before.isalnum() or before == "_") or code[match.start()] == "]":
            yield match.span("what") if match["what"] else match.span()


def _directive_parts(text: str, parts: list[Structure]) -> Iterator[tuple[int, int]]:
    for part in parts:
        if part.kind == "#pragma":
            yield part.start, part.end
        elif part.kind == "#include":
            yield part.start + len(text[part.start : part.end].rstrip()), part.end


def _with_signs(text: str, parts: list[Structure]) -> str:
    """The text with `and`, `or` and `not` as signs in conditions."""
    pieces = []
    copied = 0
    for part in parts:
        if part.kind in ("#if", "#elif"):
            pieces += [text[copied : part.rest], _SPELLED.sub(_sign, text[part.rest : part.end])]
            copied = part.end
    pieces.append(text[copied:])
    return "".join(pieces)


def _sign(match: re.Match[str]) -> str:
    return _SIGNS[match.group()]


def _with_semicolons(text: str, places: Iterator[int]) -> str:
    """A semicolon for the blank at each place, unless a directive needs its line end."""
    parts = []
    copied = 0
    for place in places:
        line_end = text.find("\n", place)
        if text[place] == "\n" and text[line_end + 1 :].lstrip()[:1] == "#":
            continue
        parts += [text[copied:place], ";"]
        copied = place + 1
    parts.append(text[copied:])
    return "".join(parts)


def _erase(text: str, ranges: list[tuple[int, int]]) -> str:
    return "".join(_erased_parts(text, ranges))


def _erased_parts(text: str, ranges: list[tuple[int, int]]) -> Iterator[str]:
    copied = 0
    for start, end in ranges:
        if end <= copied:
            continue
        start = max(start, copied)
        yield text[copied:start]
        yield blanked(text[start:end])
        copied = end
    yield text[copied:]


def _ascii(text: str) -> str:
    """Each character outside ASCII as one: a letter for what can be in a name, a blank for the rest."""
    if text.isascii():
        return text
    return _NOT_ASCII.sub(lambda match: "u" if match.group().isalnum() else " ", text)
