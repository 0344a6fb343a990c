"""Records and vectors in a signature: what the file declares of them is enough to run the kernel."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from cu2mlx.cli.verify import verify
from cu2mlx.runtime.verify.records import members_of
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import SourceFile

DEQUANTISE = """
#define QK 32
typedef struct { half d; uint8_t qs[QK / 2]; } block_q4;
struct Camera { float fx, fy; float view[2]; };

__global__ void dequantise(const block_q4* w, float* y, int blocks) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= blocks * QK) return;
  const block_q4& block = w[i / QK];
  int q = block.qs[i % (QK / 2)];
  y[i] = __half2float(block.d) * ((i % QK < QK / 2 ? q & 15 : q >> 4) - 8);
}

__global__ void project(const float3* points, Camera camera, float2 centre, float2* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float3 p = points[i];
  out[i] = make_float2(camera.fx * p.x + camera.view[0] + centre.x, camera.fy * p.y + camera.view[1] + centre.y);
}
"""


def test_sizes_are_enough(tmp_path: Path) -> None:
    file = tmp_path / "records.cu"
    file.write_text(DEQUANTISE, encoding="utf-8")
    arguments = [str(file), "--arg", "blocks=9", "--arg", "n=100", "--checked", "--seed", "0"]
    result = CliRunner().invoke(verify, arguments)
    assert result.exit_code == 0, result.output
    assert "dequantise: same" in result.output and "project: same" in result.output


def members(declaration: str) -> list[tuple[str, str, tuple[int, ...]]]:
    text = f"#define N 4\n{declaration}\n__global__ void k(float* y) {{ y[0] = 1.0f; }}\n"
    translation = translate(SourceFile("k.cu", text))
    found = members_of("R", translation.workshop.declared, translation.unit.text)
    return [(each.name, each.dtype, each.shape) for each in found]


def test_members() -> None:
    assert members("struct R { half d; uint8_t qs[2 * N]; int16_t rows[N][2]; bool on; };") == [
        ("d", "float16", ()),
        ("qs", "uint8", (8,)),
        ("rows", "int16", (4, 2)),
        ("on", "bool", ()),
    ]


@pytest.mark.parametrize(
    "declaration",
    [
        "struct R { float* p; };",
        "struct R { float4 v; };",  # its alignment is a vector's
        "struct R { int a : 3; int b : 5; };",
        "struct __align__(16) R { float x; };",
        "union R { float x; int i; };",
        "struct B { float x; }; struct R : B { float y; };",
        "struct B { float x; }; struct R { B b; };",
        "template <int M> struct R { float x[M]; };",
        "struct R { float x[UNKNOWN]; };",
    ],
)
def test_other_layouts_are_asked_for(declaration: str) -> None:
    assert members(declaration) == []


BY_VALUE = """
struct Params { int rows, cols; float scale; bool negate; };
__global__ void k(const float* x, float* y, Params p) {
  int i = threadIdx.x;
  if (i < p.rows * p.cols) y[i] = (p.negate ? -p.scale : p.scale) * x[i];
}
"""


def test_sizes_inside_of_a_record_by_value(tmp_path: Path) -> None:
    """They are asked for by the members' names; filled in by hand or guessed, the record is passed as it is."""
    file = tmp_path / "k.cu"
    file.write_text(BY_VALUE, encoding="utf-8")
    asked = CliRunner().invoke(verify, [str(file)])
    assert asked.exit_code == 2 and "rows: pass --arg rows=N, a member of p" in asked.output
    assert "shape = []" in (tmp_path / "k.spec.toml").read_text()
    (tmp_path / "k.spec.toml").unlink()
    wrong = CliRunner().invoke(verify, [str(file), "--arg", "row=1"])
    assert wrong.exit_code == 2 and "there are grid, block, shared, x, y, p, rows, cols" in wrong.output
    given = ["--arg", "rows=5", "--arg", "cols=20", "--checked", "--seed", "0"]
    result = CliRunner().invoke(verify, [str(file), *given])
    assert result.exit_code == 0 and "k: same" in result.output, result.output
