"""Which source line an address of a built library belongs to: a reader of DWARF line tables in ELF files.

Source: the DWARF standard, version 5, section 6.2 (versions 2 to 5 are read), and the ELF-64 object format.
"""

import bisect
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_SHT_SYMTAB = 2
_STT_FUNC = 2


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a line table: from `address` on, the code is of `line` in `file` (None: a gap)."""

    address: int
    file: str | None
    line: int


class Lines:
    """The line table of a library."""

    def __init__(self, library: Path) -> None:
        sections, symbols = _read_elf(library.read_bytes())
        self._rows = sorted(_read_line_tables(sections), key=lambda row: row.address)
        self._addresses = [row.address for row in self._rows]
        self._functions = sorted(symbols)

    def line_in(self, file: str, address: int) -> int | None:
        """The line of `file` (its last path component) that the code at `address` serves.

        Code inlined from elsewhere counts for the last row of `file` before it in the same function.
        """
        start = self._function_start(address)
        index = bisect.bisect_right(self._addresses, address) - 1
        while index >= 0 and self._rows[index].address >= start:
            row = self._rows[index]
            if row.file == file and row.line > 0:
                return row.line
            index -= 1
        return None

    def _function_start(self, address: int) -> int:
        index = bisect.bisect_right(self._functions, address) - 1
        return self._functions[index] if index >= 0 else 0


def _read_elf(data: bytes) -> tuple[dict[str, bytes], list[int]]:
    """Sections by name, and the addresses of functions; nothing for other formats than ELF-64."""
    if data[:5] != b"\x7fELF\x02":
        return {}, []
    table, entry_size, count, names_index = (
        struct.unpack_from("<Q", data, 40)[0],
        *struct.unpack_from("<HHH", data, 58),
    )
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * entry_size) for i in range(count)]
    names = headers[names_index]
    sections, functions = {}, []
    for name, kind, _, _, offset, size, *_ in headers:
        content = data[offset : offset + size]
        sections[_string(data, names[4] + name)] = content
        if kind == _SHT_SYMTAB:
            for _, info, _, _, value, _ in struct.iter_unpack("<IBBHQQ", content):
                if info & 15 == _STT_FUNC and value:
                    functions.append(value)
    return sections, functions


def _read_line_tables(sections: dict[str, bytes]) -> Iterator[Row]:
    data = sections.get(".debug_line", b"")
    at = 0
    while at + 4 <= len(data):
        (length,) = struct.unpack_from("<I", data, at)
        end = at + 4 + length
        yield from _LineProgram(data, at + 4, end, sections).run()
        at = end


class _LineProgram:
    def __init__(self, data: bytes, at: int, end: int, sections: dict[str, bytes]) -> None:
        self._data, self._at, self._end, self._sections = data, at, end, sections
        version = self._number(2)
        if version >= 5:
            self._at += 2  # sizes of an address and a segment selector
        header_length = self._number(4)
        program = self._at + header_length
        self._min_length = self._number(1)
        if version >= 4:
            self._at += 1  # operations per instruction
        self._at += 1  # whether rows are statements by default
        self._line_base = struct.unpack_from("<b", data, self._at)[0]
        self._at += 1
        self._line_range = self._number(1)
        self._opcode_base = self._number(1)
        self._lengths = [self._number(1) for _ in range(self._opcode_base - 1)]
        self._files = self._file_names() if version >= 5 else self._old_file_names()
        self._at = program

    def run(self) -> Iterator[Row]:
        address, file, line = 0, 1, 1
        while self._at < self._end:
            opcode = self._number(1)
            if opcode >= self._opcode_base:
                advance = opcode - self._opcode_base
                address += advance // self._line_range * self._min_length
                line += self._line_base + advance % self._line_range
                yield self._row(address, file, line)
            elif opcode == 0:
                size = self._leb()
                following = self._at + size
                kind = self._number(1)
                if kind == 1:  # end of sequence
                    yield Row(address, None, 0)
                    address, file, line = 0, 1, 1
                elif kind == 2:
                    address = self._number(8)
                self._at = following
            elif opcode == 1:
                yield self._row(address, file, line)
            elif opcode == 2:
                address += self._leb() * self._min_length
            elif opcode == 3:
                line += self._leb(signed=True)
            elif opcode == 4:
                file = self._leb()
            elif opcode == 8:
                address += (255 - self._opcode_base) // self._line_range * self._min_length
            elif opcode == 9:
                address += self._number(2)
            else:
                for _ in range(self._lengths[opcode - 1]):
                    self._leb()

    def _row(self, address: int, file: int, line: int) -> Row:
        return Row(address, self._files.get(file), line)

    def _file_names(self) -> dict[int, str]:
        self._entries()  # folders
        return {index: name.rsplit("/", 1)[-1] for index, name in enumerate(self._entries())}

    def _entries(self) -> list[str]:
        formats = [(self._leb(), self._leb()) for _ in range(self._number(1))]
        names = []
        for _ in range(self._leb()):
            name = ""
            for content, form in formats:
                value = self._form(form)
                if content == 1 and isinstance(value, str):
                    name = value
            names.append(name)
        return names

    def _form(self, form: int) -> str | int:
        if form == 0x08:
            text = _string(self._data, self._at)
            self._at += len(text.encode()) + 1
            return text
        if form in (0x0E, 0x1F):  # offset into .debug_str, .debug_line_str
            section = self._sections.get(".debug_str" if form == 0x0E else ".debug_line_str", b"")
            return _string(section, self._number(4))
        if form == 0x0F:
            return self._leb()
        sizes = {0x0B: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x1E: 16}
        if form not in sizes:
            raise ValueError(f"form {form:#x} in a DWARF line table")
        return self._number(sizes[form])

    def _old_file_names(self) -> dict[int, str]:
        while self._data[self._at]:  # folders
            self._at = self._data.index(b"\0", self._at) + 1
        self._at += 1
        files = {}
        while self._data[self._at]:
            files[len(files) + 1] = _string(self._data, self._at).rsplit("/", 1)[-1]
            self._at = self._data.index(b"\0", self._at) + 1
            for _ in range(3):
                self._leb()
        return files

    def _number(self, size: int) -> int:
        value = int.from_bytes(self._data[self._at : self._at + size], "little")
        self._at += size
        return value

    def _leb(self, *, signed: bool = False) -> int:
        value = shift = 0
        while True:
            byte = self._data[self._at]
            self._at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value - (1 << shift) if signed and byte & 0x40 else value


def _string(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode(errors="replace")
