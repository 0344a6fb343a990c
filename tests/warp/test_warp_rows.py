"""Warp and group operations, translated: original, translation and CUDA's own definition agree in every thread."""

import pytest

from tests.warp import blocks, groups, shuffles, votes
from tests.warp.family import Family, run, wrong

FAMILIES = (*shuffles.FAMILIES, *votes.FAMILIES, votes.LEGACY, *groups.FAMILIES, *blocks.FAMILIES)


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_family(family: Family) -> None:
    both = run(family)
    assert wrong(family, both.original["out"]) == []
    assert wrong(family, both.translated["out"]) == []
