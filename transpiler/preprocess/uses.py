"""Where macros are used, and with which arguments."""

import re
from dataclasses import dataclass
from functools import cached_property

from cu2mlx.transpiler.preprocess.lexical import Token, token_matches
from cu2mlx.transpiler.preprocess.mapped import Mapped
from cu2mlx.transpiler.preprocess.unit import Macro

_BRACKET = re.compile(r"[()]")
_OPENING = re.compile(r"\s*\(")


@dataclass(frozen=True)
class Use:
    """A use at start..end of the text; `arguments` and, as written, `texts` are None if it has none."""

    name: str
    start: int
    end: int
    arguments: list[list[Token]] | None = None
    texts: list[str] | None = None


@dataclass
class Uses:
    """Finds the uses in one text."""

    text: Mapped

    @cached_property
    def _closing(self) -> dict[int, int]:
        """The place of the ")" for every "(" that has one."""
        closing = {}
        opened: list[int] = []
        for match in _BRACKET.finditer(self.text.code):
            if match.group() == "(":
                opened.append(match.start())
            elif opened:
                closing[opened.pop()] = match.start()
        return closing

    def find(self, start: int, end: int, macro: Macro) -> Use | None:
        """The use of a macro whose name is at start..end; None for a function-like macro's bare name."""
        if macro.parameters is None:
            return Use(macro.name, start, end)
        opening = _OPENING.match(self.text.code, end)
        closing = self._closing.get(opening.end() - 1) if opening is not None else None
        if opening is None or closing is None:
            return None
        arguments, texts = self._arguments(opening.end(), closing)
        return Use(macro.name, start, closing + 1, arguments, texts)

    def _arguments(self, start: int, end: int) -> tuple[list[list[Token]], list[str]]:
        """What is between the commas, as tokens and as text."""
        arguments: list[list[Token]] = [[]]
        texts: list[str] = []
        depth = 0
        begin = start
        lead = ""
        for kind, match in token_matches(self.text.text, start, end):
            token = match.group()
            if kind == "space":
                lead += token
                continue
            if token == "," and depth == 0:
                texts.append(self.text.text[begin : match.start()])
                arguments.append([])
                begin = match.end()
                lead = ""
                continue
            depth += (token == "(") - (token == ")")
            arguments[-1].append(Token(kind, token, lead))
            lead = ""
        texts.append(self.text.text[begin:end])
        return arguments, texts
