"""Which spec files describe the kernels of a CUDA file: those beside it that name it as their source."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cu2mlx.runtime.spec import Spec, load_spec

FILL = "# FILL"


@dataclass(frozen=True, slots=True)
class Unfilled:
    """A spec file that still has marks for its user; `lines` are 1-based."""

    kernel: str
    path: Path
    lines: tuple[int, ...]


def specs_beside(file: Path) -> Iterator[Spec | Unfilled]:
    """Every spec beside `file`, in the order of their names. Raises SpecError for a broken one."""
    for path in sorted(file.parent.glob("*.toml")):
        try:
            text = path.read_text(encoding="utf-8")
            top = tomllib.loads(text)
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError):
            continue  # someone else's file
        if top.get("source") != file.name or not isinstance(top.get("kernel"), str):
            continue
        marks = tuple(n for n, line in enumerate(text.split("\n"), 1) if FILL in line)
        yield Unfilled(top["kernel"], path, marks) if marks else load_spec(path)


def skeleton_path(file: Path, kernel: str, alone: bool) -> Path:
    """Where the skeleton for a kernel goes: FILE.spec.toml, or one file per kernel."""
    return file.with_name(f"{file.stem}.spec.toml" if alone else f"{file.stem}.{kernel}.spec.toml")
