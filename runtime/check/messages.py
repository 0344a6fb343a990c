"""Clang's diagnostics in Metal's words."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from cu2mlx.runtime.check.finding import Finding

if TYPE_CHECKING:
    from clang.cindex import Diagnostic, TranslationUnit


def problems(unit: "TranslationUnit", path: str) -> Iterator[Finding]:
    for diagnostic in unit.diagnostics:
        yield Finding(diagnostic.location.line, diagnostic.location.column, diagnostic.spelling+str([(str(diagnostic.location.file)[-12:])+str(c.location.line)+":"+c.spelling for c in diagnostic.children][:4]), "", "clang")
