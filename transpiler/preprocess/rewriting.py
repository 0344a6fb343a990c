"""Expanding in place the macros that do not stay."""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from cu2mlx.transpiler.diagnostics import Diagnostic, diagnostic
from cu2mlx.transpiler.preprocess.conditionals import Resolved
from cu2mlx.transpiler.preprocess.definitions import read_define
from cu2mlx.transpiler.preprocess.expansion import ArgumentCountError, Expander, ExpansionSizeError, join
from cu2mlx.transpiler.preprocess.lexical import IDENTIFIER, Structure
from cu2mlx.transpiler.preprocess.macros import is_misuse, pasting, to_expand
from cu2mlx.transpiler.preprocess.mapped import Mapped, MappedBuilder
from cu2mlx.transpiler.preprocess.unit import Macro
from cu2mlx.transpiler.preprocess.uses import Use, Uses

_CONDITIONS = ("#if", "#ifdef", "#ifndef", "#elif", "#elifdef", "#elifndef")


@dataclass
class Definitions:
    """Every macro of a unit: all definitions of each name, and the directives that make them. `meant` are those
    that a compiler sees, the last of each name; `changing` the names that mean more than one thing to it."""

    text: Mapped
    active: set[int]
    known: dict[str, list[Macro]] = field(default_factory=dict)
    at: dict[int, Macro] = field(default_factory=dict)
    conditions: set[str] = field(default_factory=set)
    meant: dict[str, Macro] = field(default_factory=dict)
    changing: set[str] = field(default_factory=set)
    begins: dict[str, int] = field(default_factory=dict)  # where a name is defined first

    @cached_property
    def uses(self) -> Uses:
        return Uses(self.text)

    def pattern(self, names: Iterable[str]) -> re.Pattern[str] | None:
        """What finds those of these names that the text has; None where it has none."""
        present = sorted(name for name in names if name in self.text.text)
        return re.compile(rf"\b(?:{'|'.join(present)})\b") if present else None

    def read(self) -> None:
        for part in self.text.structure:
            rest = self.text.text[part.rest : part.end]
            if part.kind == "#define":
                written = self.text.text[part.start : part.end]
                macro = read_define(rest, self.text.span(part.start, part.end), written)
                if macro is not None:
                    self.at[part.start] = macro
                    self.known.setdefault(macro.name, []).append(macro)
                    if part.start in self.active:
                        self.begins.setdefault(macro.name, part.start)
                        if self.meant.setdefault(macro.name, macro).body != macro.body:
                            self.changing.add(macro.name)
                        self.meant[macro.name] = macro
            elif part.kind == "#undef" and part.start in self.active:
                self.changing.update(IDENTIFIER.findall(rest)[:1])
            elif part.kind in _CONDITIONS:
                self.conditions.update(IDENTIFIER.findall(rest))


