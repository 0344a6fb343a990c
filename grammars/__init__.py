"""Lark grammars and their one loader."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if not __name__.startswith("cu2mlx."):
    raise ImportError(
        "import cu2mlx.grammars: this folder is a room of the cu2mlx package, not a package of its own"
    )

if TYPE_CHECKING:
    from lark import Lark


@cache
def load(name: str, *, start: str = "start") -> "Lark":
    """The LALR parser of `<name>.lark` in this folder, with positions; built once per process."""
    from lark import Lark

    text = Path(__file__).with_name(f"{name}.lark").read_text(encoding="utf-8")
    return Lark(text, start=start, parser="lalr", propagate_positions=True, maybe_placeholders=False)
