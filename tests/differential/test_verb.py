"""The verb: inputs found, guessed or asked for, exit codes, JSON."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cu2mlx import seeds
from cu2mlx.cli.verify import verify

KERNELS = """
__global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}
"""
LAUNCH = """
void run(const float* a, const float* b, float* c) {
  int n = 1 << 12;
  add<<<(n + 127) / 128, 128>>>(a, b, c, n);
}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "add.cu"
    path.write_text(KERNELS, encoding="utf-8")
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(verify, [str(each) for each in arguments])


def test_asks_by_name_and_writes_a_skeleton_once(file: Path) -> None:
    result = run(file)
    spec = file.with_name("add.spec.toml")
    assert result.exit_code == 2 and "n: pass --arg n=N" in result.output and str(spec) in result.output
    text = spec.read_text(encoding="utf-8")
    assert "FILL" in text
    spec.write_text(text + "# mine\n", encoding="utf-8")
    assert run(file).exit_code == 2
    assert spec.read_text(encoding="utf-8").endswith("# mine\n")


def test_a_filled_skeleton_is_used(file: Path) -> None:
    assert run(file).exit_code == 2
    spec = file.with_name("add.spec.toml")
    filled = "\n".join(line.partition("  # FILL")[0] for line in spec.read_text(encoding="utf-8").split("\n"))
    spec.write_text(filled, encoding="utf-8")
    result = run(file)
    assert result.exit_code == 0, result.output
    assert "add: same, bit for bit (12 runs)" in result.output


def test_a_size_is_enough(file: Path) -> None:
    result = run(file, "--arg", "n=1000", "--seed", 3, "--json")
    assert result.exit_code == 0, result.output
    (kernel,) = json.loads(result.output)["kernels"]
    assert kernel["verdict"] == "same"
    assert [case["case"] for case in kernel["cases"]] == ["given", "ragged", "tiny", "empty"]
    assert {case["seed"] for case in kernel["cases"]} == {3}
    assert kernel["cases"][0]["outputs"][0]["max_ulp"] == 0


def test_cases_that_are_left_out_say_why_at_the_files_lines(file: Path) -> None:
    lines = ["// one", "#include <cuda_runtime.h>", "#define LAST 99", *KERNELS.splitlines()]
    file.write_text("\n".join(lines).replace("a[i] +", "a[LAST] +"), encoding="utf-8")
    result = run(file, "--arg", "n=100", "--arg", "grid=1", "--arg", "block=128", "--seed", 0)
    assert result.exit_code == 0, result.output
    left_out = [line for line in result.output.splitlines() if "left out" in line]
    assert left_out
    for line in left_out:
        assert "left out: the original: line 7: out of bounds: " in line
        assert "called from" not in line


def test_callers_are_lines_of_the_file(file: Path) -> None:
    helper = "\n\n__device__ float at(const float* a, int i) {\n  return a[i + 1];\n}\n"
    file.write_text(helper + KERNELS.replace("a[i]", "at(a, i)"), encoding="utf-8")
    assert run(file).exit_code == 2
    spec = file.with_name("add.spec.toml")
    filled = "\n".join(line.partition("  # FILL")[0] for line in spec.read_text(encoding="utf-8").split("\n"))
    spec.write_text(filled, encoding="utf-8")
    result = run(file, "--checked", "--seed", 0)
    assert result.exit_code == 1
    assert f"{file}:4: original: out of bounds: " in result.output
    assert f"{file}:4: translation: out of bounds: " in result.output
    assert result.output.count("(called from line 9)") == result.output.count("out of bounds: ")


def test_an_original_that_fails_on_every_guess(file: Path) -> None:
    file.write_text("__global__ void wild(float* y) { y[1 << 30] = 1.0f; }\n", encoding="utf-8")
    result = run(file)
    assert (
        result.exit_code == 2 and "by its own fault or the guess's (the original: line 1: " in result.output
    )


