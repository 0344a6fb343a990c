"""The row of an overload set that a call means."""

import pytest

from cu2mlx.transpiler.tables import lookup
from cu2mlx.transpiler.tables.overload import converted, select


@pytest.mark.parametrize(
    ("name", "types", "signature"),
    [
        ("exp", ["float"], "float exp(float x)"),
        ("exp", ["double"], "double exp(double x)"),
        ("exp", [None], "float exp(float x)"),
        ("abs", ["int"], "int abs(int x)"),
        ("abs", ["float"], "float abs(float x)"),
        ("abs", ["int64_t"], "long abs(long x)"),
        ("min", ["int", "int"], "int min(int a, int b)"),
        ("min", ["uint32_t", "unsigned int"], "unsigned int min(unsigned int a, unsigned int b)"),
        ("min", ["unsigned char", "int"], "T min(T a, U b)"),
        ("max", ["float", "int"], "T max(T a, U b)"),
        ("max", ["float", "float"], "float max(float a, float b)"),
        ("pow", ["float", "int"], "float pow(float x, int n)"),
        ("__hadd", ["half", "half"], "__half __hadd(__half a, __half b)"),
        (
            "__hadd",
            ["c10::BFloat16", "nv_bfloat16"],
            "__nv_bfloat16 __hadd(__nv_bfloat16 a, __nv_bfloat16 b)",
        ),
        ("__hadd", ["int", "int"], "int __hadd(int x, int y)"),
        (
            "__hfma2",
            ["nv_bfloat162", None, None],
            "__nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c)",
        ),
        ("__hfma2", ["half2", "half2", "half2"], "__half2 __hfma2(__half2 a, __half2 b, __half2 c)"),
        ("atomicAdd", ["float*", "int"], "float atomicAdd(float *address, float value)"),
        ("atomicAdd", ["half2*", None], "__half2 atomicAdd(__half2 *address, __half2 value)"),
        ("atomicMax", [None, None], "int atomicMax(int *address, int value)"),
        (
            "atomicAdd",
            ["uint64_t*", "int"],
            "unsigned long long atomicAdd(unsigned long long *address, unsigned long long value)",
        ),
        (
            "cg::tiled_partition",
            ["cg::thread_block"],
            "thread_block_tile<N> cg::tiled_partition(const G &parent)",
        ),
        (
            "cg::tiled_partition",
            ["cg::thread_block", "int"],
            "thread_group cg::tiled_partition(const G &parent, unsigned int size)",
        ),
        ("__dp4a", ["char4", "char4", "int"], "int __dp4a(char4 a, char4 b, int c)"),
        ("printf", [None, "int", "float"], "int printf(const char *format, ...)"),
        (
            "__shfl_sync",
            ["unsigned int", "float", "int"],
            "T __shfl_sync(unsigned int mask, T value, int srcLane, int width = 32)",
        ),
    ],
)
def test_select(name: str, types: list[str | None], signature: str) -> None:
    assert select(lookup(name), types).signature == signature


@pytest.mark.parametrize(
    ("name", "types", "texts"),
    [
        ("expf", ["half"], ["float(a)"]),
        ("expf", ["float"], ["a"]),
        ("expf", ["double"], ["a"]),
        ("expf", [None], ["a"]),
        ("fmaxf", ["float", "int"], ["a", "float(b)"]),
        ("powf", ["__nv_bfloat16", "unsigned int"], ["float(a)", "float(b)"]),
        ("erff", ["half"], ["a"]),
        ("__float2half", ["int"], ["a"]),
        ("__shfl_sync", ["unsigned int", "half", "int"], ["a", "b", "c"]),
        ("clock64", [], []),
    ],
)
def test_arguments_are_converted_where_metal_would_pick_another_overload(
    name: str, types: list[str | None], texts: list[str]
) -> None:
    assert converted(lookup(name)[0], list("abc"[: len(types)]), types) == texts
