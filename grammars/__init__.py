"""Lark grammars and their one loader."""

import sys
from functools import cache
from importlib.util import cache_from_source
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
    """The LALR parser of `<name>.lark` in this folder, with positions; built once, and kept where Python keeps the
    modules that it compiled, if it does: lark builds it again where the grammar or lark itself has changed."""
    from lark import Lark

    text = Path(__file__).with_name(f"{name}.lark").read_text(encoding="utf-8")
    kept = Path(cache_from_source(__file__)).with_name(f"{name}-{start}.lalr")
    return Lark(
        text,
        start=start,
        parser="lalr",
        propagate_positions=True,
        maybe_placeholders=False,
        cache=False if sys.dont_write_bytecode else str(kept),
    )
