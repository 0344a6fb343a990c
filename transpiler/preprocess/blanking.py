"""The parse text: what the grammar trips over is blanked, every character is ASCII, the length stays."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cu2mlx.transpiler.preprocess.lexical import structure

_BALANCED = r"\((?:[^()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))*\)"

# Not in the output either: Metal has no such words, or says them in another way.
_DROPPED = re.compile(
    rf"__attribute__\s*{_BALANCED}|\[\[\s*[a-z_][^\[\]]*\]\]|__cluster_dims__\s*{_BALANCED}"
    rf"|__declspec\s*{_BALANCED}|\b(?:__restrict__|__restrict|__forceinline__|__noinline__|__inline__"
    r"|__grid_constant__|__forceinline|__extension__|__nv_pure__|__maxnreg__\s*\(\s*\d+\s*\))(?!\w)"
    r"|(?<=\])(?:\s*__(?:host|device)__)+(?=\s*[({])"
)

# Stays in the output.
_HIDDEN = re.compile(
    rf"\b(?:_Pragma|__pragma)\s*{_BALANCED}|\btypename(?=\s+(?:::)?[A-Za-z_][\w:<>,\s*&]*[({{])"
)

_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_NOT_SPACE = re.compile(r"[^\s]")


@dataclass(frozen=True)
class Blanked:
    parse_text: str
    dropped: tuple[tuple[int, int], ...]


def blank(text: str) -> Blanked:
    """The parse text of a text, and the ranges that must not be in the output."""
    dropped: list[tuple[int, int]] = []
    hidden: list[tuple[int, int]] = []
    code = 0
    for part in structure(text):
        _look(text, code, part.start, dropped, hidden)
        if part.kind == "#pragma":
            hidden.append((part.start, part.end))
        elif part.kind == "#include":
            hidden.append((len(text[: part.end].rstrip()), part.end))
        code = part.end
    _look(text, code, len(text), dropped, hidden)
    return Blanked(_ascii(_erase(text, sorted(dropped + hidden))), tuple(dropped))


def _look(
    text: str, start: int, end: int, dropped: list[tuple[int, int]], hidden: list[tuple[int, int]]
) -> None:
    dropped += (match.span() for match in _DROPPED.finditer(text, start, end))
    hidden += (match.span() for match in _HIDDEN.finditer(text, start, end))


def _erase(text: str, ranges: list[tuple[int, int]]) -> str:
    return "".join(_erased_parts(text, ranges))


def _erased_parts(text: str, ranges: list[tuple[int, int]]) -> Iterator[str]:
    copied = 0
    for start, end in ranges:
        if end <= copied:
            continue
        start = max(start, copied)
        yield text[copied:start]
        yield _NOT_SPACE.sub(" ", text[start:end])
        copied = end
    yield text[copied:]


def _ascii(text: str) -> str:
    """Each character outside ASCII as one: a letter for what can be in a name, a blank for the rest."""
    if text.isascii():
        return text
    return _NOT_ASCII.sub(lambda match: "u" if match.group().isalnum() else " ", text)
