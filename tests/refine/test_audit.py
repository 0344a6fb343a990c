"""Every cheat of the audit is caught, and for what it is; the honest candidate passes."""

import pytest

from cu2mlx.refine.audit.run import Finding, audit
from cu2mlx.refine.evaluate.verdict import Status
from cu2mlx.runtime.cpu.executor import CpuExecutor

pytestmark = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)


@pytest.fixture(scope="module")
def findings() -> dict[str, Finding]:
    return {finding.exhibit.name: finding for finding in audit()}


def test_there_are_enough(findings: dict[str, Finding]) -> None:
    assert sum(finding.exhibit.expected is not Status.PASSED for finding in findings.values()) >= 14


def test_each_verdict_is_the_expected_one(findings: dict[str, Finding]) -> None:
    wrong = {
        name: f"{finding.verdict.status}, expected {finding.exhibit.expected}: {finding.verdict.message}"
        for name, finding in findings.items()
        if not finding.as_expected
    }
    assert not wrong


def test_where_they_are_caught(findings: dict[str, Finding]) -> None:
    assert findings["left_over"].verdict.stage == "guards"
    assert findings["memoised"].verdict.stage == "guards"
    assert findings["shown_shapes"].verdict.stage == "held-out"
    assert findings["too_many_threads"].verdict.stage == "limits"
