"""Each diagnostic's page: there is one, its example raises the code, and the fixed one does not."""

import re
from pathlib import Path

import pytest

from cu2mlx.cli.translation import Outcome, outcome_of
from cu2mlx.transpiler.binding.gradient_table import gradient_request
from cu2mlx.transpiler.diagnostics import CATALOGUE, Severity
from cu2mlx.transpiler.diagnostics.pages import page
from cu2mlx.transpiler.source import SourceFile

PAGES = Path(__file__).parents[2] / "transpiler" / "diagnostics" / "pages"
_BLOCK = re.compile(r"^```cuda\n(.*?)^```$", re.MULTILINE | re.DOTALL)

# Raised by no text: tests/cli and tests/preprocess raise them with files, tests/golden/test_own_faults.py ours.
WITHOUT_TEXT = frozenset(
    {
        "CU1001",
        "CU1002",
        "CU1003",
        "CU1004",
        "CU1005",
        "CU1007",
        "CU1205",
        "CU1206",
        "CU1208",
        "CU9001",
        "CU9002",
    }
)


def examples(code: str) -> list[str]:
    return _BLOCK.findall(page(code))


def translated(text: str) -> Outcome:
    double = "float" if "// flags: --double=float" in text else "refuse"
    gradients = [
        gradient_request(each) for each in re.findall(r"^// flags: --gradient (.*)$", text, re.MULTILINE)
    ]
    return outcome_of(SourceFile("example.cu", text), [], {}, double, [], True, gradients)


def test_each_code_has_a_page_and_each_page_a_code() -> None:
    assert {path.stem for path in PAGES.glob("*.md")} == set(CATALOGUE)


@pytest.mark.parametrize("code", sorted(CATALOGUE))
def test_page_says_why_and_how_to_fix(code: str) -> None:
    text = page(code)
    assert text.startswith(f"# {code}: {CATALOGUE[code].slug}\n")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE)[:2] == ["Why", "How to fix"]
    assert bool(examples(code)) is (code not in WITHOUT_TEXT)


@pytest.mark.parametrize("code", sorted(set(CATALOGUE) - WITHOUT_TEXT))
def test_example_raises_its_code(code: str) -> None:
    """Other errors may follow from the first, never come before it; a note may explain an error."""
    diagnostics = translated(examples(code)[0]).diagnostics
    assert code in {d.code.code for d in diagnostics}
    errors = [d.code.code for d in diagnostics if d.severity is Severity.ERROR]
    assert not errors or errors[0] == code or CATALOGUE[code].severity is Severity.NOTE


@pytest.mark.parametrize("code", sorted(c for c in set(CATALOGUE) - WITHOUT_TEXT if len(examples(c)) > 1))
def test_fixed_example_translates(code: str) -> None:
    outcome = translated(examples(code)[1])
    assert outcome.diagnostics == ()
    assert outcome.kernels and all(kernel.good for kernel in outcome.kernels)
