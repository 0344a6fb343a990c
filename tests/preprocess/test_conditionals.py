"""Which #if stay, and which branch is taken of the others."""

import textwrap

import pytest
from preprocess_helpers import codes, faults, unit

from cu2mlx.transpiler.preprocess import evaluate_condition

WHOLE = {
    "statements": "void f() {\n  int x;\n#if A\n  x = 1;\n#else\n  x = 2;\n#endif\n}\n",
    "functions": "#ifdef A\nint f() { return 1; }\n#elif B\nint f() { return 2; }\n#endif\nint g();\n",
    "definitions": "#ifndef N\n#define N 3\n#endif\nint a[N];\n",
    "nested": "#if A\n#if B\nint x;\n#else\nint y;\n#endif\n#endif\n",
    "members": "struct S {\n  int x;\n#if A\n  int y;\n#endif\n};\n",
    "blocks": "void f() {\n#if __CUDA_ARCH__ >= 600\n  { g(1); }\n#endif\n}\n",
    "after a label": "struct S {\npublic:\n#if A\n  int y;\n#endif\n};\n",
    "comment before": "int x;  // here\n#if A  // there\nint y;\n#endif  // A\n",
}


@pytest.mark.parametrize("source", WHOLE.values(), ids=WHOLE.keys())
def test_whole_branches_stay(source: str) -> None:
    found = unit(source)
    assert found.text == source
    assert faults(found) == []
    assert found.diagnostics == ()


# The source, what is left when A is not defined, and when it is.
SPLIT = {
    "signature": (
        "#if A\nvoid f(int a,\n#else\nvoid f(float a,\n#endif\n       int b) { }\n",
        "void f(float a,\n       int b) { }\n",
        "void f(int a,\n       int b) { }\n",
    ),
    "argument": (
        "void f(int a\n#if A\n, int c\n#endif\n) { }\n",
        "void f(int a\n) { }\n",
        "void f(int a\n, int c\n) { }\n",
    ),
    "opening brace": (
        "void f() {\n#if A\n  if (x) {\n#else\n  if (y) {\n#endif\n  }\n}\n",
        "void f() {\n  if (y) {\n  }\n}\n",
        "void f() {\n  if (x) {\n  }\n}\n",
    ),
    "else": (
        "void f() {\n  if (x) { g(); }\n#if A\n  else { h(); }\n#endif\n}\n",
        "void f() {\n  if (x) { g(); }\n}\n",
        "void f() {\n  if (x) { g(); }\n  else { h(); }\n}\n",
    ),
    "else after": (
        "void f() {\n#if A\n  if (x) { g(); }\n  else\n#endif\n  { h(); }\n}\n",
        "void f() {\n  { h(); }\n}\n",
        "void f() {\n  if (x) { g(); }\n  else\n  { h(); }\n}\n",
    ),
    "expression": (
        "int x = 1 +\n#ifdef A\n  2\n#else\n  3\n#endif\n  ;\n",
        "int x = 1 +\n  3\n  ;\n",
        "int x = 1 +\n  2\n  ;\n",
    ),
    "initialiser": (
        "int x[] = {\n#if A\n  2,\n#endif\n  3};\n",
        "int x[] = {\n  3};\n",
        "int x[] = {\n  2,\n  3};\n",
    ),
    "linkage": (
        '#if A\nextern "C" {\n#endif\nvoid f();\n#if A\n}\n#endif\n',
        "void f();\n",
        'extern "C" {\nvoid f();\n}\n',
    ),
    "template head": (
        "template <int N>\n#if A\n__launch_bounds__(N)\n#endif\n__global__ void k() {}\n",
        "template <int N>\n__global__ void k() {}\n",
        "template <int N>\n__launch_bounds__(N)\n__global__ void k() {}\n",
    ),
    "one whole inside a split one": (
        "void f(\n#if A\n  int a) {\n#if B\n  g();\n#endif\n#else\n  ) {\n#endif\n}\n",
        "void f(\n  ) {\n}\n",
        "void f(\n  int a) {\n#if B\n  g();\n#endif\n}\n",
    ),
}


@pytest.mark.parametrize(("source", "without", "with_it"), SPLIT.values(), ids=SPLIT.keys())
def test_split_constructs_lose_the_other_branch(source: str, without: str, with_it: str) -> None:
    for found, expected in ((unit(source), without), (unit(source, {"A": "1"}), with_it)):
        assert found.text == expected
        assert faults(found) == []
        assert set(codes(found)) == {"CU1209"}


def test_unbalanced_conditionals_are_reported() -> None:
    found = unit("#if A\nint x;\n")
    assert codes(found) == ["CU1203"]
    assert found.diagnostics[0].message == "this #if has no matching #endif"
    assert codes(unit("int x;\n#endif\n")) == ["CU1203"]
    assert codes(unit("int x;\n#else\n")) == ["CU1203"]


def test_definitions_in_a_file_count() -> None:
    source = textwrap.dedent("""\
        #define FAST
        #if defined(FAST) && !defined(SLOW)
        #define LEVEL 2
        #else
        #define LEVEL 1
        #endif
        int x =
        #if LEVEL >= 2
          2;
        #else
          1;
        #endif
    """)
    assert unit(source).text.endswith("int x =\n  2;\n")
    assert unit(source, {"SLOW": ""}).text.endswith("int x =\n  1;\n")


CONDITIONS = [
    ("1", True),
    ("0", False),
    ("NOWHERE", False),
    ("A", True),
    ("A == 3", True),
    ("defined(A)", True),
    ("defined B", False),
    ("!defined(B) && A >= 3", True),
    ("not defined(B) and A bitand 1", True),
    ("A * 2 + 1 == 7", True),
    ("1 + 2 * 3 == 7 && (1 + 2) * 3 == 9", True),
    ("7 / 2 == 3 && -7 / 2 == -3 && -7 % 2 == -1", True),
    ("1 << 4 == 16 || 0", True),
    ("(0x10 | 0b1) == 021", True),
    ("1 ? 0 : 1", False),
    ("~0 == -1", True),
    ("'a' == 97", True),
    ("1'000u == 1000ULL", True),
    ("CHAIN == 3", True),
    ("A /* three */ == 3 // yes", True),
    ("__has_include(<cuda_fp16.h>)", False),
    ("1 - 2 - 3 == -4", True),
    ("", None),
    ("A ==", None),
    ("(A", None),
    ("F(1)", None),
    ("1 / 0", None),
    ("A B", None),
    ("1.5 > 1", None),
    ("LOOP", False),
    ("(" * 2000 + "1" + ")" * 2000, None),
    ("!" * 2001 + "0", True),
]


@pytest.mark.parametrize(("condition", "value"), CONDITIONS)
def test_conditions(condition: str, value: bool | None) -> None:
    assert evaluate_condition(condition, {"A": "3", "CHAIN": "LINK", "LINK": "A", "LOOP": "LOOP"}) is value


def test_architecture_defaults() -> None:
    source = "int x =\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= {}\n1\n#else\n2\n#endif\n;"
    assert "1" in unit(source.format(600)).text
    assert "2" in unit(source.format(800)).text
    assert "1" in unit(source.format(800), {"__CUDA_ARCH__": "900"}).text
