"""The codes of our own faults, which no text should raise: raised here by breaking what they guard."""

import pytest

from cu2mlx.cli.translation import Outcome, outcome_of
from cu2mlx.runtime.check import translation as checked_translation
from cu2mlx.runtime.check.finding import Finding
from cu2mlx.transpiler import prelude
from cu2mlx.transpiler.diagnostics.text import as_text
from cu2mlx.transpiler.source import SourceFile

SOURCE = """// two lines before
__global__ void k(const float* x, float* y) {
  float v = x[threadIdx.x];
  y[threadIdx.x] = erff(v);
}
"""


def translated() -> Outcome:
    return outcome_of(SourceFile("k.cu", SOURCE), [], {}, "refuse", [], True)


def test_a_missing_piece_of_the_support_library(monkeypatch: pytest.MonkeyPatch) -> None:
    known = prelude.available()
    monkeypatch.setattr(prelude, "available", lambda: known - {"erf"})
    outcome = translated()
    assert outcome.kernels[0].status == "refused"
    assert "error[CU9001]: cu2mlx failed on this kernel: the support library has no cu::erf" in as_text(
        outcome.diagnostics
    )


def test_metal_that_does_not_type_check_points_at_the_cuda_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def check(text: str, **_: object) -> tuple[Finding, ...]:
        line = next(n for n, each in enumerate(text.split("\n"), 1) if "cu::erf(v)" in each)
        return (Finding(line, 1, "no such function", "", "type-error"),)

    monkeypatch.setattr(checked_translation, "check_msl", check)
    outcome = translated()
    assert outcome.kernels[0].checked is False
    assert outcome.interfaces == []
    (found,) = outcome.diagnostics
    assert (found.code.code, found.span.line, found.kernel) == ("CU9002", 4, "k")
    assert found.hint == "in Metal: y[thread_position_in_threadgroup.x] = cu::erf(v);"
