"""Inlined calls: which stretches of code came from which call. Source: DWARF 5, sections 2.17, 3.3.8 and 7.5."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from cu2mlx.runtime.cpu.debug.reader import IMPLICIT_CONST, Reader

_INLINED = 0x1D
_LOW, _HIGH, _RANGES, _STATEMENTS, _CALL_FILE, _CALL_LINE = 0x11, 0x12, 0x55, 0x10, 0x58, 0x59
_ADDRESS_BASE, _RANGES_BASE = 0x73, 0x74
_ADDRESS = 0x01

Attributes = dict[int, tuple[int, str | int]]  # attribute: form, value


@dataclass(frozen=True, slots=True)
class Inlined:
    """Code in [low, high) inlined at a call in `line` of file number `file` of the unit's line table."""

    low: int
    high: int
    file: int
    line: int


@dataclass(frozen=True, slots=True)
class Unit:
    """A compilation unit: where its line table is, and its inlined calls."""

    line_table: int
    inlined: tuple[Inlined, ...]


def read_units(sections: Mapping[str, bytes]) -> Iterator[Unit]:
    """The compilation units of .debug_info."""
    data = sections.get(".debug_info", b"")
    at = 0
    while at + 4 < len(data):
        reader = _UnitReader(data, at, sections)
        yield reader.read()
        at = reader.end


class _UnitReader(Reader):
    def __init__(self, data: bytes, at: int, sections: Mapping[str, bytes]) -> None:
        super().__init__(data, at, sections)
        length = self.number(4)
        self.end = self.at + length
        self._version = self.number(2)
        if self._version >= 5:
            self.at += 2  # kind of unit, size of an address
            abbreviations = self.number(4)
        else:
            abbreviations = self.number(4)
            self.at += 1
        self._abbreviations = _read_abbreviations(sections, abbreviations)
        self._base = self._address_base = self._ranges_base = 0

    def read(self) -> Unit:
        line_table = 0
        inlined: list[Inlined] = []
        first = True
        while self.at < self.end:
            code = self.leb()
            if code == 0:
                continue
            tag, specifications = self._abbreviations[code]
            attributes: Attributes = {}
            for name, form, constant in specifications:
                value = constant if form == IMPLICIT_CONST else self.form(form)
                attributes[name] = (form, value)
            if first:
                line_table = _number(attributes, _STATEMENTS)
                self._address_base = _number(attributes, _ADDRESS_BASE)
                self._ranges_base = _number(attributes, _RANGES_BASE)
                self._base = self._address(attributes[_LOW]) if _LOW in attributes else 0
                first = False
            elif tag == _INLINED:
                file, line = _number(attributes, _CALL_FILE), _number(attributes, _CALL_LINE)
                inlined += [Inlined(low, high, file, line) for low, high in self._code(attributes)]
        return Unit(line_table, tuple(inlined))

    def _code(self, attributes: Attributes) -> Iterator[tuple[int, int]]:
        if _RANGES in attributes:
            yield from self._range_list(*attributes[_RANGES])
        elif _LOW in attributes and _HIGH in attributes:
            low = self._address(attributes[_LOW])
            form, high = attributes[_HIGH]
            assert isinstance(high, int)
            yield low, high if form == _ADDRESS else low + high

    def _address(self, attribute: tuple[int, str | int]) -> int:
        form, value = attribute
        assert isinstance(value, int)
        return value if form == _ADDRESS else self._indexed(value)

    def _indexed(self, index: int) -> int:
        return Reader(self.sections[".debug_addr"], self._address_base + 8 * index, self.sections).number(8)

    def _range_list(self, form: int, value: str | int) -> Iterator[tuple[int, int]]:
        assert isinstance(value, int)
        if self._version < 5:
            yield from self._old_range_list(value)
            return
        lists = self.sections[".debug_rnglists"]
        if form == 0x23:  # an index into the table of offsets
            value = self._ranges_base + Reader(lists, self._ranges_base + 4 * value, self.sections).number(4)
        reader = Reader(lists, value, self.sections)
        base = self._base
        while kind := reader.number(1):
            if kind == 1:
                base = self._indexed(reader.leb())
            elif kind == 2:
                yield self._indexed(reader.leb()), self._indexed(reader.leb())
            elif kind == 3:
                low = self._indexed(reader.leb())
                yield low, low + reader.leb()
            elif kind == 4:
                yield base + reader.leb(), base + reader.leb()
            elif kind == 5:
                base = reader.number(8)
            elif kind == 6:
                yield reader.number(8), reader.number(8)
            elif kind == 7:
                low = reader.number(8)
                yield low, low + reader.leb()

    def _old_range_list(self, at: int) -> Iterator[tuple[int, int]]:
        reader = Reader(self.sections[".debug_ranges"], at, self.sections)
        base = self._base
        while True:
            low, high = reader.number(8), reader.number(8)
            if low == high == 0:
                return
            if low == (1 << 64) - 1:
                base = high
            else:
                yield base + low, base + high


def _number(attributes: Attributes, name: int) -> int:
    value = attributes.get(name, (0, 0))[1]
    return value if isinstance(value, int) else 0


def _read_abbreviations(
    sections: Mapping[str, bytes], at: int
) -> dict[int, tuple[int, list[tuple[int, int, int]]]]:
    """Code: tag and (attribute, form, constant) of each attribute."""
    reader = Reader(sections[".debug_abbrev"], at, sections)
    table = {}
    while code := reader.leb():
        tag = reader.leb()
        reader.at += 1  # whether it has children: the tree's shape does not matter here
        specifications = []
        while True:
            name, form = reader.leb(), reader.leb()
            constant = reader.leb(signed=True) if form == IMPLICIT_CONST else 0
            if name == form == 0:
                break
            specifications.append((name, form, constant))
        table[code] = (tag, specifications)
    return table
