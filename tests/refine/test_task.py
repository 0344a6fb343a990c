"""Loading tasks: what the seeds give, what is derived, what is refused."""

import shutil
from pathlib import Path

import pytest

from cu2mlx import seeds
from cu2mlx.refine.task import TaskError, load_task

SEEDS = Path(seeds.__file__).parent


def test_softmax() -> None:
    task = load_task(SEEDS / "softmax")
    assert task.name == "softmax"
    assert [(each.name, each.values) for each in task.tunables] == [("BLOCK", (32, 64, 128, 256, 512, 1024))]
    assert len(task.shown) == 4 and len(task.held_out) == 2
    assert "__global__" in task.original and "threadgroup_barrier" in task.seed.header
    assert task.reference is not None


def test_a_named_value_of_the_block_is_tunable() -> None:
    assert [each.name for each in load_task(SEEDS / "block_sum").tunables] == ["threads"]


def test_what_shapes_the_data_is_not_tunable() -> None:
    assert load_task(SEEDS / "attention_forward").tunables == ()


def edited(folder: Path, seed: str, extra: str) -> Path:
    shutil.copytree(SEEDS / seed, folder / seed)
    task = folder / seed / "task.toml"
    task.write_text(task.read_text() + extra)
    return folder / seed


def test_declared_tunables_and_held_out_cases(tmp_path: Path) -> None:
    extra = '\n[optimize]\nheld_out = ["half"]\n[optimize.tunables]\nBLOCK = [256, 64]\n'
    task = load_task(edited(tmp_path, "softmax", extra))
    assert task.tunables[0].values == (64, 256)
    assert [case.name for case in task.held_out] == ["half"]


def test_timed_cases(tmp_path: Path) -> None:
    extra = '\n[[optimize.timed]]\nname = "large"\nrows = 4096\ncols = 512\ntemplate = { T = "__half" }\n'
    (case,) = load_task(edited(tmp_path, "softmax", extra)).timed
    assert (case.name, dict(case.sizes)) == ("large", {"rows": 4096, "cols": 512})
    assert dict(case.template) == {"T": "__half", "BLOCK": 256}


@pytest.mark.parametrize(
    ("seed", "extra", "message"),
    [
        ("softmax", '\n[[optimize.timed]]\nname = "a"\nrows = 1\n', "cols"),
        ("softmax", '\n[[optimize.timed]]\nname = "a"\nrows = "1"\n', "sizes are numbers"),
        ("softmax", "\n[[optimize.timed]]\nrows = 1\n", "needs a name"),
        ("softmax", '\n[optimize]\ntimed = ["a"]\n', "is written"),
        ("softmax", '\n[[cases]]\nname = "a"\nrows = 1\ncols = 1\ndefines = { A = 1 }\n', "defines: differ"),
        ("softmax", '\n[[optimize.timed]]\nname = "a"\ntemplate = { U = 1 }\n', "template.U is not declared"),
        ("softmax", '\n[optimize]\nheld_out = ["none"]\n', "held_out: a list of case names"),
        ("softmax", "\n[optimize.tunables]\nBLOCK = 3\n", "BLOCK: a list of whole numbers"),
        ("softmax", "\n[optimize.tunables]\nTILE = [3]\n", "TILE: is no integer of"),
        ("attention_forward", "\n[optimize.tunables]\nHEAD_DIM = [16, 32]\n", "changes the arguments"),
    ],
)
def test_bad_optimize_tables(tmp_path: Path, seed: str, extra: str, message: str) -> None:
    with pytest.raises(TaskError, match=message):
        load_task(edited(tmp_path, seed, extra))


TRAITS = """struct Twice { static constexpr int times = 2; };
struct Thrice { static constexpr int times = 3; };
template <typename Traits> __global__ void scale(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] *= Traits::times; }
"""
SPEC = """kernel = "scale"
source = "scale.cu"
grid = [1]
block = [64]
[template]
Traits = "Twice"
[args.x]
dtype = "float32"
shape = ["n"]
output = true
init = "normal"
[args.n]
dtype = "int32"
[[cases]]
name = "few"
n = 9
"""


def test_a_template_argument_that_mlx_cannot_pass_is_part_of_the_text(tmp_path: Path) -> None:
    (tmp_path / "scale.cu").write_text(TRAITS)
    spec = tmp_path / "scale.toml"
    spec.write_text(SPEC)
    assert "Twice" in load_task(spec).seed.header + load_task(spec).seed.body
    spec.write_text(SPEC + '[[cases]]\nname = "other"\nn = 9\ntemplate = { Traits = "Thrice" }\n')
    with pytest.raises(
        TaskError, match="template: Traits cannot be passed through MLX and differ between cases"
    ):
        load_task(spec)


LEFT_OUT = """struct Scaled {
    float by;
    __device__ float of(float v) const { return v * by; }
    __device__ float operator()(float v) const { return v * by.factor; }
};
__global__ void scale(float* x, int n) {
    Scaled scaled;
    scaled.by = 2.0f;
    if (threadIdx.x < n) x[threadIdx.x] = scaled.of(x[threadIdx.x]);
}
"""


def test_the_baseline_leaves_out_what_translate_leaves_out(tmp_path: Path) -> None:
    """A method that nobody calls and that does not type-check."""
    (tmp_path / "scale.cu").write_text(LEFT_OUT)
    spec = tmp_path / "scale.toml"
    spec.write_text(SPEC.replace('[template]\nTraits = "Twice"\n', ""))
    header = load_task(spec).seed.header
    assert "scaled" in load_task(spec).seed.body and "of(float v)" in header and "factor" not in header


def test_unusable_paths(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match="cannot be read"):
        load_task(tmp_path / "missing.toml")
    with pytest.raises(TaskError, match="a task is a folder"):
        load_task(SEEDS / "softmax" / "softmax.cu")
