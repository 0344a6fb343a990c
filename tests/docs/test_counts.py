"""What README and docs count in the tree is as many as they say."""

import re
from pathlib import Path

import pytest

from tests.check.sections import read
from tests.check.test_mlx_kernels import CASES

ROOT = Path(__file__).parents[2]
BAD = sum(len(read(path)) for path in (ROOT / "tests" / "check" / "bad").glob("*.metal"))
MLX_KERNELS = sum(len(case.instances.strip().splitlines()) for case in CASES)
CANDIDATES = len(list((ROOT / "refine" / "audit" / "cheats").glob("*.metal")))


@pytest.mark.parametrize(
    ("page", "sentence", "counted"),
    [
        ("README.md", r"(\d+) bad kernels written for the purpose", BAD),
        ("README.md", r"(\d+) of MLX's own kernels pass", MLX_KERNELS),
        ("docs/checking.md", r"holds (\d+) kernels that must be rejected", BAD),
        ("docs/checking.md", r"instantiates (\d+) kernels", MLX_KERNELS),
        ("docs/checking.md", r"from (\d+) groups of MLX's own headers", len(CASES)),
        ("docs/optimizing.md", r"`--audit` runs (\d+) cheating or broken candidates", CANDIDATES - 1),
        ("docs/optimizing.md", r"# (\d+) cheating or broken candidates must be caught", CANDIDATES - 1),
    ],
)
def test_counted(page: str, sentence: str, counted: int) -> None:
    text = " ".join((ROOT / page).read_text(encoding="utf-8").split())
    found = re.search(sentence, text)
    assert found is not None, sentence
    assert int(found[1]) == counted
