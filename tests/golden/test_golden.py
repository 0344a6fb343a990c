"""Every .cu below this folder, with the Metal, module and diagnostics it becomes beside it.

A line `// error: CU3101` or `// warning: CU4201` in the source says that this line raises that code, and every
error and warning raised must be said so. `// flags: -D N=4 --double=float` on the first line sets options.
"""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from cu2mlx.cli.translation import Outcome, outcome_of
from cu2mlx.transpiler.binding.metal import emit_metal
from cu2mlx.transpiler.binding.module import emit_module
from cu2mlx.transpiler.diagnostics import Severity
from cu2mlx.transpiler.diagnostics.text import as_text
from cu2mlx.transpiler.source import SourceFile

FOLDER = Path(__file__).parent
SOURCES = sorted(FOLDER.rglob("*.cu"))
_SAID = re.compile(r"//\s*(error|warning):\s*(CU\d{4})")


def translated(path: Path) -> Outcome:
    """The outcome of one golden source, under the flags of its first line, with paths that hold anywhere."""
    text = path.read_text(encoding="utf-8")
    first = text.split("\n", 1)[0]
    flags = first.partition("// flags:")[2].split()
    defines = {n: v or "1" for n, _, v in (f.partition("=") for f in _values(flags, "-D"))}
    double = "float" if "--double=float" in flags else "refuse"
    source = SourceFile(path.relative_to(FOLDER.parent.parent).as_posix(), text)
    return outcome_of(source, [path.parent], defines, double, _values(flags, "--instantiate"), True)


def _values(flags: list[str], name: str) -> list[str]:
    return [value for flag, value in zip(flags, flags[1:], strict=False) if flag == name]


@pytest.fixture(params=SOURCES, ids=lambda p: p.relative_to(FOLDER).with_suffix("").as_posix())
def source(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def test_texts(source: Path, golden: Callable[[Path, str], None]) -> None:
    outcome = translated(source)
    if outcome.interfaces:
        golden(source.with_suffix(".metal"), emit_metal(outcome.interfaces))
        golden(source.with_suffix(".py.txt"), emit_module(outcome.interfaces, source.name))
    golden(source.with_suffix(".diag"), as_text(outcome.diagnostics) + "\n")


def test_says_what_it_raises(source: Path) -> None:
    outcome = translated(source)
    lines = source.read_text(encoding="utf-8").split("\n")
    said = {(n, m[1], m[2]) for n, line in enumerate(lines, 1) for m in _SAID.finditer(line)}
    raised = {
        (d.span.line, str(d.severity), d.code.code)
        for d in outcome.diagnostics
        if d.severity is not Severity.NOTE and d.span.file.path.endswith(source.name)
    }
    assert raised == said


def test_translated_kernels_type_check(source: Path) -> None:
    for kernel in translated(source).kernels:
        assert kernel.checked is not False, as_text(kernel.diagnostics)
