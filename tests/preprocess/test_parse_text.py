"""What the grammar trips over parses clean, and the text that is rendered from keeps it or drops it."""

import pytest
from preprocess_helpers import codes, errors, faults, unit

from cu2mlx.transpiler.syntax import parse

# name, source, the source raw parses with an error (so the case shows something)
TRIPS = {
    "restrict on a reference": "__global__ void k(float& __restrict__ a) { a = 1; }",
    "aligned struct": "struct __align__(16) S { float a; };",
    "aligned typedef": "typedef struct __align__(8) { int x; } S;",
    "aligned extern shared": "__global__ void k() { extern __shared__ __align__(16) float s[]; s[0] = 1; }",
    "aligned extern bytes": (
        "template <typename T> __global__ void k() {\n"
        "  extern __shared__ __align__(sizeof(T)) unsigned char raw[];\n"
        "  T* s = reinterpret_cast<T*>(raw); s[0] = 1; }"
    ),
    "typename in an expression": "__global__ void k() { auto a = typename T::X(1); }",
    "typename and template": "__global__ void k() { auto a = typename T::template Y<3>(1); }",
    "typename with arguments": "__global__ void k() { auto a = typename A<B<int>, 2>::X{1, 2}; }",
    "unroll after if": (
        "__global__ void k() { if (x)\n#pragma unroll\n for (int i = 0; i < 3; i++) a[i] = 1; else b = 1; }"
    ),
    "_Pragma": '__global__ void k() { _Pragma("unroll") for (int i = 0; i < 3; i++) a[i] = 1; }',
    "device lambda": "void h() { auto f = [=] __device__ (int x) { return x; }; }",
    "host device lambda": "void h() { auto f = [=] __host__ __device__(int x) { return x; }; }",
    "cluster dimensions": "__global__ void __cluster_dims__(2, 1, 1) k(float* a) {}",
    "attribute on a variable": "__global__ void k() { float x __attribute__((aligned(16))); int y; }",
    "attribute macro": "MY_DEVICE float f(int a) { return a; }",
    "attribute macro after a specifier": "static MY_INLINE float f(int a) { return a; }",
    "attribute macro on its own line": "int x;\nMY_DEVICE\nfloat f(int a) { return a; }",
    "attribute macro before a user type": "MY_DEVICE Vec3<float> f(int a) { return a; }",
    "attribute macro after the type": "static void MY_DEVICE f(int a) { }",
    "attribute macro with arguments": "template <int N> MY_BOUNDS(N, 2) __global__ void k() {}",
    "bare macro statements": "__global__ void k() {\n  FIRST(a)\n  SECOND(b, (c))\n  int x = 1;\n}",
    "bare macro statement at the end": "__global__ void k() {\n  x = 1;\n  LAST(a)\n}",
    "conversion operator called": "__device__ float f(H v) { return g(1, v.operator __half(), 2); }",
    "unnamed enum with a type": "enum : int { A, B };",
    "words in a condition": "#if defined(A) and not defined(B) or C\nint x;\n#endif\n",
}


@pytest.mark.parametrize("source", TRIPS.values(), ids=TRIPS.keys())
def test_parses_clean(source: str) -> None:
    found = unit(source)
    assert faults(found) == []
    assert len(found.parse_text) == len(found.text)


def test_raw_text_of_these_does_not_parse() -> None:
    clean = {name for name, source in TRIPS.items() if not list(errors(parse(source)))}
    assert clean <= {"aligned extern bytes", "typename with arguments", "attribute macro on its own line"}


# Source, the characters that must not be rendered, the characters that are blanked but stay.
DROPPED = [
    ("__global__ void k(float* __restrict__ a) {}", ["__restrict__"], []),
    ("__device__ __forceinline__ int f() { return 1; }", ["__forceinline__"], []),
    ("[[nodiscard]] __device__ int f() { return 1; }", ["[[nodiscard]]"], []),
    ("__global__ void k(const __grid_constant__ P p) {}", ["__grid_constant__"], []),
    ("__global__ void k() {\n#pragma unroll 4\n  for (;;) {}\n}", [], ["#pragma unroll 4"]),
    ("void h() { auto f = [=] __device__ (int x) { return x; }; }", ["__device__"], []),
    ("MY_DEVICE float f(int a) { return a; }", ["MY_DEVICE"], []),
    ('__device__ void f() { _Pragma("unroll") for (;;) {} }', [], ['_Pragma("unroll")']),
]


@pytest.mark.parametrize(("source", "dropped", "hidden"), DROPPED)
def test_dropped_and_hidden(source: str, dropped: list[str], hidden: list[str]) -> None:
    found = unit(source)
    assert [found.text[start:end].strip() for start, end in found.dropped] == dropped
    for text in dropped + hidden:
        start = found.text.index(text)
        assert not found.parse_text[start : start + len(text)].strip()


@pytest.mark.parametrize(
    "source",
    [
        "__global__ void __launch_bounds__(256) k(float* a) {}",
        "template <int N> __global__ void __launch_bounds__(N / 2, A<N>::B) k(float* a) {}",
        "template <int N>\n__launch_bounds__(N, 2)\n__global__ void k(float* a) {}",
        "__launch_bounds__(256) __global__ void k(float* a) {}",
    ],
)
def test_launch_bounds_stay_where_they_parse(source: str) -> None:
    found = unit(source)
    assert faults(found) == []
    assert "__launch_bounds__" in found.parse_text


def test_characters_outside_ascii_are_one_each() -> None:
    found = unit("// Größe ≤ 3 … 𝛼\nint größe = 1; // 中\n")
    assert found.text == "// Größe ≤ 3 … 𝛼\nint größe = 1; // 中\n"
    assert found.parse_text.isascii()
    assert len(found.parse_text) == len(found.text)
    assert "int gruue" in found.parse_text


def test_an_unknown_loop_is_an_error() -> None:
    found = unit("__global__ void k(int n) {\n  if (n) { n = 1; }\n  MY_LOOP(i, n) { n = i; }\n}\n")
    assert codes(found) == ["CU1210"]
    assert (found.diagnostics[0].span.line, found.diagnostics[0].span.text) == (3, "MY_LOOP")


@pytest.mark.parametrize(
    "source",
    [
        "void host() {\n  SECTION(x) { f(); }\n}\n__global__ void k() {}\n",
        "__global__ void k() {}\nPYBIND11_MODULE(name, m) { m.def(1); }\n",
        "namespace a { TEST(x, y) { f(); } }\n",
        "__global__ void k() { if (A) { } F(x, [&] { g(); }); }\n",
    ],
)
def test_other_calls_before_a_block(source: str) -> None:
    assert codes(unit(source)) == []


LEFT_ALONE = [
    "struct S { int half; unsigned short x; };",
    "__device__ float f(const float a, unsigned int b) { return static_cast<float>(a) + (float)b; }",
    "struct F { __device__ operator float() const { return x; } float x; };",
    "template <typename T, typename U = typename T::X> __device__ T f(U u) { return T(u); }",
    "namespace a { using namespace std; } enum class E : int { A };",
    "void f() { MyMatrix m; Tensor t = f(m); CHECK_CUDA(t); ns::MAX_TYPE value(3); }",
    "__device__ int g(int a) { if (a) return A_B * a; else return (A_B) + 1; }",
    "TORCH_LIBRARY(name, m)\n{\n  m.def(1);\n}",
]


@pytest.mark.parametrize("source", LEFT_ALONE)
def test_plain_code_is_left_alone(source: str) -> None:
    found = unit(source)
    assert found.text == source
    assert found.parse_text == source
    assert found.dropped == ()
    assert found.diagnostics == ()
