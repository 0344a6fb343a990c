"""Every seed's translation does what its original does, on every case; both are clean in checked mode."""

from pathlib import Path

import pytest

from cu2mlx import seeds
from cu2mlx.runtime.spec import load_spec
from cu2mlx.runtime.verify import verify_kernel
from cu2mlx.runtime.verify.report import render_kernel
from cu2mlx.transpiler.source import read_source

SPECS = sorted(Path(seeds.__file__).parent.glob("*/*.toml"))


@pytest.mark.parametrize("checked", [False, True], ids=["plain", "checked"])
@pytest.mark.parametrize("path", SPECS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_seed(path: Path, checked: bool) -> None:
    spec = load_spec(path)
    assert spec.source is not None
    result = verify_kernel(
        read_source(path.with_name(spec.source)), spec, seeds=(1,) if checked else (1, 2), checked=checked
    )
    assert result.same, render_kernel(result, str(spec.source))
    assert len(result.cases) == len(spec.cases) * (1 if checked else 2)
