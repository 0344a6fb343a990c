"""What the preprocessor hands on."""

from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from cu2mlx.transpiler.diagnostics.model import Diagnostic
from cu2mlx.transpiler.preprocess.condition import DEFAULT_DEFINES
from cu2mlx.transpiler.preprocess.lexical import Token, outdented, tokens
from cu2mlx.transpiler.preprocess.mapped import Mapped
from cu2mlx.transpiler.source import Span


@dataclass(frozen=True)
class Macro:
    """A #define. `parameters` is None for an object-like macro; a variadic one ends in `__VA_ARGS__`
    (or its own name for it, with `variadic` set). `body` has line splices and comments removed;
    `text` is the directive as written."""

    name: str
    parameters: tuple[str, ...] | None
    variadic: bool
    body: str
    span: Span
    text: str = field(repr=False)

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The body's tokens; its lines have lost the indentation they share."""
        return outdented(tokens(self.body))

    @property
    def rest(self) -> str | None:
        """The name of the parameter that takes the remaining arguments."""
        return self.parameters[-1] if self.variadic and self.parameters else None


@dataclass(frozen=True)
class Include:
    """An #include line; `path` is None where the header was not found (then the line stays as it is)."""

    name: str
    path: Path | None
    span: Span


@dataclass(frozen=True)
class Unit:
    """One file ready to be parsed.

    `text` is what is rendered from: found headers spliced in, some macros expanded. `parse_text` has the
    same length and is ASCII, with what the grammar trips over blanked. `dropped` ranges of `text` must not
    be in the output; other blanked parts (#pragma unroll) stay.
    """

    mapped: Mapped = field(repr=False)
    parse_text: str = field(repr=False)
    dropped: tuple[tuple[int, int], ...]
    macros: Mapping[str, Macro]
    expanded: frozenset[str]
    includes: tuple[Include, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def text(self) -> str:
        return self.mapped.text

    def drops(self, start: int, end: int) -> bool:
        """Whether a part of this range of `text` must not be in the output."""
        index = bisect_left(self.dropped, (end, end)) - 1
        return index >= 0 and self.dropped[index][1] > start

    @cached_property
    def conditions(self) -> Mapping[str, str]:
        """The object-like macros that `#if` sees: those of CUDA's compiler, and the unit's own."""
        own = {name: macro.body for name, macro in self.macros.items() if macro.parameters is None}
        return {**DEFAULT_DEFINES, **own}

    def origin(self, offset: int) -> Span:
        """The place in the source file or header of one character of `text`; the use, if a macro made it."""
        return self.mapped.origin(offset)

    def span(self, start: int, end: int) -> Span:
        """The place of a range of `text`."""
        return self.mapped.span(start, end)
