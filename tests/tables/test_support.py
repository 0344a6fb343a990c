"""The support library has what the tables rely on."""

import re

from cu2mlx.transpiler.prelude import available
from cu2mlx.transpiler.tables import all_rows
from cu2mlx.transpiler.tables.types import TYPES


def relied_upon() -> set[str]:
    texts = [text for row in all_rows() for text in (row.spelling, row.narrowed)]
    texts += [text for row in TYPES.values() for text in (row.metal, row.narrowed)]
    return {name for text in texts if text for name in re.findall(r"\bcu::(\w+)", text)}


def test_every_support_function_exists() -> None:
    assert sorted(relied_upon() - available()) == []
