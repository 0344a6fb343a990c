"""cu2mlx translate --gradient: what it writes and prints, its exit codes."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from cu2mlx.cli import main

SCALE = """
__global__ void scale_forward(const float* x, float* y) { y[threadIdx.x] = 3.0f * x[threadIdx.x]; }
__global__ void scale_backward(const float* dy, float* dx) { dx[threadIdx.x] = 3.0f * dy[threadIdx.x]; }
__global__ void scale_other(const float* above, float* dx) { dx[threadIdx.x] = 3.0f * above[threadIdx.x]; }
__global__ void scale_timed(const float* dy, long long* dx) { dx[threadIdx.x] = clock64(); }
"""


def translate(folder: Path, *options: object) -> Result:
    (folder / "k.cu").write_text(SCALE)
    arguments = ["translate", folder / "k.cu", "-o", folder / "out", "--emit", "module", *options]
    return CliRunner().invoke(main, [str(a) for a in arguments])


def module(folder: Path) -> str:
    return (folder / "out" / "k_mlx.py").read_text()


def test_a_pair_becomes_a_function(tmp_path: Path) -> None:
    result = translate(tmp_path, "--gradient", "scale_forward=scale_backward")
    assert result.exit_code == 1  # scale_timed is refused
    assert "scale                            differentiable: scale_forward, scale_backward\n" in result.stdout
    assert "\ndef scale(\n" in module(tmp_path)


def test_a_table_settles_what_names_do_not(tmp_path: Path) -> None:
    refused = translate(tmp_path, "--gradient", "scale_forward=scale_other")
    assert refused.exit_code == 1
    assert "error[CU5101]: cannot tell what scale_other is to be given as above\n  --> " in refused.stderr
    assert "k.cu:4:" in refused.stderr
    assert "def scale_other(" in module(tmp_path) and "custom_function" not in module(tmp_path)
    table = tmp_path / "g.toml"
    table.write_text(
        '[gradient]\nforward = "scale_forward"\nbackward = "scale_other"\nname = "thrice"\n'
        'parameters.above = "cotangent of y"\n'
    )
    assert (
        "thrice                           differentiable" in translate(tmp_path, "--gradient", table).stdout
    )
    assert "\ndef thrice(\n" in module(tmp_path)


def test_a_refused_kernel_makes_no_function(tmp_path: Path) -> None:
    result = translate(tmp_path, "--gradient", "scale_forward=scale_timed")
    assert result.exit_code == 1
    assert "error[CU5105]: no differentiable function: scale_timed is not translated" in result.stderr
    assert "custom_function" not in module(tmp_path)


def test_json(tmp_path: Path) -> None:
    result = translate(tmp_path, "--json", "--gradient", "scale_forward=scale_backward")
    expected = [{"name": "scale", "forward": "scale_forward", "backward": ["scale_backward"]}]
    assert json.loads(result.stdout)["gradients"] == expected
    refused = json.loads(translate(tmp_path, "--json", "--gradient", "scale_forward=scale_other").stdout)
    assert refused["gradients"] == []
    assert [each["code"] for each in refused["diagnostics"]] == ["CU5101"]


def test_what_is_not_there_is_a_usage_error_and_nothing_is_written(tmp_path: Path) -> None:
    result = translate(tmp_path, "--gradient", "scale_forward=missing")
    assert result.exit_code == 2
    assert "--gradient scale_forward=missing: no kernel 'missing'; there are scale_forward, " in result.stderr
    assert not (tmp_path / "out").exists()
