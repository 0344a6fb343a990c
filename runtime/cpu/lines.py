"""Which source lines an address of a built library belongs to."""

import bisect
from pathlib import Path

from cu2mlx.runtime.cpu.debug.elf import read_sections
from cu2mlx.runtime.cpu.debug.inlined import Inlined, read_units
from cu2mlx.runtime.cpu.debug.line_table import LineProgram, Row


class Lines:
    """The debug information of a library."""

    def __init__(self, library: Path) -> None:
        sections = read_sections(library)
        self._tables: list[tuple[list[Row], list[int], dict[int, str], tuple[Inlined, ...]]] = []
        for unit in read_units(sections):
            program = LineProgram(unit.line_table, sections)
            rows = sorted(program.rows(), key=lambda row: row.address)
            self._tables.append((rows, [row.address for row in rows], program.files, unit.inlined))

    def lines_in(self, files: tuple[str, ...], address: int) -> list[int]:
        """The lines of `files` (last path components) at an address, innermost first.

        The code's own line, then the calls by which it was inlined.
        """
        for rows, addresses, names, inlined in self._tables:
            index = bisect.bisect_right(addresses, address) - 1
            if index < 0 or rows[index].file is None:
                continue
            around = sorted((each for each in inlined if each.low <= address < each.high), key=_size)
            places = [(rows[index].file, rows[index].line)]
            places += [(names.get(each.file), each.line) for each in around]
            return [line for file, line in places if file in files and line > 0]
        return []


def _size(call: Inlined) -> int:
    return call.high - call.low
