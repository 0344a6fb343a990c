"""cu2mlx translate: what it writes, what it prints, its exit codes."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from cu2mlx.cli import main
from cu2mlx.transpiler.diagnostics import CATALOGUE

GOOD = "__global__ void twice(const float* x, float* y) { y[threadIdx.x] = 2.0f * x[threadIdx.x]; }\n"
REFUSED = "__global__ void timed(long long* t) { t[threadIdx.x] = clock64(); }\n"
WARNED = '__global__ void loud(float* y) { printf("hi"); y[threadIdx.x] = 1.0f; }\n'
BROKEN = "__global__ void broken(float* y) { y[threadIdx.x] = = 1.0f; }\n"


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


def translate(folder: Path, source: str | bytes, *options: object) -> Result:
    """Translate a file k.cu of `folder` into folder/out."""
    file = folder / "k.cu"
    file.write_bytes(source.encode() if isinstance(source, str) else source)
    return run("translate", file, "-o", folder / "out", *options)


def written(folder: Path) -> list[str]:
    return sorted(p.name for p in (folder / "out").iterdir()) if (folder / "out").exists() else []


UNUSABLE: dict[str, tuple[str | bytes, str]] = {
    "empty": ("", "CU1002"),
    "white space": (" \n\t\n", "CU1002"),
    "5 MB": (GOOD + "// filler\n" * 500_000, "CU1003"),
    "binary": (b"\x7fELF\x02\x01\x01\x00\x00", "CU1004"),
    "UTF-16": (GOOD.encode("utf-16"), "CU1005"),
    "UTF-16 without its mark": (GOOD.encode("utf-16-le"), "CU1004"),
    "Latin-1": ("// größer\n".encode("latin-1") + GOOD.encode(), "CU1005"),
    "no kernel": ("int add(int a, int b) { return a + b; }\n", "CU1006"),
    "syntax error": (BROKEN, "CU1101"),
    "missing brace": ("__global__ void k(float* x) { x[0] = 1;", "CU1102"),
    "prose": ("Dear reader, this is no CUDA.\n", "CU1006"),
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_unusable_input_ends_with_a_code_and_nothing_written(name: str, tmp_path: Path) -> None:
    source, code = UNUSABLE[name]
    result = translate(tmp_path, source)
    assert result.exit_code == 2
    assert f"error[{code}]" in result.stderr
    assert "k.cu" in result.stderr
    assert f"= help: {CATALOGUE[code].hint}" in result.stderr
    assert written(tmp_path) == []


@pytest.mark.parametrize(
    "name", [n for n, (_, code) in UNUSABLE.items() if code in ("CU1002", "CU1004", "CU1005")]
)
def test_unusable_input_as_json(name: str, tmp_path: Path) -> None:
    source, code = UNUSABLE[name]
    result = translate(tmp_path, source, "--json")
    assert result.exit_code == 2
    answer = json.loads(result.stdout)
    assert answer["path"].endswith("k.cu")
    assert answer["error"]["code"] == code
    assert answer["error"]["message"]


def test_missing_file_and_folder(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.cu", tmp_path):
        result = run("translate", path, "-o", tmp_path / "out")
        assert result.exit_code == 2
        assert "error[CU1001]" in result.stderr
        assert str(path) in result.stderr
    assert written(tmp_path) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_file(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(GOOD)
    file.chmod(0)
    result = run("translate", file, "-o", tmp_path / "out")
    assert result.exit_code == 2
    assert "error[CU1001]" in result.stderr


def test_good_file(tmp_path: Path) -> None:
    result = translate(tmp_path, GOOD)
    assert result.exit_code == 0, result.output
    assert written(tmp_path) == ["k.metal", "k_mlx.py"]
    assert "twice" in result.stdout and "translated, type-checked" in result.stdout
    assert str(tmp_path / "out" / "k.metal") in result.stdout
    assert result.stderr == ""


def test_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    result = translate(tmp_path, b"\xef\xbb\xbf// note\r\n" + GOOD.replace("\n", "\r\n").encode())
    assert result.exit_code == 0, result.output


def test_partial_output(tmp_path: Path) -> None:
    result = translate(tmp_path, GOOD + REFUSED)
    assert result.exit_code == 1
    assert "error[CU3205]" in result.stderr
    assert "refused: CU3205" in result.stdout
    metal = (tmp_path / "out" / "k.metal").read_text()
    assert "void twice(" in metal
    assert "timed" not in metal


def test_nothing_is_written_where_all_kernels_are_refused(tmp_path: Path) -> None:
    result = translate(tmp_path, REFUSED)
    assert result.exit_code == 1
    assert written(tmp_path) == []


def test_warnings_do_not_count_as_refusal(tmp_path: Path) -> None:
    result = translate(tmp_path, WARNED)
    assert result.exit_code == 0
    assert "warning[CU4201]" in result.stderr


def test_a_kernel_that_fails_the_check_says_with_what(tmp_path: Path) -> None:
    large = GOOD.replace("{ y", "{ __shared__ float s[16384]; s[threadIdx.x] = 1.0f; y").replace(
        "2.0f", "s[0]"
    )
    result = translate(tmp_path, large)
    assert result.exit_code == 1
    assert "twice                            translated, fails the type-check: CU5001" in result.stdout


def test_a_header_that_is_not_there_is_named_where_something_is_missing(tmp_path: Path) -> None:
    include = '#include "ops.cuh"\n'
    assert translate(tmp_path, include + GOOD).stderr == ""
    missing = translate(tmp_path, include + GOOD.replace("2.0f *", "scale() *"))
    assert missing.exit_code == 1
    assert "note[CU1211]: ops.cuh was not found" in missing.stderr and "error[CU2001]" in missing.stderr


@pytest.mark.parametrize(
    ("emit", "files"), [("module", ["k_mlx.py"]), ("metal", ["k.metal"]), ("all", ["k.metal", "k_mlx.py"])]
)
def test_emit(emit: str, files: list[str], tmp_path: Path) -> None:
    assert translate(tmp_path, GOOD, "--emit", emit).exit_code == 0
    assert written(tmp_path) == files


@pytest.mark.parametrize(
    ("file", "module"),
    [
        ("my-kernel.v2.cu", "my_kernel_v2_mlx"),
        ("größe (alt) 2.cu", "größe__alt__2_mlx"),
        ("3d.cu", "_3d_mlx"),
        ("class.cu", "class_mlx"),
    ],
)
def test_module_name_is_an_identifier(file: str, module: str, tmp_path: Path) -> None:
    (tmp_path / file).write_text(GOOD)
    assert run("translate", tmp_path / file, "-o", tmp_path / "out", "--emit", "module").exit_code == 0
    assert written(tmp_path) == [f"{module}.py"]
    assert module.isidentifier()


def test_output_folders_are_made(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(GOOD)
    assert run("translate", file, "-o", tmp_path / "a" / "b").exit_code == 0
    assert (tmp_path / "a" / "b" / "k_mlx.py").exists()


def test_output_folder_that_cannot_be_made(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(GOOD)
    result = run("translate", file, "-o", file / "inside", "--json")
    assert result.exit_code == 2
    assert "error[CU1007]" in result.stderr
    assert json.loads(result.stdout)["error"]["code"] == "CU1007"


def test_a_file_that_cannot_be_made_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(**_: object) -> None:
        raise PermissionError(13, "Permission denied", "a temporary name")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    result = translate(tmp_path, GOOD)
    assert result.exit_code == 2
    assert f"error[CU1007]: {tmp_path / 'out' / 'k_mlx.py'}: cannot write: Permission denied" in result.stderr


def test_files_of_an_earlier_run_survive_a_failing_one(tmp_path: Path) -> None:
    assert translate(tmp_path, GOOD).exit_code == 0
    before = {name: (tmp_path / "out" / name).read_text() for name in written(tmp_path)}
    for source in (REFUSED, BROKEN, "", b"\0"):
        assert translate(tmp_path, source).exit_code != 0
        assert {name: (tmp_path / "out" / name).read_text() for name in written(tmp_path)} == before


def test_none_of_the_files_is_replaced_where_one_cannot_be_written(tmp_path: Path) -> None:
    assert translate(tmp_path, GOOD).exit_code == 0
    before = (tmp_path / "out" / "k.metal").read_text()
    unwritable = tmp_path / "k.cu" / "x.sarif"  # below a file
    result = translate(tmp_path, GOOD.replace("2.0f", "3.0f"), "--sarif", unwritable)
    assert result.exit_code == 2
    assert f"error[CU1007]: {unwritable.parent}: cannot write" in result.stderr
    assert (tmp_path / "out" / "k.metal").read_text() == before
    assert written(tmp_path) == ["k.metal", "k_mlx.py"]  # and no temporary files


def test_errors_name_the_way_to_their_page(tmp_path: Path) -> None:
    assert "cu2mlx explain CU3205" in translate(tmp_path, REFUSED).stderr
    assert "explain" not in translate(tmp_path, GOOD).stderr


def test_json(tmp_path: Path) -> None:
    result = translate(tmp_path, GOOD + REFUSED, "--json")
    answer = json.loads(result.stdout)
    assert set(answer) == {"path", "kernels", "gradients", "diagnostics", "outputs"}
    assert answer["outputs"] == [str(tmp_path / "out" / "k_mlx.py"), str(tmp_path / "out" / "k.metal")]
    good, refused = answer["kernels"]
    keys = {
        "name",
        "line",
        "status",
        "checked",
        "diagnostics",
        "msl",
        "inputs",
        "outputs",
        "template",
        "launch",
    }
    assert set(good) == set(refused) == keys
    assert (good["name"], good["line"], good["status"], good["checked"]) == ("twice", 1, "translated", True)
    assert good["inputs"] == [{"name": "x", "dtype": "float32", "role": "in", "nullable": False}]
    assert good["outputs"] == [{"name": "y", "dtype": "float32", "role": "out", "nullable": False}]
    assert "[[kernel]]" in good["msl"]
    assert (refused["status"], refused["checked"], refused["msl"]) == ("refused", None, None)
    (diagnostic,) = refused["diagnostics"]
    assert diagnostic["code"] == "CU3205"
    assert (diagnostic["severity"], diagnostic["line"], diagnostic["column"]) == ("error", 2, 56)
    assert diagnostic["message"] and diagnostic["hint"]
    assert diagnostic["kernel"] == "timed"


def test_json_has_launches_and_template_arguments(tmp_path: Path) -> None:
    source = """template <typename T, int N>
