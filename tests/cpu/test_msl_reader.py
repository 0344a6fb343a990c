"""The reader of MSL text: signatures, instantiations, threadgroup variables, and what erase() makes of a text."""

import mlx_headers
import pytest

from cu2mlx.runtime.msl.erase import erase, function_constants, threadgroup_declarations
from cu2mlx.runtime.msl.kernels import find_kernel, read_instantiations, read_kernels


def erased(text, constants=None):
    return erase(text, lambda d: f"{d.type}|{d.name}|{d.dimensions};", constants)


def test_signature():
    (kernel,) = read_kernels("""
    template <typename T, int N = 4, typename = enable_if_t<(N > 2), int>>
    [[kernel, max_total_threads_per_threadgroup(N * 32)]] void k(
      device T* out [[buffer(2)]], const device vec<T, 4> *in [[buffer(0)]], // a comment, with a comma
      constant uint& n [[buffer(1)]], threadgroup float* s [[threadgroup(0)]],
      uint3 i [[thread_position_in_grid]]) {}
    void helper(device float* x) {}""")
    assert (kernel.name, kernel.template, kernel.line) == ("k", ("T", "N", "typename"), 3)
    assert [(each.name, each.type, each.address_space) for each in kernel.parameters] == [
        ("out", "T *", "device"),
        ("in", "const vec < T , 4 > *", "device"),
        ("n", "uint &", "constant"),
        ("s", "float *", "threadgroup"),
        ("i", "uint3", None),
    ]
    assert [each.name for each in kernel.buffers()] == ["in", "n", "out"]
    assert kernel.parameters[3].attribute("threadgroup") == "0"


def test_buffers_without_an_index_take_the_free_ones():
    (kernel,) = read_kernels("kernel void k(device int* a, device int* b [[buffer(0)]], constant int& c) {}")
    assert [each.name for each in kernel.buffers()] == ["b", "a", "c"]


@pytest.mark.parametrize(
    "text",
    [
        'template [[host_name("h")]] [[kernel]] void k<float, (1 > 0)>(device float* x [[buffer(0)]]);',
        'template [[host_name("h")]] [[kernel]] decltype(k<float, (1 > 0)>) k<float, (1 > 0)>;',
    ],
)
def test_instantiation(text):
    (found,) = read_instantiations("template <class T, bool B> kernel void k(device T* x) {}\n" + text)
    assert (found.host_name, found.entry) == ("h", "k<float, (1 > 0)>")
    kernel, entry = find_kernel("template <class T, bool B> kernel void k(device T* x) {}\n" + text, "h")
    assert (kernel.name, entry) == ("k", "k<float, (1 > 0)>")


def test_threadgroup_variables():
    text = """
    void f(threadgroup float* p, threadgroup const int (&q)[4]) {
      threadgroup float a[16][N + 1], b;
      threadgroup typename X<int, 3>::type c[2];
      threadgroup float* not_one = a[0];
      auto also = (threadgroup int*)p;
      if (p) { threadgroup atomic_uint d; }
    }"""
    assert [(each.type, each.name, each.dimensions) for each in threadgroup_declarations(text)] == [
        ("float", "a", "[16][N + 1]"),
        ("float", "b", ""),
        ("typename X<int, 3>::type", "c", "[2]"),
        ("atomic_uint", "d", ""),
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("float x = 1.0 + 2.5e-3 + .5 + 0x1p3 + 1.0f + 3;", "float x = 1.0f + 2.5e-3f + .5f + 0x1p3f + 1.0f + 3;"),
        ("half h = 1.5h;", "half h = half(1.5f);"),
        ("void f(device float* p, uint i [[thread_index_in_simdgroup]]) { p[a[i]] = 1; }",
         "void f( float* p, uint i ) { p[a[i]] = 1; }"),
        ("constant float t[2] = {1, 2};", "const float t[2] = {1, 2};"),
        ("constant constexpr int n = 3;", " constexpr int n = 3;"),
        ("void f() { threadgroup float s[4]; }", "void f() { float|s|[4]; }"),
        ("#include <metal_stdlib>\nint x;", "\nint x;"),
        ("int f(device int* p) { return 1; } int f(threadgroup int* p) { return 2; }",
         "int f( int* p) { return 1; } "),
        ("struct A { A() thread : x{1} {} A() device : x{1} {} int x; };", "struct A { A()  : x{1} {}  int x; };"),
        ("int threadgroup_size = 3; // device\n", "int threadgroup_size = 3; // device\n"),
    ],
)  # fmt: skip
def test_erase(source, expected):
    assert erased(source) == expected


def test_function_constants():
    text = "constant bool a [[function_constant(3)]]; constant int b [[function_constant(4)]];\nbool x = is_function_constant_defined(a);"
    assert function_constants(text) == {"a": 3, "b": 4}
    assert erased(text, {3: "true"}).split("\n")[0].strip() == (
        "static constexpr bool a = true; static constexpr int b = {};"
    )
    assert "bool x = true;" in erased(text, {3: "true"})
    assert "bool x = false;" in erased(text)


def test_a_record_is_defined_before_its_variables():
    assert erased("threadgroup struct State { float sum; } a, b[4];") == (
        "struct State { float sum; }; State|a|; State|b|[4];"
    )
    unnamed = erased("threadgroup struct { float sum; } state;")
    name = unnamed.split()[1]
    assert unnamed == f"struct {name} {{ float sum; }}; {name}|state|;"


def test_a_constant_may_call_in_its_initialiser():
    assert erased("constant int kWidth = sizeof(float4) * 8;") == "const int kWidth = sizeof(float4) * 8;"


@pytest.mark.skipif(mlx_headers.folder() is None, reason="MLX's headers are not installed")
@pytest.mark.parametrize(
    "name", ["softmax.h", "sort.h", "scan.h", "quantized.h", "steel/gemm/gemm.h", "complex.h"]
)
def test_erase_keeps_lines(name):
    text = mlx_headers.source(name)
    plain = erased(text)
    assert plain.count("\n") == text.count("\n")
    assert "[[" not in plain.replace("[[]", "")
