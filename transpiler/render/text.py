"""Source-preserving printing: a node is its own text, except where a rule says it differently."""

import re
import textwrap
from bisect import bisect_left
from collections.abc import Callable

from cu2mlx.transpiler.rules import RULES
from cu2mlx.transpiler.rules.context import DROP, Context
from cu2mlx.transpiler.syntax import Node

# Statements carry invisible marks with their offset, from which the line map of the output is read.
_MARK = re.compile("\x01(\\d+)\x02")
_STATEMENTS = frozenset(
    {"declaration", "expression_statement", "return_statement", "if_statement", "for_statement", "while_statement",
     "do_statement", "switch_statement", "break_statement", "continue_statement", "field_declaration",
     "function_definition"}
)  # fmt: skip
_WHITE = frozenset(" \t\r\n")


def render(node: Node, context: Context) -> str:
    """A node as Metal text; DROP for nothing."""
    rule: Callable[[Node, Context], str | None] | None = RULES.get(node.kind)
    text = rule(node, context) if rule is not None else None
    if text is None:
        text = as_written(node, context)
    if node in context.active:
        before, after = context.active[node]
        text = f"{before}{text}{after}"
    if node.kind in _STATEMENTS and text and text != DROP:
        return f"\x01{node.start}\x02{text}"
    return text


def as_written(node: Node, context: Context) -> str:
    """The source's own text, with the children rendered in place."""
    if not node.children:
        return gap(node.start, node.end, context)
    source = context.text
    whole = not context.unit.drops(node.start, node.end)
    parts: list[str] = []
    position = node.start
    swallow = False
    for child in node.children:
        start, end, kind = child.start, child.end, child.kind
        token = not child.named and end - start == len(kind) and kind not in RULES  # `;`, `+`, `for`
        if token and whole and not swallow:
            continue  # it comes with the text in front of the next child
        between = source[position:start] if whole else gap(position, start, context)
        if swallow:
            line = parts[-1].rpartition("\n")
            if line[1] and line[2].isspace() and between.startswith("\n"):  # nothing else on its line
                parts[-1] = line[0]
            between = between.lstrip(" \t")
            if not between.startswith("\n"):
                between = between.lstrip()
        parts.append(between)
        text = source[start:end] if token else render(child, context)
        swallow = text == DROP
        if not swallow:
            parts.append(text)
        position = end
    parts.append(source[position : node.end] if whole else gap(position, node.end, context))
    return "".join(parts)


def gap(start: int, end: int, context: Context) -> str:
    """Text between nodes (white space, comments, pragmas) without what the preprocessor marked to drop."""
    if start >= end:
        return ""
    text = context.text
    if not context.unit.drops(start, end):
        return text[start:end]
    dropped = context.unit.dropped
    index = bisect_left(dropped, (start, start))
    if index and dropped[index - 1][1] > start:
        index -= 1
    parts: list[str] = []
    position = start
    while index < len(dropped) and dropped[index][0] < end:
        first, last = dropped[index]
        parts.append(text[position : max(first, position)])
        position = min(last, end)
        while position < end and text[position] in " \t" and (not parts[-1] or parts[-1][-1] in _WHITE):
            position += 1
        index += 1
    parts.append(text[position:end])
    return "".join(parts)


def split_marks(text: str) -> tuple[str, dict[int, int]]:
    """Text without marks, and the source offset of each of its 1-based lines that has one."""
    lines: dict[int, int] = {}
    clean: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        mark = _MARK.search(line) if "\x01" in line else None
        if mark is not None:
            lines[number] = int(mark[1])
            line = _MARK.sub("", line)
        clean.append(line)
    return "\n".join(clean), lines


def comment_above(text: str, offset: int) -> str:
    """The comment lines right above a declaration, with the last line end; empty where there are none."""
    start = text.rfind("\n", 0, offset) + 1
    first = offset if text[start:offset].strip() else start
    while first > 0:
        line = text.rfind("\n", 0, first - 1) + 1
        if text[line:first].rstrip().endswith("*/"):
            opening = max(text.rfind("/*", 0, first), 0)
            line = text.rfind("\n", 0, opening) + 1
            comment = not text[line:opening].strip()
        else:
            comment = text[line:first].lstrip().startswith("//")
        if not comment:
            break
        first = line
    return textwrap.dedent(text[first:start])
