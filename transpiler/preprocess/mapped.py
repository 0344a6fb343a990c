"""Text that knows where each of its characters came from."""

import bisect
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from cu2mlx.transpiler.preprocess.lexical import Structure, code_only, structure
from cu2mlx.transpiler.source import SourceFile, Span


class Piece(NamedTuple):
    """A run of text from offset `start` on. Copied runs are the file's characters from `source` on;
    written ones (macro expansions) stand for file[source:source_end] as a whole."""

    start: int
    file: SourceFile
    source: int
    source_end: int
    copied: bool


@dataclass(frozen=True)
class Mapped:
    """A text and its pieces, in order."""

    text: str = field(repr=False)
    pieces: tuple[Piece, ...] = field(repr=False)
    starts: tuple[int, ...] = field(repr=False)

    @cached_property
    def structure(self) -> list[Structure]:
        """Its comments, literals and directives."""
        return list(structure(self.text))

    @cached_property
    def code(self) -> str:
        """The text without them: blanks for comments and directives, quotes for literals."""
        return code_only(self.text, self.structure)

    def piece_at(self, offset: int) -> int:
        return max(bisect.bisect_right(self.starts, offset) - 1, 0)

    def origin(self, offset: int) -> Span:
        """The place in a source file that this character comes from (the use, for macro expansions)."""
        piece = self.pieces[self.piece_at(offset)]
        if not piece.copied:
            return Span(piece.file, piece.source, piece.source_end)
        place = min(piece.source + offset - piece.start, len(piece.file.text))
        return Span(piece.file, place, min(place + 1, len(piece.file.text)))

    def span(self, start: int, end: int) -> Span:
        """The places from start to end (excluded) as one span; that of `start` where files differ."""
        first = self.origin(start)
        last = self.origin(max(end - 1, start))
        if last.file is first.file and last.end >= first.start:
            return Span(first.file, first.start, last.end)
        return first


class MappedBuilder:
    """Joins parts of files and of other mapped texts, and new text, into one."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._pieces: list[Piece] = []
        self._length = 0

    def copy_file(self, file: SourceFile, start: int, end: int) -> None:
        if start < end:
            self._pieces.append(Piece(self._length, file, start, end, True))
            self._append(file.text[start:end])

    def copy(self, other: Mapped, start: int, end: int) -> None:
        if start >= end:
            return
        index = other.piece_at(start)
        while index < len(other.pieces) and other.pieces[index].start < end:
            self._pieces.append(_part(other.pieces[index], start, end, self._length - start))
            index += 1
        self._append(other.text[start:end])

    def write(self, text: str, use: Span) -> None:
        if text:
            self._pieces.append(Piece(self._length, use.file, use.start, use.end, False))
            self._append(text)

    def _append(self, text: str) -> None:
        self._texts.append(text)
        self._length += len(text)

    def build(self) -> Mapped:
        return Mapped("".join(self._texts), tuple(self._pieces), tuple(piece.start for piece in self._pieces))


def _part(piece: Piece, start: int, end: int, shift: int) -> Piece:
    """What lies between start and end of a piece, moved by `shift`."""
    begin = max(start, piece.start)
    if not piece.copied:
        return piece._replace(start=begin + shift)
    source = piece.source + begin - piece.start
    source_end = min(piece.source_end, piece.source + end - piece.start)
    return Piece(begin + shift, piece.file, source, source_end, True)
