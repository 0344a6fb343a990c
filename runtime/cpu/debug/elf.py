"""The sections of an ELF-64 file. Source: the ELF-64 object file format, version 1.5."""

import struct
from pathlib import Path


def read_sections(path: Path) -> dict[str, bytes]:
    """Sections by name; none if the file is no ELF-64."""
    data = path.read_bytes()
    if data[:5] != b"\x7fELF\x02":
        return {}
    (table,) = struct.unpack_from("<Q", data, 40)
    entry_size, count, names_index = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, table + i * entry_size) for i in range(count)]
    names = headers[names_index][4]
    return {string_at(data, names + header[0]): data[header[4] : header[4] + header[5]] for header in headers}


def string_at(data: bytes, at: int) -> str:
    """The zero-terminated string at an offset."""
    return data[at : data.index(b"\0", at)].decode(errors="replace")
