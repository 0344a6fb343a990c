"""MLX's own kernels, from the installed wheel and instantiated here, must pass: nobody here wrote them."""

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from cu2mlx.runtime.check import check_msl

mlx_core = pytest.importorskip("mlx.core", reason="MLX's kernel headers come with the mlx wheel (extra: dev)")
INCLUDE = Path(mlx_core.__file__).parent / "include"
KERNELS = "mlx/backend/metal/kernels/"


@dataclass(frozen=True)
class Case:
    name: str
    headers: str
    instances: str  # one kernel and its template arguments a line


CASES = [
    Case(
        "softmax",
        "utils softmax",
        """softmax_single_row, float, float
        softmax_single_row, bfloat16_t, float
        softmax_looped, half, float""",
    ),
    Case("logsumexp", "utils logsumexp", "logsumexp, float, float\nlogsumexp_looped, bfloat16_t, float"),
    Case("cross entropy", "utils cross_entropy", "cross_entropy, half\ncross_entropy_vjp, float"),
    Case(
        "gemv",
        "utils steel/utils gemv",
        """gemv, float, 1, 8, 1, 32, 4, 4, false, false
        gemv_t, bfloat16_t, 1, 2, 8, 4, 4, 4, true, true
        gemv_gather, half, 1, 8, 1, 32, 4, 4""",
    ),
    Case(
        "gemv masked",
        "utils steel/utils gemv_masked",
        "gemv_masked, float, bool, float, 1, 8, 1, 32, 4, 4, false",
    ),
    Case(
        "sdpa vector",
        "utils sdpa_vector",
        """sdpa_vector, float, 64, 64
        sdpa_vector, bfloat16_t, 128, 128
        sdpa_vector_2pass_1, half, 128, 128
        sdpa_vector_2pass_2, half, 128""",
    ),
    Case(
        "scan",
        "utils scan",
        """contiguous_scan, float, float, CumSum<float>, 4, true, false
        strided_scan, int, int, CumMax<int>, 4, false, true""",
    ),
    Case(
        "sort",
        "utils sort",
        "block_sort, float, uint, true, 128, 8\nblock_sort_nc, bfloat16_t, bfloat16_t, false, 256, 4",
    ),
    Case(
        "reduction",
        "utils atomic reduction/ops reduce",
        """all_reduce, float, float, Sum<float>, int64_t, 4
        init_reduce, int, Sum<int>
        row_reduce_simple, half, half, Max<half>
        row_reduce_looped, bfloat16_t, bfloat16_t, Max<bfloat16_t>, int, 2
        col_reduce_looped, float, float, Min<float>, int, 1, 32, 32
        col_reduce_small, int64_t, int64_t, Sum<int64_t>, int, 1
        col_reduce_longcolumn, float, float, Prod<float>, int, 1""",
    ),
    Case(
        "copy",
        "utils copy",
        """copy_s, float, bfloat16_t
        copy_v, bool, half
        copy_g_nd2, int, complex64_t
        copy_gg_nd3, float, float""",
    ),
    Case("arange", "utils arange", "arange, float\narange, bfloat16_t\narange, uint8_t"),
    Case(
        "unary",
        "utils unary_ops unary",
        """unary_v, float, float, Exp
        unary_v, complex64_t, complex64_t, Sqrt
        unary_v2, bfloat16_t, bfloat16_t, Sigmoid
        unary_g, half, half, Tanh
        unary_v, float, uint8_t, ToFP8""",
    ),
    Case(
        "binary",
        "utils binary_ops binary",
        """binary_ss, float, float, Add
        binary_vv, bfloat16_t, bfloat16_t, Maximum
        binary_vv, complex64_t, complex64_t, Multiply
        binary_sv, int, int, FloorDivide
        binary_vs, half, bool, Less
        binary_g_nd2, float, float, Power""",
    ),
    Case("binary with two results", "utils binary_ops binary_two", "binary_vv, float, float, DivMod"),
    Case(
        "ternary",
        "utils ternary_ops ternary",
        "ternary_v, float, Select, false, false\nternary_g_nd3, bfloat16_t, Select",
    ),
    Case(
        "steel gemm",
        "utils steel/gemm/gemm steel/gemm/kernels/steel_gemm_fused",
        """gemm, float, 32, 32, 16, 2, 2, false, false, float
        gemm, bfloat16_t, 64, 64, 16, 2, 2, true, true, float
        gemm, half, 64, 32, 32, 2, 2, false, true, float""",
    ),
    Case(
        "steel gemm split over k",
        "utils steel/gemm/gemm steel/gemm/kernels/steel_gemm_splitk",
        """gemm_splitk, half, float, 32, 32, 16, 2, 2, false, false, true, true
        gemm_splitk_accum, float, half""",
    ),
    Case(
        "steel gemm gather",
        "utils steel/gemm/gemm steel/gemm/kernels/steel_gemm_gather",
        "gather_mm, float, 32, 32, 16, 2, 2, false, false",
    ),
    Case(
        "steel attention",
        "utils steel/attn/kernels/steel_attention",
        """attention, float, 32, 16, 64, 64, 4, 1, float, float
        attention, bfloat16_t, 32, 32, 64, 64, 4, 1, bool, float""",
    ),
    Case(
        "steel convolution",
        "utils steel/conv/conv steel/conv/kernels/steel_conv",
        "implicit_gemm_conv_2d, float, 32, 32, 16, 2, 2, 0, false",
    ),
    Case(
        "quantized",
        "utils steel/gemm/gemm quantized_utils quantized",
        """affine_qmv_fast, float, 64, 4, false
        affine_qmv, bfloat16_t, 32, 8, true
        affine_qvm, half, 64, 2, false
        affine_qmm_t, half, 64, 4, true, false
        affine_qmm_n, float, 64, 4, false
        affine_quantize, float, 64, 4
        affine_dequantize, bfloat16_t, 64, 3""",
    ),
    Case("hadamard", "utils steel/defines hadamard_radix hadamard", "hadamard_n, float, 512, 16, 4"),
    Case(
        "indexing",
        "utils sort indexing/gather indexing/gather_front searchsorted",
        "gather_front, float, uint, int, 4\nsearchsorted, float, true",
    ),
    Case(
        "gated delta",
        "utils gated_delta_update",
        "gated_delta_fused_chunk, bfloat16_t, 128, 128, 2, 4, 8\ngated_delta_seq, float, 64, 64, 2, 4, 1",
    ),
]


