"""Source text and places in it."""

import bisect
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class SourceFile:
    """One file as read: `text` keeps line ends and non-ASCII characters as they are."""

    path: str
    text: str = field(repr=False)

    @cached_property
    def line_starts(self) -> list[int]:
        starts = [0]
        position = self.text.find("\n")
        while position >= 0:
            starts.append(position + 1)
            position = self.text.find("\n", position + 1)
        return starts

    def line_column(self, offset: int) -> tuple[int, int]:
        """1-based line and column (in characters) of an offset."""
        line = bisect.bisect_right(self.line_starts, offset)
        return line, offset - self.line_starts[line - 1] + 1

    def line_text(self, line: int) -> str:
        """Line `line` (1-based) without its line end."""
        start = self.line_starts[line - 1]
        end = self.line_starts[line] if line < len(self.line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")


@dataclass(frozen=True)
class Span:
    """Characters start..end (end excluded) of one file."""

    file: SourceFile
    start: int
    end: int

    @property
    def line(self) -> int:
        return self.file.line_column(self.start)[0]

    @property
    def column(self) -> int:
        return self.file.line_column(self.start)[1]

    @property
    def text(self) -> str:
        return self.file.text[self.start : self.end]


class UnusableInput(Exception):
    """A file that cannot be worked on at all; `code` is its diagnostic code, the message says what to do."""

    def __init__(self, code: str, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}")
        self.code = code
        self.path = path
        self.message = message


MAXIMUM_BYTES = 4_000_000


def read_source(path: Path) -> SourceFile:
    """Read a CUDA file. Raises UnusableInput where it is missing, empty, binary, not UTF-8 or too large."""
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise UnusableInput("CU1001", str(path), f"cannot be read: {reason}") from error
    if not data.strip():
        raise UnusableInput("CU1002", str(path), "the file is empty")
    if len(data) > MAXIMUM_BYTES:
        size = f"{len(data) / 1e6:.1f} MB; the limit is {MAXIMUM_BYTES / 1e6:.0f} MB"
        raise UnusableInput("CU1003", str(path), f"the file is too large: {size}")
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
        raise UnusableInput("CU1005", str(path), "the file is UTF-16, not UTF-8")
    if b"\0" in data:
        raise UnusableInput("CU1004", str(path), "the file is binary, not CUDA source")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UnusableInput("CU1005", str(path), f"line {line} is not valid UTF-8") from error
    return SourceFile(str(path), text)
