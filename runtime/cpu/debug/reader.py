"""Numbers and DWARF forms read in sequence. Source: DWARF 5, sections 7.5.5 and 7.6."""

from collections.abc import Mapping

from cu2mlx.runtime.cpu.debug.elf import string_at

_FIXED = {
    0x01: 8, 0x05: 2, 0x06: 4, 0x07: 8, 0x0B: 1, 0x0C: 1, 0x11: 1, 0x12: 2, 0x13: 4, 0x14: 8, 0x10: 4,
    0x17: 4, 0x1E: 16, 0x20: 8, 0x25: 1, 0x26: 2, 0x27: 3, 0x28: 4, 0x29: 1, 0x2A: 2, 0x2B: 3, 0x2C: 4,
}  # fmt: skip
_LEB = {0x0F, 0x15, 0x1A, 0x1B, 0x22, 0x23}
_BLOCK_SIZES = {0x0A: 1, 0x03: 2, 0x04: 4}
IMPLICIT_CONST = 0x21


class Reader:
    """A position in a section."""

    def __init__(self, data: bytes, at: int, sections: Mapping[str, bytes]) -> None:
        self.data, self.at, self.sections = data, at, sections

    def number(self, size: int) -> int:
        value = int.from_bytes(self.data[self.at : self.at + size], "little")
        self.at += size
        return value

    def leb(self, *, signed: bool = False) -> int:
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if not byte & 0x80:
                return value - (1 << shift) if signed and byte & 0x40 else value

    def string(self) -> str:
        text = string_at(self.data, self.at)
        self.at = self.data.index(b"\0", self.at) + 1
        return text

    def form(self, form: int) -> str | int:
        """A value of a form (32-bit DWARF); for blocks their length, for strings in a section the text."""
        if form in _FIXED:
            return self.number(_FIXED[form])
        if form in _LEB:
            return self.leb()
        if form == 0x0D:
            return self.leb(signed=True)
        if form == 0x08:
            return self.string()
        if form in (0x0E, 0x1F):
            section = self.sections.get(".debug_str" if form == 0x0E else ".debug_line_str", b"")
            return string_at(section, self.number(4))
        if form == 0x19:  # a flag by its presence
            return 1
        if form in _BLOCK_SIZES or form in (0x09, 0x18):
            size = self.number(_BLOCK_SIZES[form]) if form in _BLOCK_SIZES else self.leb()
            self.at += size
            return size
        raise ValueError(f"unknown DWARF form {form:#x}")
