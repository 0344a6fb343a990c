"""Where the files of a package find its headers: its build, which would say so, is not read."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os.path import commonpath
from pathlib import Path

from cu2mlx.transpiler.pipeline import KNOWN_HEADERS

SOURCES = frozenset({".cu", ".cuh"})
_HEADERS = frozenset({".h", ".hpp", ".hh", ".cuh", ".inl", ".inc"})
_INCLUDED = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([\w./+-]+)[>"]', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Package:
    """A folder of sources. `included` are the names in its #include lines that end like one of its headers,
    with the headers that may be meant."""

    root: Path
    included: Mapping[str, Sequence[Path]]

    def header_folders(self, file: Path) -> list[Path]:
        """The folders above a file with their includes; after them those that make an #include of the package
        find a header of it, the nearest to the file where there are several."""
        above = [folder for folder in file.parents if folder == self.root or self.root in folder.parents]
        found = [*above, *(folder / name for folder in above for name in ("include", "includes"))]
        for name, headers in self.included.items():
            shared = [len(commonpath([header, file])) for header in headers]
            if shared.count(max(shared)) == 1:
                header = headers[shared.index(max(shared))]
                found.append(header.parents[Path(name).as_posix().count("/")])
        return [folder for folder in dict.fromkeys(found) if folder.is_dir()]


def read_package(root: Path) -> Package:
    files = sorted(path for path in root.rglob("*") if path.suffix in _HEADERS | SOURCES and path.is_file())
    headers = [path for path in files if path.suffix in _HEADERS]
    named: dict[str, list[Path]] = {}
    for header in headers:
        named.setdefault(header.name, []).append(header)
    names = {match.decode() for path in files for match in _INCLUDED.findall(path.read_bytes())}
    replaced = {entry.name for entry in KNOWN_HEADERS.iterdir()}  # libraries that our own headers stand for
    included = {}
    for name in sorted(name for name in names if ".." not in name and name.split("/")[0] not in replaced):
        ending = f"/{name}"
        meant = [path for path in named.get(Path(name).name, []) if path.as_posix().endswith(ending)]
        if meant:
            included[name] = meant
    return Package(root, included)