def flatten(header: str, seen: set[str]) -> str:
    """A header with MLX's own includes in place, each once."""
    if header in seen or not (INCLUDE / header).exists():
        return ""
    seen.add(header)
    text = (INCLUDE / header).read_text().replace("#pragma once", "")
    return re.sub(r'#include "(mlx/[^"]+)"', lambda include: flatten(include[1], seen), text)


def source(case: Case) -> str:
    seen: set[str] = set()
    parts = [flatten(f"{KERNELS}{name}.h", seen) for name in case.headers.split()]
    for number, line in enumerate(case.instances.split("\n")):
        name, _, arguments = line.strip().partition(", ")
        kernel = f"{name}<{arguments}>"
        parts.append(f'template [[host_name("k{number}")]] [[kernel]] decltype({kernel}) {kernel};\n')
    return "\n".join(parts)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_passes(case: Case) -> None:
    text = source(case)
    lines = text.split("\n")
    findings = check_msl(text)
    assert not findings, "\n".join(f"{f}\n    {lines[f.line - 1]}" for f in findings[:5])


def test_instances_are_seen() -> None:
    """The same text with a type that cannot be instantiated is rejected inside the template's body."""
    softmax = CASES[0]
    findings = check_msl(source(Case("softmax", softmax.headers, "softmax_single_row, float, uchar4")))
    assert findings
    template = source(softmax).split("\n").index("[[kernel]] void softmax_single_row(") + 1
    assert any(finding.line > template for finding in findings)
