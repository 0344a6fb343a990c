"""The spec files for public packages read, resolve and make inputs; their sources are not needed for that."""

from pathlib import Path

import pytest

from cu2mlx import runtime
from cu2mlx.runtime.inputs import make_inputs
from cu2mlx.runtime.spec import load_spec

SPECS = sorted((Path(runtime.__file__).resolve().parent.parent / "bench" / "specs").glob("*/*.toml"))


def test_there_are_at_least_forty() -> None:
    assert len(SPECS) >= 40


@pytest.mark.parametrize("path", SPECS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_spec_makes_inputs(path: Path) -> None:
    spec = load_spec(path)
    assert spec.source is not None and not Path(spec.source).is_absolute()
    assert spec.description
    for case in spec.cases:
        inputs = make_inputs(spec, case, seed=0)
        threads = inputs.launch.block[0] * inputs.launch.block[1] * inputs.launch.block[2]
        assert 1 <= threads <= 1024
        assert sum(array.nbytes for array in inputs.buffers.values()) < 1 << 24, "too large for a quick check"