__global__ void fill(T* y) { if (threadIdx.x < N) y[threadIdx.x] = T(1); }
void launch(float* y) { fill<float, 8><<<1, 32>>>(y); }
"""
    (kernel,) = json.loads(translate(tmp_path, source, "--json").stdout)["kernels"]
    assert [(t["name"], t["kind"]) for t in kernel["template"]] == [("T", "type"), ("N", "int")]
    assert kernel["launch"] == [{"line": 3, "grid": ["1"], "block": ["32"], "shared": None}]


def test_without_the_check(tmp_path: Path) -> None:
    result = translate(tmp_path, GOOD, "--no-check", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["kernels"][0]["checked"] is None


def test_sarif(tmp_path: Path) -> None:
    result = translate(tmp_path, GOOD + REFUSED + WARNED, "--sarif", tmp_path / "k.sarif")
    assert result.exit_code == 1
    log: dict[str, Any] = json.loads((tmp_path / "k.sarif").read_text())
    assert log["version"] == "2.1.0"
    (run_,) = log["runs"]
    rules = run_["tool"]["driver"]["rules"]
    assert run_["tool"]["driver"]["name"] == "cu2mlx"
    assert [rule["id"] for rule in rules] == ["CU3205", "CU4201"]
    for finding in run_["results"]:
        assert rules[finding["ruleIndex"]]["id"] == finding["ruleId"]
        assert finding["level"] in ("error", "warning", "note")
        assert finding["message"]["text"]
        place = finding["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"].endswith("k.cu")
        assert place["region"]["startLine"] >= 1 and place["region"]["startColumn"] >= 1


def test_sarif_is_written_although_all_kernels_are_refused(tmp_path: Path) -> None:
    assert translate(tmp_path, REFUSED, "--sarif", tmp_path / "k.sarif").exit_code == 1
    assert json.loads((tmp_path / "k.sarif").read_text())["runs"][0]["results"]


def test_defines_includes_and_double(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "scale.cuh").write_text(
        "__device__ inline float scaled(float x) { return x * SCALE; }\n"
    )
    source = """#include "scale.cuh"
