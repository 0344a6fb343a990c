"""Line tables: which line of which file each address comes from. Source: DWARF 5, section 6.2."""

import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cu2mlx.runtime.cpu.debug.reader import Reader


@dataclass(frozen=True, slots=True)
class Row:
    """From `address` on, the code is of `line` in `file` (its last path component; None: a gap)."""

    address: int
    file: str | None
    line: int


class LineProgram(Reader):
    """The line table at an offset of .debug_line."""

    def __init__(self, at: int, sections: Mapping[str, bytes]) -> None:
        super().__init__(sections.get(".debug_line", b""), at, sections)
        length = self.number(4)
        self._end = self.at + length
        version = self.number(2)
        if version >= 5:
            self.at += 2  # sizes of an address and a segment selector
        header_length = self.number(4)
        program = self.at + header_length
        self._min_length = self.number(1)
        if version >= 4:
            self.at += 1  # operations per instruction
        self.at += 1  # whether rows are statements by default
        self._line_base = struct.unpack_from("<b", self.data, self.at)[0]
        self.at += 1
        self._line_range = self.number(1)
        self._opcode_base = self.number(1)
        self._lengths = [self.number(1) for _ in range(self._opcode_base - 1)]
        self.files = self._file_names() if version >= 5 else self._old_file_names()
        self.at = program

    def rows(self) -> Iterator[Row]:
        address, file, line = 0, 1, 1
        while self.at < self._end:
            opcode = self.number(1)
            if opcode >= self._opcode_base:
                advance = opcode - self._opcode_base
                address += advance // self._line_range * self._min_length
                line += self._line_base + advance % self._line_range
                yield self._row(address, file, line)
            elif opcode == 0:
                size = self.leb()
                following = self.at + size
                kind = self.number(1)
                if kind == 1:  # end of sequence
                    yield Row(address, None, 0)
                    address, file, line = 0, 1, 1
                elif kind == 2:
                    address = self.number(8)
                self.at = following
            elif opcode == 1:
                yield self._row(address, file, line)
            elif opcode == 2:
                address += self.leb() * self._min_length
            elif opcode == 3:
                line += self.leb(signed=True)
            elif opcode == 4:
                file = self.leb()
            elif opcode == 8:
                address += (255 - self._opcode_base) // self._line_range * self._min_length
            elif opcode == 9:
                address += self.number(2)
            else:
                for _ in range(self._lengths[opcode - 1]):
                    self.leb()

    def _row(self, address: int, file: int, line: int) -> Row:
        return Row(address, self.files.get(file), line)

    def _file_names(self) -> dict[int, str]:
        self._entries()  # folders
        return {index: name.rsplit("/", 1)[-1] for index, name in enumerate(self._entries())}

    def _entries(self) -> list[str]:
        formats = [(self.leb(), self.leb()) for _ in range(self.number(1))]
        names = []
        for _ in range(self.leb()):
            name = ""
            for content, form in formats:
                value = self.form(form)
                if content == 1 and isinstance(value, str):
                    name = value
            names.append(name)
        return names

    def _old_file_names(self) -> dict[int, str]:
        while self.data[self.at]:  # folders
            self.string()
        self.at += 1
        files: dict[int, str] = {}
        while self.data[self.at]:
            files[len(files) + 1] = self.string().rsplit("/", 1)[-1]
            for _ in range(3):
                self.leb()
        return files
