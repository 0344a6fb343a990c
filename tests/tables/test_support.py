"""The support library has what the tables rely on."""

import re

from cu2mlx.transpiler.prelude import available
from cu2mlx.transpiler.tables import all_rows
from cu2mlx.transpiler.tables.types import TYPES

# Still to be written in transpiler/prelude. This list may only shrink.
MISSING = frozenset({"isConstant", "isGlobal", "isGridConstant", "isLocal", "isShared"})


def relied_upon() -> set[str]:
    texts = [text for row in all_rows() for text in (row.spelling, row.narrowed)]
    texts += [text for row in TYPES.values() for text in (row.metal, row.narrowed)]
    return {name for text in texts if text for name in re.findall(r"\bcu::(\w+)", text)}


def test_every_support_function_exists() -> None:
    assert sorted(relied_upon() - available() - MISSING) == []


def test_the_list_of_missing_functions_shrinks() -> None:
    assert sorted(MISSING & available()) == [], "these exist now: take them off the list"
    assert sorted(MISSING - relied_upon()) == [], "nothing relies on these: take them off the list"
