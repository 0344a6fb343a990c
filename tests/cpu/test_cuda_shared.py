"""`__shared__` declarations become references into the block's arena."""

import pytest

from cu2mlx.runtime.cpu.cuda_shared import rewrite_shared
from cu2mlx.runtime.protocol import CompileError

FLOAT = "auto& s = ::engine::shared<float[(32)]>([] {});"
DYNAMIC = "auto d = static_cast<::std::add_pointer_t<{}>>(::engine::dynamic_shared());"


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("__shared__ float s[32];", FLOAT),
        ("static __shared__ float s[32];", FLOAT),
        ("__shared__ __align__(16) float s[32];", FLOAT),
        ("__shared__ alignas(alignof(float4)) float s[32];", FLOAT),
        ("__attribute__((aligned(16))) __shared__ float s[32];", FLOAT),
        ("__shared__ float /* a, b */ s[32];", FLOAT),
        ("float __shared__ s[32];", FLOAT),
        ("__shared__ int n;", "auto& n = ::engine::shared<int>([] {});"),
        ("volatile __shared__ int n;", "auto& n = ::engine::shared<volatile int>([] {});"),
        ("__shared__ float4 *p;", "auto& p = ::engine::shared<float4 *>([] {});"),
        ("__shared__ T a[N][N > 3 ? 1 : 2];", "auto& a = ::engine::shared<T[(N)][(N > 3 ? 1 : 2)]>([] {});"),
        (
            "__shared__ int a[f(1, 2)], *b;",
            "auto& a = ::engine::shared<int[(f(1, 2))]>([] {}); auto& b = ::engine::shared<int *>([] {});",
        ),
        (
            "__shared__ typename R<T, 4>::Storage t;",
            "auto& t = ::engine::shared<typename R<T, 4>::Storage>([] {});",
        ),
        (
            "__shared__ union { int i; float f; } u;",
            "typedef union { int i; float f; } u__shared; auto& u = ::engine::shared<u__shared>([] {});",
        ),
        ("extern __shared__ float d[];", DYNAMIC.format("float")),
        ("extern __shared__ __align__(sizeof(float)) unsigned char d[];", DYNAMIC.format("unsigned char")),
        ("__shared__ extern float d[];", DYNAMIC.format("float")),
        ("extern __shared__ float d[][8];", DYNAMIC.format("float[(8)]")),
    ],
)
def test_local_declaration(declaration: str, expected: str) -> None:
    assert rewrite_shared(f"void k() {{ {declaration} }}") == f"void k() {{ {expected} }}"


def test_text_elsewhere_is_kept() -> None:
    text = 'void k() { f("__shared__ int x;"); /* __shared__ int y; */ }\n'
    assert rewrite_shared(text) == text


def test_lines_keep_their_numbers() -> None:
    text = "void k() {\n  __shared__ float\n    s[32]\n  ; int after;\n}"
    assert rewrite_shared(text).split("\n")[3].endswith("int after;")


def test_file_scope_becomes_a_macro() -> None:
    out = rewrite_shared(
        "namespace n {\nextern __shared__ float d[];\nvoid k() { extern __shared__ float d[]; d[0] = 1; }\n}"
    )
    assert "#define d (static_cast<::std::add_pointer_t<float>>(::engine::dynamic_shared()))" in out
    assert "#line 2" in out
    assert out.count("dynamic_shared") == 1


def test_macro_bodies_are_rewritten() -> None:
    out = rewrite_shared("#define TILE(T, n) __shared__ T n[32]\nvoid k() { TILE(int, a); }")
    assert out.startswith("#define TILE(T, n) auto& n = ::engine::shared<T[(32)]>([] {})\n")


def test_unreadable_declaration_is_an_error_with_its_line() -> None:
    with pytest.raises(CompileError, match=r"kernel\.cu:2: cannot read this __shared__"):
        rewrite_shared("void k() {\n __shared__ (x);\n}")


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("auto f = [](int i) { return s[i]; };", "[&s](int i)"),
        ("auto f = [i] __device__ (int j) { s[j] = i; };", "[i, &s] __device__ (int j)"),
        ("auto f = [=]() { auto g = [] { return s[0]; }; return g(); };", "[=, &s]() { auto g = [&s] {"),
        ("return [] { return s[0]; }();", "[&s] {"),
        ("each(n, [=] { s[0] = 1; });", "[=, &s] {"),
        ("auto f = [&](int i) { return s[i]; };", "[&](int i)"),
        ("auto f = [&, i] { return s[i]; };", "[&, i] {"),
        ("auto f = [](float* s) { return s[0]; };", "[](float* s)"),
        ("auto f = [](View v) { return v.s + v->s; };", "[](View v)"),
        ("int a[2] = {s[0], s[1]}; s[a[0]] = s[n[1]];", "int a[2] = {s[0], s[1]}; s[a[0]] = s[n[1]];"),
    ],
)
def test_lambdas_reach_shared_variables_without_capturing(statement: str, expected: str) -> None:
    assert expected in rewrite_shared(f"void k() {{ __shared__ float s[32]; {statement} }}")


def test_another_functions_variable_of_that_name_is_none() -> None:
    rest = "void g(float* s) { auto f = [s] { return s[0]; }; auto h = [](int i) { int s = i; return s; }; }"
    assert rewrite_shared(f"void k() {{ __shared__ float s[32]; }} {rest}").endswith(rest)
