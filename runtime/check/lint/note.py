"""A finding of the lint, before its offset becomes a line and a column."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Note:
    offset: int
    rule: str
    message: str
    hint: str = ""
