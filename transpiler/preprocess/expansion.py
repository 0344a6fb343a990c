"""Macro expansion after the C standard (6.10.3): Prosser's algorithm, with the layout of bodies kept."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from cu2mlx.transpiler.preprocess.lexical import LINE_START, Token, tokens
from cu2mlx.transpiler.preprocess.unit import Macro


class ArgumentCountError(Exception):
    """A use gives a macro more or fewer arguments than it takes."""

    def __init__(self, name: str, wanted: int, given: int) -> None:
        super().__init__(name)
        self.name = name
        self.wanted = wanted
        self.given = given


class ExpansionSizeError(Exception):
    """The expansion passes the limit."""


class Hidden(NamedTuple):
    """A token with the macros it is not to be expanded by any more."""

    kind: str
    text: str
    lead: str
    hidden: frozenset[str]


_NONE: frozenset[str] = frozenset()
_MAXIMUM_DEPTH = 100


@dataclass
class Expander:
    """Expands uses. `defined` gives the macro a name stands for at this place; `wanted` are the names to
    expand, others stay names; `pasting` are those whose arguments must be expanded in full."""

    defined: Mapping[str, Macro]
    wanted: frozenset[str]
    pasting: frozenset[str]
    limit: int = 1_000_000
    _written: int = 0
    _depth: int = 0

    def use(self, name: str, arguments: list[list[Token]] | None, indent: str) -> list[Hidden]:
        """What one use stands for; its lines are indented like the line of the use."""
        macro = self.defined[name]
        given = None
        if arguments is not None:
            given = [[Hidden(*token, _NONE) for token in argument] for argument in arguments]
        replaced = self._substitute(macro, given, frozenset({name}), "", indent, False)
        return self._expand(replaced, indent, False)

    def open_call(self, found: list[Hidden]) -> Macro | None:
        """The function-like macro an expansion ends in the name of: its arguments come after the use."""
        macro = self._macro_of(found[-1], False) if found else None
        return macro if macro is not None and macro.parameters is not None else None

    def go_on(self, found: list[Hidden], arguments: list[list[Token]], indent: str) -> list[Hidden]:
        """An expansion that ends in an open call, with the arguments that come after the use."""
        call = [Hidden("operator", "(", "", _NONE)]
        for position, argument in enumerate(arguments):
            if position:
                call.append(Hidden("operator", ",", "", _NONE))
            call += [Hidden(*token, _NONE) for token in argument]
        call.append(Hidden("operator", ")", "", _NONE))
        return self._expand([*found, *call], indent, False)

    def _expand(self, pending: list[Hidden], indent: str, everything: bool) -> list[Hidden]:
        if self._depth >= _MAXIMUM_DEPTH:
            raise ExpansionSizeError(pending[0].text if pending else "")
        self._depth += 1
        try:
            return self._rescan(pending, indent, everything)
        finally:
            self._depth -= 1

    def _rescan(self, pending: list[Hidden], indent: str, everything: bool) -> list[Hidden]:
        result: list[Hidden] = []
        stack = pending[::-1]
        while stack:
            token = stack.pop()
            macro = self._macro_of(token, everything)
            if macro is None:
                result.append(token)
                continue
            arguments: list[list[Hidden]] | None = None
            hidden = token.hidden
            if macro.parameters is not None:
                if not stack or stack[-1].text != "(":
                    result.append(token)
                    continue
                taken = _take_arguments(stack)
                if taken is None:
                    result.append(token)
                    continue
                arguments, closing = taken
                hidden = hidden & closing.hidden
            hidden = hidden | {macro.name}
            stack += self._substitute(macro, arguments, hidden, token.lead, indent, everything)[::-1]
        return result

    def _macro_of(self, token: Hidden, everything: bool) -> Macro | None:
        if token.kind != "name" or token.text in token.hidden:
            return None
        if not everything and token.text not in self.wanted:
            return None
        return self.defined.get(token.text)

    def _substitute(
        self,
        macro: Macro,
        arguments: list[list[Hidden]] | None,
        hidden: frozenset[str],
        lead: str,
        indent: str,
        everything: bool,
    ) -> list[Hidden]:
        """The body with its parameters replaced, operators # and ## carried out."""
        values = self._bind(macro, arguments)
        in_full = everything or macro.name in self.pasting
        expanded: dict[str, list[Hidden]] = {}
        body = [token._replace(lead=LINE_START.sub(_indented(indent), token.lead)) for token in macro.tokens]
        result: list[Hidden] = []
        index = 0
        while index < len(body):
            token = body[index]
            following = body[index + 1] if index + 1 < len(body) else None
            if token.text == "#" and values is not None and following and following.text in values:
                result.append(Hidden("string", _stringized(values[following.text]), token.lead, _NONE))
                index += 2
                continue
            if token.text == "##" and following is not None and result:
                if values is not None and result[-1].text == "," and following.text == macro.rest:
                    # GNU: ", ## __VA_ARGS__" goes away with its comma when there are none.
                    result += self._expand(values[following.text], indent, in_full) or [result.pop()][:0]
                    index += 2
                    continue
                right = (
                    _led(values[following.text], "")
                    if values and following.text in values
                    else [Hidden(*following._replace(lead=""), _NONE)]
                )
                _paste(result, right)
                index += 2
                continue
            if values is not None and token.kind == "name" and token.text in values:
                value = values[token.text]
                if following is None or following.text != "##":
                    if token.text not in expanded:
                        expanded[token.text] = self._expand(value, indent, in_full)
                    value = expanded[token.text]
                elif not value:
                    # An empty operand of ## is a placemarker: what follows takes its place.
                    value = [Hidden("operator", "", token.lead, _NONE)]
                result += _led(value, token.lead)
            else:
                result.append(Hidden(*token, _NONE))
            index += 1
        self._written += sum(len(token.text) for token in result)
        if self._written > self.limit:
            raise ExpansionSizeError(macro.name)
        return _led([token._replace(hidden=token.hidden | hidden) for token in result if token.text], lead)

    def _bind(self, macro: Macro, arguments: list[list[Hidden]] | None) -> dict[str, list[Hidden]] | None:
        if macro.parameters is None or arguments is None:
            return None
        wanted = len(macro.parameters)
        given = [] if wanted == 0 and arguments == [[]] else arguments
        if macro.variadic and len(given) >= wanted - 1:
            fixed, rest = given[: wanted - 1], given[wanted - 1 :]
            joined: list[Hidden] = []
            for position, argument in enumerate(rest):
                if position:
                    joined.append(Hidden("operator", ",", "", _NONE))
                joined += argument
            given = [*fixed, joined]
        if len(given) != wanted:
            raise ArgumentCountError(macro.name, wanted, len(given))
        return dict(zip(macro.parameters, given, strict=True))


