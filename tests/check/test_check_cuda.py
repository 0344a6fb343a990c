"""`cu2mlx check` of a CUDA file: the translation is what is checked."""

from pathlib import Path

from click.testing import CliRunner

from cu2mlx.cli import main


def run(path: Path, text: str) -> tuple[int, str]:
    path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(main, ["check", str(path)])
    return result.exit_code, result.output


def test_good_kernel(tmp_path: Path) -> None:
    code, output = run(tmp_path / "k.cu", "__global__ void k(float* y) { y[threadIdx.x] = 1.0f; }\n")
    assert code == 0
    assert "translated, type-checked" in output


def test_refused_kernel(tmp_path: Path) -> None:
    code, output = run(tmp_path / "k.cu", "__global__ void k(double* y) { y[threadIdx.x] = 1.0; }\n")
    assert code == 1
    assert "CU3101" in output or "CU2103" in output


def test_no_kernel(tmp_path: Path) -> None:
    assert run(tmp_path / "k.cu", "int f() { return 1; }\n")[0] == 2


def test_headers_macros_and_instances_are_found_as_translate_finds_them(tmp_path: Path) -> None:
    (tmp_path / "include").mkdir()
    (tmp_path / "include/h.cuh").write_text("__device__ float twice(float x) { return 2 * x; }\n")
    file = tmp_path / "k.cu"
    file.write_text(
        '#include "h.cuh"\ntemplate <typename T> __global__ void k(T* y) { y[threadIdx.x] = twice(WIDTH); }\n'
    )
    check = ["check", str(file), "-D", "WIDTH=4", "--instantiate", "k<half>"]
    assert CliRunner().invoke(main, check).exit_code == 1
    assert CliRunner().invoke(main, [*check, "-I", str(tmp_path / "include")]).exit_code == 0


def test_double_in_float(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text("__global__ void k(double* y) { y[threadIdx.x] = 1.0; }\n")
    assert CliRunner().invoke(main, ["check", str(file), "--double=float"]).exit_code == 0
