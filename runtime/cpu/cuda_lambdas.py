"""Lambdas that name shared variables, which CUDA keeps in static memory and this machine behind references.

auto put = [](float v) { tile[threadIdx.x] = v; };   ->  [&tile](float v) { … }
auto get = [=](int i) { return tile[i]; };           ->  [=, &tile](int i) { … }, where the array was copied
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from cu2mlx.runtime.cpu.cuda_text import find_closing
from cu2mlx.runtime.msl.tokens import Edit

_WORD_BEFORE = re.compile(r"([\w\])])\s*$|\boperator\s*$")
_RETURN = re.compile(r"\b(?:return|co_return|else|case|do)\s*$")


class Visible(NamedTuple):
    """A shared variable, and where in the text its name means it."""

    name: str
    start: int
    end: int


def visible(name: str, blanked: str, position: int) -> Visible:
    """A variable declared at a position, up to the end of the block around it."""
    depth = 0
    for end in range(position, len(blanked)):
        depth += (blanked[end] == "{") - (blanked[end] == "}")
        if depth < 0:
            return Visible(name, position, end)
    return Visible(name, position, len(blanked))


def captures(blanked: str, shared: list[Visible]) -> Iterator[Edit]:
    """What has to be added to capture lists. `blanked`: the text without its comments and literals."""
    if not shared:
        return
    for opening in re.finditer(r"\[", blanked):
        start, before = opening.start(), blanked[max(0, opening.start() - 40) : opening.start()]
        if blanked[start : start + 2] == "[[" or (_WORD_BEFORE.search(before) and not _RETURN.search(before)):
            continue
        end = find_closing(blanked, start)
        listed = blanked[start + 1 : end].strip()
        if listed.startswith("&") and (listed == "&" or listed[1:].lstrip().startswith(",")):
            continue
        names = dict.fromkeys(
            each.name
            for each in shared
            if each.start < start < each.end and _names(_inside(blanked, end), each.name, listed)
        )
        if names:
            added = ", ".join(f"&{name}" for name in names)
            yield Edit(end, end, f", {added}" if listed else added)


def _inside(blanked: str, end: int) -> tuple[str, str]:
    """The parameters and the body of the lambda whose capture list ends here; empty where it is none."""
    brace = re.compile(r"[{;]").search(blanked, end)
    if brace is None or brace[0] == ";":
        return "", ""
    return blanked[end : brace.start()], blanked[brace.start() : find_closing(blanked, brace.start())]


def _names(inside: tuple[str, str], name: str, listed: str) -> bool:
    word = re.compile(rf"(?<![\w.])(?<!->){re.escape(name)}\b")
    head, body = inside
    return word.search(body) is not None and not word.search(head) and not word.search(listed)
