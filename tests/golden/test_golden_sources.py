"""Every .cu below this folder, with the Metal, the Python functions and the diagnostics it becomes beside it.

A line `// error: CU3101` or `// warning: CU4201` in the source says that this line raises that code, and every
error and warning raised must be said so. `// flags: -D N=4 --double=float` on the first line sets options.

The support library's own text is left out of the golden Metal, and what every emitted module shares out of the
golden Python: tests/prelude and tests/binding hold them. The type-check sees the whole text.
"""

import ast
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from cu2mlx.cli.translation import Outcome, outcome_of
from cu2mlx.runtime.check import check_msl
from cu2mlx.transpiler.binding.gradient_table import gradient_request
from cu2mlx.transpiler.binding.metal import emit_metal
from cu2mlx.transpiler.binding.module import emit_module
from cu2mlx.transpiler.diagnostics import Severity
from cu2mlx.transpiler.diagnostics.text import as_text
from cu2mlx.transpiler.source import SourceFile

FOLDER = Path(__file__).parent
SOURCES = sorted(FOLDER.rglob("*.cu"))
_SAID = re.compile(r"//\s*(error|warning):\s*(CU\d{4})")
_SUPPORT = re.compile(r"^namespace cu \{\n.*?^\}  // namespace cu\n", re.MULTILINE | re.DOTALL)


def translated(path: Path, *, check: bool = True) -> Outcome:
    """The outcome of one golden source, under the flags of its first line, with paths that hold anywhere."""
    text = path.read_text(encoding="utf-8")
    first = text.split("\n", 1)[0]
    flags = first.partition("// flags:")[2].split()
    defines = {n: v or "1" for n, _, v in (f.partition("=") for f in _values(flags, "-D"))}
    double = "float" if "--double=float" in flags else "refuse"
    source = SourceFile(path.relative_to(FOLDER.parent.parent).as_posix(), text)
    instances = _values(flags, "--instantiate")
    gradients = [gradient_request(each, path.parent) for each in _values(flags, "--gradient")]
    return outcome_of(source, [path.parent], defines, double, instances, check, gradients)


def _values(flags: list[str], name: str) -> list[str]:
    return [value for flag, value in pairwise(flags) if flag == name]


def metal_text(outcome: Outcome) -> str:
    """The emitted Metal, with the names that it uses of the support library in place of its text."""
    text = emit_metal(outcome.interfaces)
    own = _SUPPORT.sub("", text)
    used = dict.fromkeys(re.findall(r"\bcu::(\w+)", own))
    named = f"// support library: {', '.join(f'cu::{name}' for name in used)}\n" if used else ""
    return re.sub(r"\n{3,}", "\n\n", _SUPPORT.sub("", _SUPPORT.sub(named, text, count=1)))


def python_text(outcome: Outcome, name: str) -> str:
    """The functions of the emitted module that stand for kernels."""
    text = emit_module(outcome.interfaces, name, outcome.gradients)
    functions = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    public = [ast.get_source_segment(text, node) or "" for node in functions if node.name[0] != "_"]
    return "\n\n".join(public) + "\n"


@pytest.fixture(
    scope="module", params=SOURCES, ids=lambda p: p.relative_to(FOLDER).with_suffix("").as_posix()
)
def source(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@pytest.fixture(scope="module")
def outcome(source: Path) -> Outcome:
    """Shared by the tests of a source, which the fixtures' scope makes run one after the other."""
    return translated(source)


def test_texts(source: Path, outcome: Outcome, golden: Callable[[Path, str], None]) -> None:
    if outcome.interfaces:
        golden(source.with_suffix(".metal"), metal_text(outcome))
        golden(source.with_suffix(".py.txt"), python_text(outcome, source.name))
    golden(source.with_suffix(".diag"), as_text(outcome.diagnostics) + "\n")


def test_says_what_it_raises(source: Path, outcome: Outcome) -> None:
    lines = source.read_text(encoding="utf-8").split("\n")
    said = {(n, m[1], m[2]) for n, line in enumerate(lines, 1) for m in _SAID.finditer(line)}
    raised = {
        (d.span.line, str(d.severity), d.code.code)
        for d in outcome.diagnostics
        if d.severity is not Severity.NOTE and d.span.file.path.endswith(source.name)
    }
    assert raised == said


def test_translated_kernels_type_check(outcome: Outcome) -> None:
    """CU9 codes are our own faults; a kernel may fail the check for one of its own, which the source says."""
    assert not [d for d in outcome.diagnostics if d.code.code.startswith("CU9")], as_text(outcome.diagnostics)
    assert all(k.checked is not None for k in outcome.kernels if k.kernel.interface is not None)


def test_the_whole_metal_file_type_checks(source: Path, outcome: Outcome) -> None:
    """Kernels of one file share what they reach: nothing is declared twice."""
    if outcome.interfaces:
        assert check_msl(emit_metal(outcome.interfaces), path=source.name) == ()
