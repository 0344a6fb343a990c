"""Every seed's spec reads, resolves, makes inputs, and its reference answers for each output."""

from pathlib import Path

import numpy as np
import pytest

from cu2mlx import seeds
from cu2mlx.runtime.inputs import make_inputs
from cu2mlx.runtime.spec import Case, Spec, load_reference, load_spec

SPECS = sorted(Path(seeds.__file__).parent.glob("*/*.toml"))
CASES = [(spec, case) for spec in map(load_spec, SPECS) for case in spec.cases]


def label(item: object) -> str:
    return (
        f"{Path(item.path).parent.name}-{item.kernel}"
        if isinstance(item, Spec)
        else getattr(item, "name", "")
    )


def test_there_are_seeds() -> None:
    assert len({path.parent for path in SPECS}) >= 16


@pytest.mark.parametrize("path", SPECS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_seed_is_complete(path: Path) -> None:
    spec = load_spec(path)
    assert spec.source is not None and spec.kernel in path.with_name(spec.source).read_text(encoding="utf-8")
    assert spec.description and load_reference(spec) is not None
    assert len(spec.cases) >= 3
    assert path.with_name("task.toml").is_file()


@pytest.mark.parametrize(("spec", "case"), CASES, ids=label)
def test_the_reference_answers(spec: Spec, case: Case) -> None:
    inputs = make_inputs(spec, case, seed=1)
    reference = load_reference(spec)
    assert reference is not None
    with np.errstate(all="raise", under="ignore"):
        answer = reference(**inputs.numbers())
    assert set(answer) == set(spec.outputs) - inputs.resolved.null
    for name, array in answer.items():
        assert array.shape == inputs.buffers[name].shape, name
        assert not np.isnan(array).any() or spec.operation == "exact", name
