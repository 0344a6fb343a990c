"""Fills a row's spelling with the rendered arguments of one call."""

import re

from cu2mlx.transpiler.tables.index import HANDED
from cu2mlx.transpiler.tables.row import Builtin

PLACEHOLDER = re.compile(r"\{(\w+)(?:=([^{}]*))?\}")

_INNERMOST = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_POSTFIX = re.compile(r"(?:[\w.:]|->|<[\w:,. ]*>(?=#|::)|(?<!\A)#(?!\w)|\A#(?!\w))+")


def spell(row: Builtin, arguments: list[str], *, spelling: str | None = None, **context: str) -> str:
    """The MSL text of a call of `row` with these argument texts.

    `context` fills the named placeholders (`self`, `space0`, `t0`, `flags` …); index values such as `{lane}`
    have their kernel-scope name by default. `spelling` replaces the row's own (`row.narrowed`). Arguments are
    put in parentheses only where an operator of the spelling stands next to them.
    Raises ValueError for a refused row and for a placeholder that nothing fills.
    """
    chosen = row.spelling if spelling is None else spelling
    if chosen is None:
        raise ValueError(f"{row.name} has no MSL spelling ({row.code})")

    def fill(match: re.Match[str]) -> str:
        key, default = match.group(1), match.group(2)
        if key == "arguments":
            return ", ".join(arguments)
        if key.isdigit() and int(key) < len(arguments):
            text = arguments[int(key)]
        else:
            found = context.get(key, default if default is not None else _handed(key))
            if found is None:
                raise ValueError(f"{row.name}: nothing fills {match.group(0)} of {chosen!r}")
            text = found
        return text if _delimited(chosen, match) or is_primary(text) else f"({text})"

    return PLACEHOLDER.sub(fill, chosen)


def placeholders(spelling: str) -> list[tuple[str, str | None]]:
    """(name, default) of each placeholder, in order of appearance."""
    return [(match.group(1), match.group(2)) for match in PLACEHOLDER.finditer(spelling)]


def is_primary(text: str) -> bool:
    """Whether any operator can stand beside `text` without changing what it means."""
    reduced, previous = text.strip(), ""
    while reduced != previous:
        previous, reduced = reduced, _INNERMOST.sub("#", reduced)
    return _POSTFIX.fullmatch(reduced) is not None


def _delimited(spelling: str, match: re.Match[str]) -> bool:
    before, after = spelling[: match.start()].rstrip(), spelling[match.end() :].lstrip()
    return before[-1:] in ("(", ",", "[", "<") and after[:1] in (")", ",", "]", ">")


def _handed(key: str) -> str | None:
    index = HANDED.get(key)
    return None if index is None else index.spelling
