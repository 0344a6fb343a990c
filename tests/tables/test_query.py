"""`cu2mlx query NAME` and the generated inventory."""

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from cu2mlx.cli.query import describe, query
from cu2mlx.transpiler.binding.metal import emit_metal
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import SourceFile
from cu2mlx.transpiler.tables import GROUPS
from cu2mlx.transpiler.tables.document import document

DOCUMENT = Path(__file__).parents[2] / "docs" / "builtins.md"


def ask(*arguments: str) -> tuple[int, str]:
    result = CliRunner().invoke(query, list(arguments))
    return result.exit_code, result.output


def test_a_function() -> None:
    status, text = ask("__shfl_xor_sync")
    assert status == 0
    assert "T __shfl_xor_sync(unsigned int mask, T value, int laneMask, int width = 32)" in text
    assert "cu::shfl_xor_sync(value, laneMask, width, lane)" in text


def test_a_refusal_says_why_and_what_to_do() -> None:
    status, text = ask("clock64")
    assert status == 0
    assert "refused" in text and "CU3205" in text and "way out   time the launch on the host" in text


def test_a_double_function_shows_its_float_form() -> None:
    _, text = ask("erf")
    assert "double erf(double x)" in text and "in float  cu::erf(x)" in text and "CU3101" in text


def test_accuracy_and_metal_version() -> None:
    assert "accuracy  4 ulp" in ask("expf")[1]
    assert "needs     Metal 3.2" in ask("__threadfence")[1]


@pytest.mark.parametrize(
    ("name", "kind", "metal"),
    [
        ("float3", "type", "float3"),
        ("M_PI", "constant", "M_PI_F"),
        ("threadIdx", "index", "thread_position_in_threadgroup"),
    ],
)
def test_other_kinds_of_names(name: str, kind: str, metal: str) -> None:
    [entry] = describe(name)["entries"]
    assert (entry["kind"], entry["metal"]) == (kind, metal)
    assert ask(name)[0] == 0


def test_a_lane_of_an_index() -> None:
    [entry] = describe("blockIdx.y")["entries"]
    assert entry["metal"] == "threadgroup_position_in_grid.y"
    assert ask("blockIdx.w")[0] == 1


def test_members_of_a_class_are_named() -> None:
    status, text = ask("cub::BlockReduce")
    assert status == 1
    assert "cub::BlockReduce::Sum" in text and "cub::BlockReduce::Reduce" in text


@pytest.mark.parametrize(
    ("word", "cuda"),
    [
        ("__global__", "__global__ void k(float* x) { x[0] = 1.0f; }"),
        ("__device__", "__device__ float f() { return 1.0f; } __global__ void k(float* x) { x[0] = f(); }"),
        ("__forceinline__", "static __forceinline__ __device__ float f() { return 1.0f; } "
                            "__global__ void k(float* x) { x[0] = f(); }"),
        ("__shared__", "__global__ void k(float* x) { __shared__ float s[1]; s[0] = 1.0f; x[0] = s[0]; }"),
        ("extern __shared__", "__global__ void k(float* x) { extern __shared__ float s[]; s[0] = 1.0f; x[0] = s[0]; }"),
        ("__constant__", "__constant__ float c[1] = {1.0f}; __global__ void k(float* x) { x[0] = c[0]; }"),
        ("__restrict__", "__global__ void k(float* __restrict__ x) { x[0] = 1.0f; }"),
        ("__launch_bounds__", "__global__ __launch_bounds__(64) void k(float* x) { x[0] = 1.0f; }"),
    ],
)  # fmt: skip
def test_a_qualifier_is_what_the_printer_makes_of_it(word: str, cuda: str) -> None:
    [entry] = describe(word)["entries"]
    translation = translate(SourceFile("k.cu", cuda))
    interfaces = [kernel.interface for kernel in translation.kernels if kernel.interface is not None]
    metal = emit_metal(interfaces)
    assert word.rpartition(" ")[2] not in metal
    for part in entry["metal"].removeprefix("nothing").removesuffix("[]").split():
        assert part in metal


def test_a_type_shows_cudas_layout() -> None:
    _, text = ask("float3")
    assert "12 bytes, aligned to 4" in text and "float32 x 3" in text


def test_json_has_the_same_facts() -> None:
    status, text = ask("--json", "__syncwarp")
    assert status == 0
    [entry] = json.loads(text)["entries"]
    assert entry["code"] == "CU4102" and entry["severity"] == "note"
    assert entry["metal"].startswith("simdgroup_barrier(")


def test_measured_errors_and_partial_support_are_shown() -> None:
    status, text = ask("erff")
    assert status == 0
    assert re.search(r"accuracy  0\.\d\d ulp, measured", text)
    status, text = ask("j0f")
    assert re.search(r"accuracy  \d\.\d\d ulp, \d\.\de-08 absolute far from 0, measured", text)
    status, text = ask("atomicAdd")
    assert "no result cu::atomic_add_wide(address, value)" in text


def test_an_unknown_name_gets_suggestions() -> None:
    status, text = ask("__shfl_xor_sinc")
    assert status == 1
    assert "did you mean __shfl_xor_sync" in text
    status, text = ask("--json", "qqqqqqqq")
    assert status == 1
    assert json.loads(text) == {"name": "qqqqqqqq", "entries": [], "suggestions": []}


def test_the_inventory_is_fresh() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run: python -m tests.generated"


def test_the_inventory_has_every_row_and_true_counts() -> None:
    text = document()
    assert text.count("\n| `") == sum(map(len, GROUPS.values()))
    for title, rows in GROUPS.items():
        assert f"## {title}\n" in text
        assert f"| {title} | {len(rows)} | " in text
