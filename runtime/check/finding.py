"""What the checker reports."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One mistake in MSL text. Line and column are 1-based, in characters; `hint` may be empty."""

    line: int
    column: int
    message: str
    hint: str
    rule: str

    def __str__(self) -> str:
        hint = f"\n  hint: {self.hint}" if self.hint else ""
        return f"{self.line}:{self.column}: {self.message} [{self.rule}]{hint}"
