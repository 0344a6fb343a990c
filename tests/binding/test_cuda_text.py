"""The original text as mx.fast.cuda_kernel gets it."""

from dataclasses import replace

import interfaces
import pytest

from cu2mlx.transpiler.binding.cuda_text import _STD, cuda_body, cuda_header, declared_type
from cu2mlx.transpiler.binding.interface import Parameter, Role


@pytest.mark.parametrize(
    ("declaration", "type_"),
    [
        ("const float* __restrict__ x", "const float*"),
        ("const float *__restrict x", "const float*"),
        ("float* const x", "float*"),
        ("T x[]", "T*"),
        ("T x[16]", "T*"),
        ("const float (*x)[4]", "const float (*)[4]"),
        ("float (* __restrict__ x)[N][2]", "float (*)[N][2]"),
        ("const T x[][8]", "const T (*)[8]"),
        ("const Options& x", "const Options"),
        ("unsigned long long x", "unsigned long long"),
        ("std::complex<float> *x", "std::complex<float>*"),
        ("const half*", "const half*"),
        ("xs::x* x", "xs::x*"),
    ],
)
def test_declared_type(declaration: str, type_: str) -> None:
    assert declared_type(Parameter("x", declaration, Role.IN, "float32")) == type_


def test_parameters_become_variables() -> None:
    parameters = (
        Parameter("n", "const int n", Role.SCALAR, "int32"),
        Parameter("shift", "float4 shift", Role.SCALAR, "float32", 4),
        Parameter("options", "Options options", Role.IN, "uint8", 0),
        Parameter("y", "half2* const y", Role.INOUT, "float16", 2),
        Parameter("rows", "const float (*rows)[4]", Role.IN, "float32", nullable=True),
    )
    body = cuda_body(replace(interfaces.VECTOR_ADD, parameters=parameters, cuda_body="f(n, cu_size_of_y);\n"))
    assert body.splitlines() == [
        "const int n = *n_argument;",
        "float4 shift = *(const float4*)shift_argument;",
        "Options options = *(const Options*)options_argument;",
        "half2* y = (half2*)y_in_argument;",
        "auto rows = cu_has_rows ? (const float (*)[4])rows_argument : nullptr;",
        "const auto cu_size_of_y = *cu_size_of_y_argument;",
        "f(n, cu_size_of_y);",
    ]


def test_header_for_nvrtc() -> None:
    header = """#include <cuda.h>
#include <cfloat>
 # include "local/types.h" // ours
__device__ void __launch_bounds__(min(256, N) * 2) f(float* x) { x[0] = std::min(x[0], FLT_MAX); }
"""
    assert cuda_header(replace(interfaces.VECTOR_ADD, cuda_header=header)).splitlines() == [
        "#if __has_include(<cfloat>)",
        "#include <cfloat>",
        "#elif __has_include(<cuda/std/cfloat>)",
        "#include <cuda/std/cfloat>",
        "#endif",
        '#if __has_include("local/types.h")',
        '#include "local/types.h"',
        "#endif",
        *_STD,
        "__device__ void f(float* x) { x[0] = std::min(x[0], FLT_MAX); }",
    ]
    assert cuda_header(interfaces.VECTOR_ADD) == interfaces.VECTOR_ADD.cuda_header
