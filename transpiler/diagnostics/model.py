"""What a diagnostic is. The rows of all codes stand in `catalogue`."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum

from cu2mlx.transpiler.source import Span


class Severity(StrEnum):
    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Effort(StrEnum):
    """How long a person who knows the kernel needs to lift the obstacle by hand."""

    NONE = "none"
    MINUTES = "minutes"
    HOURS = "hours"
    DAYS = "days"


@dataclass(frozen=True, slots=True)
class Code:
    """One row of the catalogue. `message` and `hint` are format strings over the diagnostic's details."""

    code: str
    slug: str
    severity: Severity
    effort: Effort
    message: str
    hint: str


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One finding at one place; `kernel` is the kernel it belongs to, None for the whole file."""

    code: Code
    span: Span
    message: str
    hint: str
    kernel: str | None = None

    @property
    def severity(self) -> Severity:
        return self.code.severity


@dataclass(slots=True)
class Findings:
    """Collects the diagnostics of one run, each (code, place, kernel) once."""

    found: list[Diagnostic] = field(default_factory=list)
    _seen: set[tuple[str, str, int, str | None]] = field(default_factory=set)

    def add(self, diagnostic: Diagnostic) -> None:
        key = (diagnostic.code.code, diagnostic.span.file.path, diagnostic.span.start, diagnostic.kernel)
        if key not in self._seen:
            self._seen.add(key)
            self.found.append(diagnostic)

    def extend(self, diagnostics: Iterable[Diagnostic]) -> None:
        for diagnostic in diagnostics:
            self.add(diagnostic)
