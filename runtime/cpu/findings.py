"""Checked mode's findings, from addresses in a library to lines of the kernel's text."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from cu2mlx.runtime.cpu.lines import Lines
from cu2mlx.runtime.protocol import Fault

KERNEL_FILES = ("kernel.metal", "kernel.cu")  # what the translation units call the kernel's text


@dataclass(frozen=True, slots=True)
class Finding:
    """As the host sent it: `site` and `other` are return addresses, innermost first, commas between."""

    kind: str
    message: str
    site: str = ""
    other: str = ""


def faults(library: Path, findings: Sequence[Finding]) -> Iterator[Fault]:
    """The findings with their lines, each line and kind once.

    Threads that wait at one barrier of the text count as together, even where the compiler made copies.
    """
    if not findings:
        return
    seen = set()
    lines = None if sys.platform == "darwin" else Lines(library)
    for finding in findings:
        where = _trace(library, lines, finding.site)
        if finding.other and _trace(library, lines, finding.other) == where:
            continue
        line = where[0] if where else None
        if (finding.kind, line) in seen:
            continue
        seen.add((finding.kind, line))
        yield Fault(finding.kind, finding.message, line, tuple(where[1:]))


def _trace(library: Path, lines: Lines | None, site: str) -> list[int]:
    """The kernel's lines on the way to a site, innermost first."""
    addresses = [int(address) - 1 for address in site.split(",") if address]  # a return address is one past
    if lines is None:
        return _atos(library, addresses)
    return [line for address in addresses for line in lines.lines_in(KERNEL_FILES, address)]


def _atos(library: Path, addresses: Sequence[int]) -> list[int]:
    """The same by macOS's own tool, which reads the .dSYM beside the library."""
    command = ["atos", "-o", str(library), "-l", "0x0", *(hex(address) for address in addresses)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    found = []
    for row in ran.stdout.splitlines():
        place = row.rsplit("(", 1)[-1].rstrip(")")
        file, _, line = place.partition(":")
        if file in KERNEL_FILES and line.isdigit():
            found.append(int(line))
    return found
