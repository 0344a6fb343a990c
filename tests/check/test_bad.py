"""Kernels that must be rejected, each at the marked lines, with the marked message, and nowhere else."""

from pathlib import Path

import pytest

from cu2mlx.runtime.check import check_msl
from tests.check.sections import Section, read

BAD = [section for path in sorted((Path(__file__).parent / "bad").glob("*.metal")) for section in read(path)]


@pytest.mark.parametrize("section", BAD, ids=lambda section: section.name)
def test_rejected(section: Section) -> None:
    findings = check_msl(section.text)
    report = "\n".join(map(str, findings)) or "accepted"
    assert section.expected, "a bad kernel needs a mark"
    for expected in section.expected:
        here = [f for f in findings if f.line == expected.line]
        assert any(expected.fragment in f.message and expected.hint in f.hint for f in here), (
            f"line {expected.line}: wanted {expected.fragment!r} {expected.hint!r}\n{report}"
        )
    assert {f.line for f in findings} == {e.line for e in section.expected}, report


def test_enough_of_them() -> None:
    assert len(BAD) >= 64
