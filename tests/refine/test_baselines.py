"""Baselines compute what the float64 reference says, on MLX's CPU back end; what tasks declare is checked."""

import shutil
from pathlib import Path

import pytest
from questions import SEEDS

from cu2mlx.refine.arena import baseline_tolerances
from cu2mlx.refine.baselines import declared, load_baselines
from cu2mlx.refine.evaluate.mlx_operation import arrays_of, from_mlx
from cu2mlx.refine.task import TaskError, load_task
from cu2mlx.runtime.compare import compare_outputs, render
from cu2mlx.runtime.inputs import make_inputs

pytest.importorskip("mlx.core")

TASKS = {
    name: load_task(SEEDS / name) for name in ("attention_decode", "mamba1_scan", "mamba1_scan/step.toml")
}
ROWS = [
    (name, baseline, case.name)
    for name, task in TASKS.items()
    for baseline, _ in declared(task)
    for case in task.spec.cases
    if case.name not in ("no keys yet", "empty")  # MLX divides by a sum of nothing
]


@pytest.mark.parametrize(("name", "baseline", "case"), ROWS)
def test_equals_the_reference(name: str, baseline: str, case: str) -> None:
    task = TASKS[name]
    data = make_inputs(task.spec, task.spec.case(case), seed=1)
    (found,) = (each for each in load_baselines(task) if each.name == baseline)
    outputs = found.operation(data)(arrays_of(data))
    assert set(outputs) == set(task.spec.outputs)
    assert task.reference is not None
    got = {output: from_mlx(array) for output, array in outputs.items()}
    comparison = compare_outputs(
        task.reference(**data.numbers()), got, data.dtypes, baseline_tolerances(task, data)
    )
    assert comparison.same, render(comparison)


@pytest.mark.parametrize("name", ["attention_decode", "mamba1_scan", "mamba1_scan/step.toml"])
def test_no_task_is_compared_with_a_loop_alone(name: str) -> None:
    assert len(declared(TASKS[name])) >= 2


def test_a_long_sequence_in_chunks() -> None:
    """More than one chunk, and an end that is no chunk's."""
    task = TASKS["mamba1_scan"]
    case = task.spec.case("half, ragged")
    assert dict(case.sizes)["length"] > 32 and dict(case.sizes)["length"] % 32


BASELINE = "\n[[optimize.baselines]]\n"


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ('\n[optimize]\nbaselines = "a"\n', r"is written \[\[optimize.baselines\]\]"),
        (BASELINE + 'name = "a"\n', "each has a name and a call"),
        (BASELINE + 'name = "a"\ncall = "baselines.py:f"\nweight = 1\n', "and nothing else"),
        (BASELINE + 'name = "a"\ncall = "none.py:f"\n', "none.py is no Python file"),
        (BASELINE + 'name = "a"\ncall = "reference.py:f"\n', r"defines no function f\(\)"),
    ],
)
def test_bad_declarations(tmp_path: Path, extra: str, message: str) -> None:
    shutil.copytree(SEEDS / "softmax", tmp_path / "softmax")
    file = tmp_path / "softmax" / "task.toml"
    file.write_text(file.read_text() + extra)
    with pytest.raises(TaskError, match=message):
        load_baselines(load_task(file))
