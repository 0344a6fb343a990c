"""cu2mlx report: totals, JSON, unusable files."""

import json
from pathlib import Path

from click.testing import CliRunner, Result

from cu2mlx.cli import main
from cu2mlx.cli.package import read_package

GOOD = "__global__ void twice(const float* x, float* y) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }\n"
REFUSED = "__global__ void timed(long long* t) { t[threadIdx.x] = clock64(); }\n"
BROKEN = "__global__ void broken(float* y) { y[threadIdx.x] = = 1.0f; }\n"


def report(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["report", *(str(a) for a in arguments)])


def test_json_schema(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "a.cu").write_text(GOOD + REFUSED)
    (tmp_path / "sub" / "b.cuh").write_text(BROKEN)
    (tmp_path / "host.cu").write_text("int main() { return 0; }\n")
    (tmp_path / "binary.cu").write_bytes(b"\0\1\2")
    (tmp_path / "notes.txt").write_text(GOOD)
    result = report(tmp_path, "--json")
    assert result.exit_code == 0
    answer = json.loads(result.stdout)
    assert answer["totals"] == {"kernels": 3, "translated": 1, "checked": 1, "refused": 1, "unparsed": 1}
    assert [Path(f["path"]).name for f in answer["files"]] == ["a.cu", "b.cuh"]
    assert [Path(e["path"]).name for e in answer["unusable"]] == ["binary.cu"]
    assert answer["unusable"][0]["code"] == "CU1004"
    kernels = [k for f in answer["files"] for k in f["kernels"]]
    assert [(k["name"], k["line"], k["status"], k["checked"]) for k in kernels] == [
        ("twice", 1, "translated", True),
        ("timed", 2, "refused", None),
        ("broken", 1, "unparsed", None),
    ]
    for kernel in kernels:
        assert set(kernel) == {"name", "line", "status", "checked", "diagnostics"}
        for found in kernel["diagnostics"]:
            assert {"code", "severity", "line", "column", "message"} <= set(found)


def test_text(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(GOOD + REFUSED)
    result = report(tmp_path)
    assert "2 kernels: 1 translated (1 type-checked), 1 refused, 0 unparsed" in result.stdout
    assert "CU3205 clock" in result.stdout
    assert "work left by hand, for one who knows the kernel: minutes for 1 kernel\n" in result.stdout


def test_work_left_comes_in_the_order_of_its_length(tmp_path: Path) -> None:
    rows = "__global__ void rows(float** p) { p[0][threadIdx.x] = 1.0f; }\n"
    (tmp_path / "a.cu").write_text(rows + REFUSED + REFUSED.replace("timed", "again"))
    assert "knows the kernel: minutes for 2 kernels, hours for 1 kernel\n" in report(tmp_path).stdout


def test_nothing_is_written(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(GOOD)
    report(tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["a.cu"]


def test_missing_path(tmp_path: Path) -> None:
    result = report(tmp_path / "missing")
    assert result.exit_code == 2
    assert "error[CU1001]" in result.stderr
    said = json.loads(report(tmp_path / "missing", "--json").stdout)
    assert said["error"]["code"] == "CU1001"


def test_without_the_check(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(GOOD)
    answer = json.loads(report(tmp_path, "--json", "--no-check").stdout)
    assert answer["totals"]["checked"] == 0
    assert answer["files"][0]["kernels"][0]["checked"] is None


def test_a_folder_without_kernels_says_so(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no CUDA here")
    result = report(tmp_path)
    assert result.exit_code == 0
    assert "no __global__ function in the .cu and .cuh files there" in result.stderr
    assert "0 kernels: 0 translated" in result.stdout


def test_nothing_but_unusable_files(tmp_path: Path) -> None:
    (tmp_path / "binary.cu").write_bytes(b"\0\1\2")
    assert report(tmp_path / "binary.cu").exit_code == 2
    (tmp_path / "good.cu").write_text(GOOD)
    assert report(tmp_path).exit_code == 0


def test_headers_are_found_anywhere_in_the_folder(tmp_path: Path) -> None:
    for copy, factor in (("one", 2), ("two", 3)):
        (tmp_path / copy / "common" / "math").mkdir(parents=True)
        (tmp_path / copy / "common" / "math" / "scale.cuh").write_text(
            f"__device__ float scaled(float x) {{ return {factor} * x; }}\n"
        )
        (tmp_path / copy / "cuda").mkdir()
        kernel = GOOD.replace("2.0f * x[threadIdx.x]", "scaled(x[threadIdx.x])")
        (tmp_path / copy / "cuda" / "a.cu").write_text(f"#include <math/scale.cuh>\n{kernel}")
    answer = json.loads(report(tmp_path, "--json").stdout)
    assert answer["totals"] == {"kernels": 2, "translated": 2, "checked": 2, "refused": 0, "unparsed": 0}
    file = tmp_path / "two" / "cuda" / "a.cu"
    assert read_package(tmp_path).header_folders(file)[-1] == tmp_path / "two" / "common"


def test_our_headers_go_before_a_copy_of_the_library(tmp_path: Path) -> None:
    (tmp_path / "third_party" / "glm").mkdir(parents=True)
    (tmp_path / "third_party" / "glm" / "glm.hpp").write_text("namespace glm { struct vec3; }\n")
    (tmp_path / "cuda").mkdir()
    kernel = GOOD.replace("2.0f * x[threadIdx.x]", "glm::vec3(x[threadIdx.x]).y")
    (tmp_path / "cuda" / "a.cu").write_text(f"#include <glm/glm.hpp>\n{kernel}")
    assert json.loads(report(tmp_path, "--json").stdout)["totals"]["checked"] == 1


def test_a_template_for_several_classes_counts_once(tmp_path: Path) -> None:
    text = """
template <int N> struct Times { static constexpr int value = N; };
template <typename F> __global__ void scale(const float* x, float* y) { y[threadIdx.x] = F::value * x[threadIdx.x]; }
void run(const float* x, float* y) { scale<Times<2>><<<1, 32>>>(x, y); scale<Times<3>><<<1, 32>>>(x, y); }
"""
    (tmp_path / "a.cu").write_text(text)
    answer = json.loads(report(tmp_path, "--json").stdout)
    assert [kernel["name"] for kernel in answer["files"][0]["kernels"]] == ["scale_Times_2", "scale_Times_3"]
    assert answer["totals"] == {"kernels": 1, "translated": 1, "checked": 1, "refused": 0, "unparsed": 0}
