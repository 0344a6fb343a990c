"""What the search varies: MSL text and bounded launch numbers, never Python."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from cu2mlx.runtime.msl.tokens import Kind, tokenize

MAXIMUM_TEXT = 256_000  # characters; the largest kernel of the development set is a fifth of it


@dataclass(frozen=True, slots=True)
class Candidate:
    """`header` and `body` as mx.fast.metal_kernel takes them. `grid` (in groups) and `block` (in threads) are
    expressions over the case's sizes, empty for the task's own; `numbers` are values of declared tunables."""

    header: str
    body: str
    grid: tuple[str, ...] = ()
    block: tuple[str, ...] = ()
    numbers: tuple[tuple[str, int], ...] = ()

    @property
    def key(self) -> str:
        """The same for texts that differ in comments and spacing only."""
        parts = [_normal(self.header), _normal(self.body), *self.grid, "", *self.block, ""]
        parts += [f"{name}={value}" for name, value in sorted(self.numbers)]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    @property
    def kernel_name(self) -> str:
        """Of the text alone: candidates that differ in launch numbers are compiled once."""
        text = f"{self.header}\0{self.body}"
        return f"candidate_{hashlib.sha256(text.encode()).hexdigest()[:16]}"

    def with_numbers(self, numbers: Mapping[str, int]) -> "Candidate":
        return replace(self, numbers=tuple(sorted((dict(self.numbers) | dict(numbers)).items())))

    def as_json(self) -> dict[str, Any]:
        return {
            "header": self.header,
            "body": self.body,
            "grid": list(self.grid),
            "block": list(self.block),
            "numbers": dict(self.numbers),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "Candidate":
        return Candidate(
            data["header"],
            data["body"],
            tuple(data["grid"]),
            tuple(data["block"]),
            tuple(sorted(data["numbers"].items())),
        )


# A candidate is compiled to native code by the CPU machine, so what reaches past MSL is refused by word.
_FORBIDDEN = {
    "asm": "inline assembly",
    "__asm": "inline assembly",
    "__asm__": "inline assembly",
    "extern": "linkage to code outside the kernel",
    "__attribute__": "compiler attributes",
    "__attribute": "compiler attributes",
    "__declspec": "compiler attributes",
    "_Pragma": "pragmas inside expressions",
    "engine": "names of the machine that runs it",
    "msl_entry": "names of the machine that runs it",
}
_FORBIDDEN_PREFIXES = ("__builtin_", "__sanitizer_", "__tsan_")
_FOREIGN_ATTRIBUTE = re.compile(r"\[\[\s*(?:using\s+)?(?:gnu|clang|msvc|__gnu__)\b")
_INCLUDE = re.compile(r"^[ \t]*(?:#|%:)[ \t\\\n]*(include\w*|import|embed|line)\b[ \t]*(.*)$", re.MULTILINE)


def forbidden(text: str) -> Iterator[str]:
    """Why a text is refused before anything compiles it; nothing for plain MSL."""
    if len(text) > MAXIMUM_TEXT:
        yield f"{len(text)} characters; the limit is {MAXIMUM_TEXT}"
        return
    for match in _INCLUDE.finditer(text.replace("\\\n", "")):
        if not re.fullmatch(r"<metal_\w+>", match[2].strip()):
            yield f"#{match[1]} {match[2].strip()}: only <metal_…> headers may be included"
    if _FOREIGN_ATTRIBUTE.search(text):
        yield "compiler attributes are not MSL"
    seen = set()
    for token in tokenize(text):
        if token.kind is not Kind.WORD or token.text in seen:
            continue
        seen.add(token.text)
        if token.text in _FORBIDDEN:
            yield f"`{token.text}`: {_FORBIDDEN[token.text]} is not allowed"
        elif token.text.startswith(_FORBIDDEN_PREFIXES):
            yield f"`{token.text}`: compiler builtins are not MSL"
    if "##" in text and any(token.directive and token.text == "##" for token in tokenize(text)):
        yield "`##`: names put together by the preprocessor cannot be checked"


@lru_cache(maxsize=64)
def _normal(text: str) -> str:
    """Without comments and spacing; a tuner asks for the keys of one text with thousands of numbers."""
    return " ".join(token.text for token in tokenize(text))
