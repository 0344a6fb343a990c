"""Which #if stay: those whose branches are whole by themselves. Of the others one branch is chosen."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from cu2mlx.transpiler.diagnostics import Diagnostic, diagnostic
from cu2mlx.transpiler.preprocess.activity import FURTHER, OPENING, Activity
from cu2mlx.transpiler.preprocess.lexical import Structure
from cu2mlx.transpiler.preprocess.mapped import Mapped, MappedBuilder

_CLOSES = {")": "(", "}": "{", "]": "["}


@dataclass
class Branch:
    """One branch: its directive, its body start..end, and whether it is the one the conditions choose."""

    directive: Structure
    start: int
    chosen: bool
    end: int = 0
    inner: list["Conditional"] = field(default_factory=list)


@dataclass
class Conditional:
    branches: list[Branch]
    end: Structure | None = None

    @property
    def chosen(self) -> Branch | None:
        return next((branch for branch in self.branches if branch.chosen), None)


@dataclass
class Reading:
    """One walk over the directives of a text: its conditionals, and which directives are active."""

    text: Mapped
    activity: Activity
    top: list[Conditional] = field(default_factory=list)
    active: set[int] = field(default_factory=set)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _open: list[Conditional] = field(default_factory=list)

    def walk(self, parts: list[Structure]) -> None:
        for part in parts:
            self.activity.step(part.kind, self.text.text[part.rest : part.end])
            if part.kind in OPENING:
                conditional = Conditional([Branch(part, part.end, self.activity.chosen)])
                siblings = self._open[-1].branches[-1].inner if self._open else self.top
                siblings.append(conditional)
                self._open.append(conditional)
            elif part.kind in FURTHER or part.kind == "#endif":
                self._end_branch(part)
            elif self.activity.active:
                self.active.add(part.start)
        for conditional in self._open:
            self._report(conditional.branches[0].directive, "#endif")

    def _end_branch(self, part: Structure) -> None:
        if not self._open:
            self._report(part, "#if")
            return
        conditional = self._open[-1]
        conditional.branches[-1].end = part.start
        if part.kind == "#endif":
            conditional.end = part
            self._open.pop()
        else:
            conditional.branches.append(Branch(part, part.end, self.activity.chosen))

    def _report(self, part: Structure, missing: str) -> None:
        span = self.text.span(part.start, part.end)
        self.diagnostics.append(diagnostic("CU1203", span, directive=part.kind, missing=missing))


@dataclass(frozen=True)
class Resolved:
    """The text with one branch left of every conditional that splits a construct; `active` are the starts of the
    directives that the conditions choose."""

    text: Mapped
    active: set[int]
    diagnostics: tuple[Diagnostic, ...]


def resolve_conditionals(text: Mapped, defines: Mapping[str, str]) -> Resolved:
    """Chooses a branch of every #if that splits a construct; the other #if stay as they are."""
    reading = _read(text, defines)
    removed: list[tuple[int, int]] = []
    notes: list[Diagnostic] = []
    for conditional in reading.top:
        _settle(conditional, text, removed, notes)
    diagnostics = tuple(reading.diagnostics + notes)
    if removed:
        text = _without(text, sorted(removed))
        reading = _read(text, defines)
    return Resolved(text, reading.active, diagnostics)


def _read(text: Mapped, defines: Mapping[str, str]) -> Reading:
    reading = Reading(text, Activity(dict(defines)))
    reading.walk([part for part in text.structure if part.kind.startswith("#")])
    return reading


def _without(text: Mapped, removed: list[tuple[int, int]]) -> Mapped:
    builder = MappedBuilder()
    copied = 0
    for start, end in removed:
        builder.copy(text, copied, start)
        copied = max(copied, end)
    builder.copy(text, copied, len(text.text))
    return builder.build()


def _settle(
    conditional: Conditional,
    text: Mapped,
    removed: list[tuple[int, int]],
    notes: list[Diagnostic],
) -> None:
    """Removes what is not to stay of one conditional, inner ones first."""
    if conditional.end is None:
        return
    for branch in conditional.branches:
        for inner in branch.inner:
            _settle(inner, text, removed, notes)
    if not _splits(conditional, text.code, removed):
        return
    chosen = conditional.chosen
    opening, closing = conditional.branches[0].directive, conditional.end
    name = text.text[chosen.directive.start : chosen.directive.end].strip() if chosen else "nothing"
    span = text.span(opening.start, opening.end)
    notes.append(diagnostic("CU1209", span, directive=opening.kind, branch=name))
    if chosen is None:
        removed[:] = [r for r in removed if not opening.start <= r[0] < closing.end]
        removed.append((opening.start, closing.end))
        return
    removed[:] = [
        r for r in removed if not opening.start <= r[0] < closing.end or chosen.start <= r[0] < chosen.end
    ]
    removed += [(opening.start, chosen.start), (chosen.end, closing.end)]


_BRACKET = re.compile(r"[(){}\[\]]")
_WORD = re.compile(r"\s*([A-Za-z_]\w*)")


def _splits(conditional: Conditional, code: str, removed: list[tuple[int, int]]) -> bool:
    """Whether a branch is not whole: brackets left open, or no statement or declaration boundary around."""
    opening = conditional.branches[0].directive
    if conditional.end is None:
        return False
    before = _last_character(code, opening.start)
    if before not in ";{}:":
        return True
    after = _WORD.match(code, conditional.end.end)
    if after is not None and after[1] in ("else", "catch"):
        return True
    return any(not _is_whole(body) for body in _bodies(conditional, code, removed))


def _bodies(conditional: Conditional, code: str, removed: list[tuple[int, int]]) -> Iterator[str]:
    for branch in conditional.branches:
        parts = []
        copied = branch.start
        for start, end in sorted(r for r in removed if branch.start <= r[0] < branch.end):
            parts.append(code[copied:start])
            copied = max(copied, end)
        parts.append(code[copied : branch.end])
        yield "".join(parts)


def _last_character(code: str, end: int) -> str:
    """The last character of code before `end`, ";" at the start of the file."""
    window = 256
    while True:
        found = code[max(end - window, 0) : end].rstrip()
        if found:
            return found[-1]
        if window >= end:
            return ";"
        window *= 4


def _is_whole(body: str) -> bool:
    stripped = body.strip()
    if not stripped:
        return True
    first = _WORD.match(stripped)
    if first is not None and first[1] in ("else", "catch"):
        return False
    if stripped[-1] not in ";}:":
        return False
    stack: list[str] = []
    for match in _BRACKET.finditer(body):
        bracket = match.group()
        opened = _CLOSES.get(bracket)
        if opened is None:
            stack.append(bracket)
        elif not stack or stack.pop() != opened:
            return False
    return not stack
