"""What generators write: kernels that are long, nest deep, or call many helpers."""

import sys
from collections.abc import Callable

import pytest

from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import SourceFile

HEAD = "__global__ void k(const float* x, float* y, int n) {\n  int i = threadIdx.x;\n  float v = x[i];\n"


def kernel(statements: str) -> str:
    return f"{HEAD}{statements}  y[i] = v;\n}}\n"


def terms(count: int) -> str:
    return kernel("  v = v" + " + v * 2.0f" * count + ";\n")


def choices(count: int) -> str:
    return kernel(
        "  if (n < 0) v = 0.0f;\n" + "".join(f"  else if (n == {j}) v += {j}.0f;\n" for j in range(count))
    )


def helpers_in_a_row(count: int) -> str:
    last = "__device__ float h0(const float* p) { return p[0]; }\n"
    others = (
        f"__device__ float h{j}(const float* p) {{ return h{j - 1}(p) + p[{j}]; }}\n" for j in range(1, count)
    )
    return last + "".join(others) + kernel(f"  v += h{count - 1}(x);\n")


def statements(count: int) -> str:
    return kernel("".join(f"  float t{j} = v * {j}.5f + x[i + {j}];\n  v += t{j};\n" for j in range(count)))


def helpers(count: int) -> str:
    made = (
        f"__device__ float h{j}(const float* p, float a) {{ return p[{j}] * a; }}\n" for j in range(count)
    )
    return "".join(made) + kernel("".join(f"  v += h{j}(x, v);\n" for j in range(count)))


def templates(count: int) -> str:
    made = (
        f"template <typename T, int N> __device__ T t{j}(const T* p) {{ return p[N]; }}\n"
        for j in range(count)
    )
    return "".join(made) + kernel("".join(f"  v += t{j}<float, {j}>(x);\n" for j in range(count)))


def records(count: int) -> str:
    made = (
        f"struct R{j} {{ float a; __device__ float get(float b) {{ return a * b; }} }};\n"
        for j in range(count)
    )
    return "".join(made) + kernel(
        "".join(f"  R{j} r{j}; r{j}.a = v; v += r{j}.get(v);\n" for j in range(count))
    )


def overloads(count: int) -> str:
    made = (
        f"struct S{j} {{ float a; }};\n__device__ float o(S{j} s, float a) {{ return s.a * a; }}\n"
        for j in range(count)
    )
    return "".join(made) + kernel("".join(f"  S{j} s{j}; v += o(s{j}, v);\n" for j in range(count)))


def launches(count: int) -> str:
    made = "".join(kernel("  v *= 2.0f;\n").replace(" k(", f" k{j}(") for j in range(count))
    launched = "".join(f"  k{j}<<<n / 256, 256>>>(x, y, n);\n" for j in range(count))
    return f"{made}void f(float* x, float* y, int n) {{\n{launched}}}\n"


def macros(count: int) -> str:
    made = (f"#define C{j} {j}\n#define F{j}(a) ((a) * C{j})\n" for j in range(count))
    return "".join(made) + kernel("".join(f"  v += F{j}(v);\n" for j in range(count)))


def kernels(count: int) -> str:
    made = "".join(kernel("  v *= 2.0f;\n").replace(" k(", f" k{j}(") for j in range(count))
    hosts = (
        f"void f{j}(float* x, float* y, int n) {{ k{j}<<<n / 256, 256>>>(x, y, n); }}\n" for j in range(count)
    )
    return made + "".join(hosts)


@pytest.mark.parametrize(("write", "count"), [(terms, 1000), (choices, 400), (helpers_in_a_row, 200)])
def test_nests_deep(write: Callable[[int], str], count: int) -> None:
    (made,) = translate(SourceFile("k.cu", write(count))).kernels
    assert made.interface is not None


def test_nests_too_deep() -> None:
    limit = sys.getrecursionlimit()
    (made,) = translate(SourceFile("k.cu", terms(10_000))).kernels
    (found,) = made.diagnostics
    assert (found.code.code, found.span.line, found.kernel) == ("CU9001", 1, "k")
    assert "nest too deep" in found.message
    assert sys.getrecursionlimit() == limit


@pytest.mark.parametrize(
    "write", [statements, helpers, templates, records, overloads, macros, kernels, launches]
)
def test_work_grows_with_the_text(write: Callable[[int], str]) -> None:
    """Counted in calls of functions: ten times the text takes no more than ten times as many."""
    translate(SourceFile("k.cu", write(1)))  # fills what is kept per process
    few, many = calls(write(20)), calls(write(200))
    assert many <= 10.5 * few


def calls(text: str) -> int:
    count = 0

    def note(_frame: object, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        translate(SourceFile("k.cu", text))
    finally:
        sys.setprofile(None)
    return count