@dataclass
class Rewriter:
    """One walk over a text, in which the definitions change as they do for a compiler."""

    definitions: Definitions
    expanded: frozenset[str]
    expander: Expander
    current: dict[str, Macro]
    builder: MappedBuilder = field(default_factory=MappedBuilder)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    used: set[str] = field(default_factory=set)

    @cached_property
    def names(self) -> re.Pattern[str] | None:
        return self.definitions.pattern(self.expanded)

    def run(self) -> Mapped:
        text = self.definitions.text
        copied = code = 0
        for part in [*text.structure, None]:
            end = part.start if part is not None else len(text.text)
            copied = self._code(max(code, copied), end, copied)
            if part is None:
                break
            if part.end > copied and part.kind in ("#define", "#undef"):
                copied = self._directive(part, copied)
            code = part.end
        if not copied:
            return text
        self.builder.copy(text, copied, len(text.text))
        return self.builder.build()

    def _code(self, start: int, end: int, copied: int) -> int:
        text = self.definitions.text
        position = start
        while self.names is not None and (match := self.names.search(text.text, position, end)) is not None:
            position = match.end()
            macro = self.current.get(match.group())
            use = self.definitions.uses.find(match.start(), position, macro) if macro is not None else None
            if use is None:
                continue
            expansion = self._expansion(use)
            position = use.end
            if expansion is not None:
                written, use = expansion
                if text.text[use.end : use.end + 1] == ";":
                    written = written.rstrip(";")
                self.builder.copy(text, copied, use.start)
                self.builder.write(written, text.span(use.start, use.end))
                copied = position = use.end
        return copied

    def _expansion(self, use: Use) -> tuple[str, Use] | None:
        """What a use stands for, and the use with the arguments that an open call in it takes in."""
        text = self.definitions.text
        indent = _indentation(text.text, use.start)
        self.used.add(use.name)
        try:
            found = self.expander.use(use.name, use.arguments, indent)
            while (macro := self.expander.open_call(found)) is not None:
                call = self.definitions.uses.find(use.start, use.end, macro)
                if call is None or call.arguments is None:
                    break
                self.used.add(macro.name)
                found = self.expander.go_on(found, call.arguments, indent)
                use = call
            return join(found), use
        except ArgumentCountError as error:
            details = {"name": error.name, "wanted": error.wanted, "given": error.given}
            self.diagnostics.append(diagnostic("CU1204", text.span(use.start, use.end), None, **details))
        except ExpansionSizeError as error:
            span = text.span(use.start, use.end)
            self.diagnostics.append(diagnostic("CU1208", span, name=str(error), limit=self.expander.limit))
        return None

    def _directive(self, part: Structure, copied: int) -> int:
        """Follows a #define or #undef; leaves out those of macros that are expanded everywhere."""
        text = self.definitions.text
        macro = self.definitions.at.get(part.start)
        if macro is not None:
            name = macro.name
            if part.start in self.definitions.active or name not in self.current:
                self.current[name] = macro
        else:
            name = "".join(IDENTIFIER.findall(text.text, part.rest, part.end)[:1])
            if part.start in self.definitions.active:
                self.current.pop(name, None)
        if name in self.expanded and name not in self.definitions.conditions:
            self.builder.copy(text, copied, part.start)
            return part.end
        return copied


def _indentation(text: str, start: int) -> str:
    line = text.rfind("\n", 0, start) + 1
    end = line
    while end < start and text[end] in " \t":
        end += 1
    return text[line:end]


def find_misuses(definitions: Definitions, candidates: Mapping[str, list[Macro]]) -> set[str]:
    """The macros with a use that breaks the parse, or whose name stands for something else before."""
    text = definitions.text.text
    found: set[str] = set()
    names = definitions.pattern(candidates)
    if names is None:
        return found
    code = 0
    for part in [*definitions.text.structure, None]:
        end = part.start if part is not None else len(text)
        for match in names.finditer(text, code, end):
            name = match.group()
            if name in found:
                continue
            if match.start() < definitions.begins.get(name, 0):  # it is something else until then
                found.add(name)
                continue
            use = definitions.uses.find(match.start(), match.end(), candidates[name][0])
            if use is not None and is_misuse(
                text[max(use.start - 200, 0) : use.start], use.texts, text[use.end : use.end + 200]
            ):
                found.add(name)
        code = part.end if part is not None else end
    return found


def rewrite(
    resolved: Resolved, given: Mapping[str, Macro], hidden: Mapping[str, Macro], taken: Collection[str] = ()
) -> tuple[Mapped, dict[str, Macro], frozenset[str], list[Diagnostic]]:
    """The text with the macros expanded that do not stay, the macros that do, the names of the others. No macro stays
    that is called like what is `taken`.

    `given` come from the command line, `hidden` are expanded where used but are no macros of the unit."""
    definitions = Definitions(resolved.text, resolved.active)
    definitions.known = {name: [macro] for name, macro in {**hidden, **given}.items()}
    definitions.read()
    known = definitions.known
    hidden_only = [name for name in hidden if len(known[name]) == 1 and name not in given]
    hidden_only += [name for name in (*taken, *definitions.changing) if name in known]
    first = to_expand(known, hidden_only)
    misused = find_misuses(definitions, {name: found for name, found in known.items() if name not in first})
    expanded = to_expand(known, [*hidden_only, *misused]) if misused else first
    current = {**hidden, **given}
    rewriter = Rewriter(definitions, expanded, Expander(current, expanded, pasting(known)), current)
    result = rewriter.run()
    kept = {
        name: definitions.meant.get(name, found[-1]) for name, found in known.items() if name not in expanded
    }
    used = expanded.difference(hidden_only) | rewriter.used
    return result, kept, used, rewriter.diagnostics