def _indented(indent: str) -> Callable[[re.Match[str]], str]:
    return lambda match: "\n" + indent + match.group()[1:]


def _take_arguments(stack: list[Hidden]) -> tuple[list[list[Hidden]], Hidden] | None:
    """Takes "(", the arguments and ")" off the stack; None (and nothing taken) where the ")" is missing."""
    taken: list[Hidden] = []
    arguments: list[list[Hidden]] = [[]]
    depth = 0
    while stack:
        token = stack.pop()
        taken.append(token)
        if token.text == "(":
            depth += 1
            if depth == 1:
                continue
        elif token.text == ")":
            depth -= 1
            if depth == 0:
                return arguments, token
        elif token.text == "," and depth == 1:
            arguments.append([])
            continue
        arguments[-1].append(token)
    stack += taken[::-1]
    return None


def _led(found: list[Hidden], lead: str) -> list[Hidden]:
    """The tokens with another lead; one that holds a comment stays."""
    return [found[0]._replace(lead=lead), *found[1:]] if found and "/" not in found[0].lead else found


def _stringized(argument: list[Hidden]) -> str:
    parts = []
    for index, token in enumerate(argument):
        if index and token.lead:
            parts.append(" ")
        text = token.text
        if token.kind in ("string", "char"):
            text = text.replace("\\", "\\\\").replace('"', '\\"')
        parts.append(text)
    return '"' + "".join(parts) + '"'


def _paste(result: list[Hidden], right: list[Hidden]) -> None:
    """Joins the last token of `result` with the first of `right`."""
    if not right:
        return
    left = result.pop()
    if left.text == "," and right[0].kind != "operator":
        result += [left, *right]
        return
    joined = tokens(left.text + right[0].text)
    result += [
        Hidden(t.kind, t.text, t.lead, left.hidden & right[0].hidden) for t in _led_tokens(joined, left.lead)
    ]
    result += right[1:]


def _led_tokens(found: list[Token], lead: str) -> list[Token]:
    return [found[0]._replace(lead=lead), *found[1:]] if found else []


def join(found: list[Hidden]) -> str:
    """The tokens as text, with a space where two would otherwise become one, and no empty statements."""
    parts: list[str] = []
    before = ""
    depth = 0
    for token in found:
        depth += (token.text == "(") - (token.text == ")")
        if token.text == before == ";" and not depth:
            continue
        if not token.lead and before and _would_join(before, token.text):
            parts.append(" ")
        parts.append(token.lead)
        parts.append(token.text)
        before = token.text
    return "".join(parts)


def _would_join(left: str, right: str) -> bool:
    if (left[-1].isalnum() or left[-1] == "_") and (right[0].isalnum() or right[0] in '_"'):
        return True
    return left[-1] + right[0] in ("++", "--", "<<", ">>", "&&", "||", "->", "::", "//", "/*", "==", "##")
