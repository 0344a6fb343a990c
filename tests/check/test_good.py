"""Kernels of our own, each covering a construct, that must pass without a finding."""

from pathlib import Path

import pytest

from cu2mlx.runtime.check import check_msl
from tests.check.sections import Section, read

FOLDER = Path(__file__).parent / "good"
OWN = [s for path in sorted(FOLDER.glob("*.metal")) if path.stem != "mlx" for s in read(path)]
# As MLX hands them over: without a prelude of their own.
MLX = read(FOLDER / "mlx.metal", prelude="")


@pytest.mark.parametrize("section", OWN, ids=lambda section: section.name)
def test_accepted(section: Section) -> None:
    findings = check_msl(section.text)
    assert not findings, "\n".join(map(str, findings))


@pytest.mark.parametrize("section", OWN + MLX, ids=lambda section: section.name)
def test_accepted_with_mlx_preamble(section: Section) -> None:
    findings = check_msl(section.text, mlx_preamble=True)
    assert not findings, "\n".join(map(str, findings))


def test_enough_of_them() -> None:
    assert len(OWN) + len(MLX) >= 25