__global__ void apply(const float* x, float* y) { double v = scaled(x[threadIdx.x]); y[threadIdx.x] = v; }
"""
    options = ("-I", tmp_path / "inc", "-D", "SCALE=0.5f")
    assert translate(tmp_path, source, *options, "--double", "float").exit_code == 0
    assert "error[CU3101]" in translate(tmp_path, source, *options).stderr
    assert "error[CU2001]" in translate(tmp_path, source, "--double", "float").stderr
    missing = translate(tmp_path, source, "-I", tmp_path / "nowhere")
    assert missing.exit_code == 2 and "nowhere" in missing.stderr
    unnamed = translate(tmp_path, source, "-D", "=3")
    assert unnamed.exit_code == 2 and "'=3': say NAME or NAME=VALUE" in unnamed.stderr


def test_instantiate(tmp_path: Path) -> None:
    source = """struct Half { __device__ float operator()(float x) const { return 0.5f * x; } };
template <typename F> __global__ void map(const float* x, float* y, F f) { y[threadIdx.x] = f(x[threadIdx.x]); }
"""
    assert "error[CU2106]" in translate(tmp_path, source).stderr
    assert translate(tmp_path, source, "--instantiate", "map<Half>").exit_code == 0
    result = translate(tmp_path, source, "--instantiate", "mop<Half>")
    assert result.exit_code == 2
    assert "no kernel of that name" in result.stderr


@pytest.mark.parametrize(
    ("instance", "message"),
    [
        ("scale<half>", None),
        ("scale", None),
        ("scale<float, 3>", "scale has no more template parameters than T"),
        ("scale<double>", "Metal has no double"),
        ("scale<float4>", "float4 is no type that an array of MLX has"),
        ("scale<Nosuch>", "Nosuch is no type that an array of MLX has"),
        ("twice<float>", "twice is no template"),
    ],
)
def test_only_what_was_asked_for_is_checked(instance: str, message: str | None, tmp_path: Path) -> None:
    source = (
        GOOD + "template <typename T> __global__ void scale(const T* x, T* y) { y[threadIdx.x] = x[0]; }\n"
    )
    result = translate(tmp_path, source, "--instantiate", instance)
    assert result.exit_code == (0 if message is None else 2), result.output
    assert message is None or message in result.stderr


def test_a_narrowed_template_argument(tmp_path: Path) -> None:
    source = "template <typename T> __global__ void scale(const T* x, T* y) { y[threadIdx.x] = x[0]; }\n"
    options = ("--instantiate", "scale<double>", "--double=float")
    assert translate(tmp_path, source, *options).exit_code == 0


def test_colour_only_on_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text(WARNED)
    command = [sys.executable, "-m", "cu2mlx", "translate", str(file), "-o", str(tmp_path), "--no-check"]
    plain = subprocess.run(command, capture_output=True, check=True, timeout=60)
    assert b"\x1b[" not in plain.stderr + plain.stdout
    for environment, coloured in (({}, True), ({"NO_COLOR": "1"}, False)):
        terminal, other_end = pty.openpty()
        subprocess.run(
            command,
            stdout=subprocess.PIPE,
            stderr=other_end,
            check=True,
            timeout=60,
            env={**os.environ, **environment},
        )
        os.close(other_end)
        assert (b"\x1b[33;1m" in os.read(terminal, 65536)) is coloured
        os.close(terminal)


def test_codes_of_unusable_input_are_in_the_catalogue() -> None:
    assert {code for _, code in UNUSABLE.values()} | {"CU1001", "CU1007"} <= set(CATALOGUE)
