"""Every seed's CUDA runs on the CPU machine: equal to its float64 reference, and clean in checked mode."""

from functools import cache
from pathlib import Path

import pytest

from cu2mlx import seeds
from cu2mlx.runtime.compare import compare_outputs, render, tolerances
from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.inputs import Inputs, make_inputs
from cu2mlx.runtime.protocol import Outcome, Status
from cu2mlx.runtime.spec import Case, Spec, cuda_kernel, load_reference, load_spec
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import SourceFile

SPECS = [load_spec(path) for path in sorted(Path(seeds.__file__).parent.glob("*/*.toml"))]
CASES = [(spec, case) for spec in SPECS for case in spec.cases]


@cache
def originals(source: Path) -> dict[str, str]:
    """The CUDA text that each kernel of a file reaches, without host code."""
    translation = translate(SourceFile(str(source), source.read_text(encoding="utf-8")))
    return {kernel.function.name: kernel.original for kernel in translation.kernels}


def label(item: object) -> str:
    return (
        f"{Path(item.path).parent.name}-{item.kernel}"
        if isinstance(item, Spec)
        else getattr(item, "name", "")
    )


def run(spec: Spec, case: Case, *, checked: bool) -> tuple[Inputs, Outcome]:
    inputs = make_inputs(spec, case, seed=1)
    assert spec.source is not None
    text = originals(Path(spec.path).with_name(spec.source))[spec.kernel]
    loaded = CpuExecutor().load(cuda_kernel(inputs.resolved, text), checked=checked)
    return inputs, loaded.run(inputs.arguments, inputs.launch)


@pytest.mark.parametrize(("spec", "case"), CASES, ids=label)
def test_cuda_equals_the_reference(spec: Spec, case: Case) -> None:
    reference = load_reference(spec)
    assert reference is not None
    expected = reference(**make_inputs(spec, case, seed=1).numbers())
    inputs, outcome = run(spec, case, checked=False)
    assert outcome.status is Status.OK, outcome.message
    comparison = compare_outputs(expected, inputs.buffers, inputs.dtypes, tolerances(spec, inputs.dtypes))
    assert comparison.same, render(comparison)


@pytest.mark.parametrize(("spec", "case"), CASES, ids=label)
def test_checked_mode_is_clean(spec: Spec, case: Case) -> None:
    _, outcome = run(spec, case, checked=True)
    assert outcome.status is Status.OK, outcome.message
