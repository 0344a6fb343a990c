"""Splicing in the headers that are found: relative to the file, or on the include path."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from cu2mlx.transpiler.diagnostics import Diagnostic, diagnostic
from cu2mlx.transpiler.preprocess.activity import Activity
from cu2mlx.transpiler.preprocess.lexical import Structure, structure
from cu2mlx.transpiler.preprocess.mapped import Mapped, MappedBuilder
from cu2mlx.transpiler.preprocess.unit import Include
from cu2mlx.transpiler.source import SourceFile, Span, UnusableInput, read_source

MAXIMUM_DEPTH = 64

_OPERAND = re.compile(r'\s*(?:"([^"\n]+)"|<([^>\n]+)>)')
_GUARD_NAME = re.compile(r"\s*(?:!\s*defined\s*\(?\s*)?([A-Za-z_]\w*)")


@dataclass
class Splicer:
    """Joins one file and its headers; each header once, as if all had include guards. In branches that the
    conditions do not choose the lines stay."""

    directories: Sequence[Path]
    activity: Activity
    builder: MappedBuilder = field(default_factory=MappedBuilder)
    includes: list[Include] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    _seen: set[Path] = field(default_factory=set)

    def splice(self, file: SourceFile) -> Mapped:
        path = Path(file.path)
        if path.exists():
            self._seen.add(path.resolve())
        self._add(file, 0)
        return self.builder.build()

    def _add(self, file: SourceFile, depth: int) -> None:
        parts = list(structure(file.text))
        self._report_unterminated(file, parts)
        directives = [part for part in parts if part.kind.startswith("#")]
        left_out = _guard_lines(file.text, directives) if depth else set()
        copied = 0
        opened = self.activity.depth
        for part in directives:
            self.activity.step(part.kind, file.text[part.rest : part.end])
            header = self._header(file, part, depth)
            if header is not None or part.start in left_out:
                self.builder.copy_file(file, copied, part.start)
                copied = part.end
            if header is not None:
                self._add(header, depth + 1)
        while self.activity.depth > opened:
            self.activity.step("#endif", "")
        self.builder.copy_file(file, copied, len(file.text))
        if depth and file.text and not file.text.endswith("\n"):
            self.builder.write("\n", Span(file, len(file.text), len(file.text)))

    def _header(self, file: SourceFile, part: Structure, depth: int) -> SourceFile | None:
        """The header this directive brings in; an empty one if it is there already, None to keep the line."""
        if part.kind not in ("#include", "#include_next") or not self.activity.active:
            return None
        operand = _OPERAND.match(file.text, part.rest, part.end)
        if operand is None:
            return None
        span = Span(file, part.start, part.end)
        name = operand[1] or operand[2]
        path = self._find(name, Path(file.path).parent if operand[1] else None)
        self.includes.append(Include(name, path, span))
        if path is None:
            return None
        resolved = path.resolve()
        if resolved in self._seen:
            return SourceFile(str(path), "")
        if depth >= MAXIMUM_DEPTH:
            self.diagnostics.append(diagnostic("CU1205", span, name=name, limit=MAXIMUM_DEPTH))
            return None
        self._seen.add(resolved)
        try:
            return read_source(path)
        except UnusableInput as error:
            self.diagnostics.append(diagnostic("CU1206", span, name=name, reason=error.message))
            return None

    def _find(self, name: str, beside: Path | None) -> Path | None:
        for directory in ([beside] if beside is not None else []) + list(self.directories):
            path = directory / name
            if path.is_file():
                return path
        return None

    def _report_unterminated(self, file: SourceFile, parts: list[Structure]) -> None:
        for part in parts:
            if part.kind == "open_comment":
                self.diagnostics.append(diagnostic("CU1201", Span(file, part.start, part.start + 2)))
            elif part.kind in ("open_string", "open_raw"):
                self.diagnostics.append(diagnostic("CU1202", Span(file, part.start, part.start + 1)))


def _guard_lines(text: str, directives: list[Structure]) -> set[int]:
    """The starts of a header's include-guard lines, which say nothing once it is spliced in."""
    once = {
        part.start
        for part in directives
        if part.kind == "#pragma" and text[part.rest : part.end].split() == ["once"]
    }
    if len(directives) < 3:
        return once
    first, second, last = directives[0], directives[1], directives[-1]
    opened = first.kind == "#ifndef" or (first.kind == "#if" and "!" in text[first.rest : first.end])
    if not opened or second.kind != "#define" or last.kind != "#endif" or text[last.end :].strip():
        return once
    name = _GUARD_NAME.match(text, first.rest)
    if name is None or text[second.rest : second.end].split() != [name[1]] or not _closes(directives):
        return once
    return once | {first.start, second.start, last.start}


def _closes(directives: list[Structure]) -> bool:
    """Whether the last directive closes the first, with no #else of its own between."""
    depth = 0
    for index, part in enumerate(directives):
        if part.kind in ("#if", "#ifdef", "#ifndef"):
            depth += 1
        elif part.kind == "#endif":
            depth -= 1
            if depth == 0:
                return index == len(directives) - 1
        elif depth == 1 and part.kind in ("#else", "#elif"):
            return False
    return False