def test_template_arguments_of_no_kernel(file: Path) -> None:
    result = run(file, "--instantiate", "ad<float>")
    assert result.exit_code == 2 and "no kernel ad; its kernels: add" in result.output


def test_a_name_that_nothing_takes(file: Path) -> None:
    result = run(file, "--arg", "m=1000")
    assert (
        result.exit_code == 2 and "nothing here takes 'm'; there are grid, block, shared, a" in result.output
    )
    assert not file.with_name("add.spec.toml").exists()


def test_host_code_is_enough(file: Path) -> None:
    file.write_text(KERNELS + LAUNCH, encoding="utf-8")
    assert run(file).exit_code == 0


def test_a_difference_and_a_fault(file: Path) -> None:
    file.write_text(KERNELS.replace("i < n", "i <= n"), encoding="utf-8")
    spec = """
kernel = "add"
grid = [2]
block = [64]
args = { a = { dtype = "float32", shape = [100] }, b = { dtype = "float32", shape = [100] }, c = { dtype = "float32", shape = [100], output = true }, n = { dtype = "int32", value = 100 } }
[[cases]]
name = "one too many"
"""
    path = file.with_name("own.toml")
    path.write_text(spec, encoding="utf-8")
    result = run(file, "--spec", path, "--checked")
    assert (
        result.exit_code == 1
        and f"{file}:4: original: " in result.output
        and "out of bounds" in result.output
    )


def test_seeds_need_nothing() -> None:
    result = run(Path(seeds.__file__).parent / "saxpy" / "saxpy.cu", "--seed", 0)
    assert result.exit_code == 0 and "saxpy: same" in result.output


@pytest.mark.skipif(sys.platform == "darwin", reason="Metal may well be here")
def test_what_cannot_run_here(file: Path) -> None:
    result = run(file, "--arg", "n=10", "--on", "metal")
    assert result.exit_code == 3, result.output
    assert "cannot run here" in result.output.lower()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--kernel", "mul"), "no kernel mul; its kernels: add"),
        (("--arg", "n=many"), "say NAME=NUMBER"),
        (("--on", "tpu"), "'tpu' is none of cpu, cuda, metal"),
        (("--spec", "missing.toml"), "missing.toml"),
    ],
)
def test_bad_requests(file: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run(file, *arguments)
    assert result.exit_code == 2 and message in result.output


def test_a_file_of_another_kind(tmp_path: Path) -> None:
    file = tmp_path / "add.metal"
    file.write_text("kernel void add(device float* x [[buffer(0)]]) { x[0] = 1; }\n")
    result = run(file)
    assert result.exit_code == 2
    assert "error[CU1006]: " in result.output and "add.metal: no __global__ function" in result.output


def test_double_in_float_is_double_in_the_original(file: Path) -> None:
    file.write_text(
        "typedef double real;\n__global__ void axpy(double a, const real* x, double2* y, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i].x += a * x[i];\n}\n"
    )
    result = run(file, "--double=float", "--arg", "n=100", "--seed", 0)
    assert result.exit_code == 0 and "axpy: same" in result.output, result.output


def test_a_guess_that_takes_too_long_says_so(file: Path) -> None:
    file.write_text(
        "__global__ void spin(float* x, int n) { for (int i = 0; i >= 0; i = (i + n) % 7) x[0] = i; }\n"
    )
    result = run(file, "--arg", "n=1", "--arg", "grid=1", "--arg", "block=1", "--timeout", "0.5")
    assert result.exit_code == 2 and "pass smaller sizes with --arg" in result.output


def test_a_spec_file_names_the_file_to_give(file: Path) -> None:
    run(file)
    spec = file.with_name("add.spec.toml")
    result = run(spec)
    assert result.exit_code == 2 and f"= help: cu2mlx verify {file} --spec {spec}" in result.output


def test_a_folder_names_its_files(file: Path) -> None:
    result = run(file.parent)
    assert result.exit_code == 2 and "= help: give one of its files: add.cu" in result.output
