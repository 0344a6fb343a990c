"""Which macros stay, which are expanded, and what the expansion says."""

import textwrap

import pytest
from preprocess_helpers import codes, faults, unit


def of(text: str) -> str:
    return textwrap.dedent(text).lstrip("\n")


KEPT = [
    ("#define N 256", "int x = N;"),
    ("#define EPS 1e-5f", "float x = EPS;"),
    ("#define N 4\n#define N2 (N * N)", "int a[N2];"),
    ("#define CEIL_DIV(a, b) (((a) + (b) - 1) / (b))", "int x = CEIL_DIV(n, 32);"),
    ("#define MAX(a, b) ((a) > (b) ? (a) : (b))", "int x = MAX(MAX(a, b), -c);"),
    ("#define CEIL_DIV(a, b) \\\n  (((a) + (b) - 1) / (b))", "int x = CEIL_DIV(n, 32);"),
    ('#define MESSAGE "text"', "f(MESSAGE);"),
    ("#define MASK 0xffffffffu  // every lane\n", "unsigned m = MASK;"),
]


@pytest.mark.parametrize(("define", "use"), KEPT)
def test_kept(define: str, use: str) -> None:
    source = f"{define}\n__global__ void k() {{ {use} }}\n"
    found = unit(source)
    assert found.text == source
    assert found.expanded == frozenset()
    assert {line.split()[1].split("(")[0] for line in define.splitlines() if "#" in line} == set(found.macros)
    assert faults(found) == []


# The definitions, the use, what the use becomes.
EXPANDED = [
    ("#define TID threadIdx.x", "int i = TID;", "int i = threadIdx.x;"),
    (
        "#define BID blockIdx.x\n#define GID (BID * blockDim.x + threadIdx.x)\n#define ID(n) (GID + (n))",
        "int i = ID(2);",
        "int i = ((blockIdx.x * blockDim.x + threadIdx.x) + (2));",
    ),
    ("#define ADD(p, v) atomicAdd(p, v)", "ADD(&a[0], 1.f);", "atomicAdd(&a[0], 1.f);"),
    ("#define AT(p, i) p[i]", "AT(a, 3) = 1;", "a[3] = 1;"),
    ("#define DEREF(p) (*(p))", "DEREF(a) = 1;", "(*(a)) = 1;"),
    ("#define REAL float", "REAL x = 1;", "float x = 1;"),
    ("#define SHARED __shared__", "SHARED float s[4];", "__shared__ float s[4];"),
    (
        "#define PAIR(t) struct { t x, y; }",
        "__shared__ PAIR(int) s[4];",
        "__shared__ struct { int x, y; } s[4];",
    ),
    (
        "#define LOOP(i, n) for (int i = threadIdx.x; i < (n); i += blockDim.x)",
        "LOOP(i, 8) { a[i] = 1; }",
        "for (int i = threadIdx.x; i < (8); i += blockDim.x) { a[i] = 1; }",
    ),
    ("#define STORE(v) a[0] = v;", "STORE(1) STORE(2)", "a[0] = 1; a[0] = 2;"),
    ("#define STORE(v) a[0] = v;", "STORE(1);", "a[0] = 1;"),
    ("#define TWICE(v) ((v) + (v))", "int x = TWICE(int(3));", "int x = ((int(3)) + (int(3)));"),
    ("#define CALL(f, x) f(x)", "CALL(__expf, 1.f);", "__expf(1.f);"),
    ("#define CAT(a, b) a##b", "int CAT(x, 1) = 1;", "int x1 = 1;"),
    (
        "#define N 7\n#define CAT_(a, b) a##b\n#define CAT(a, b) CAT_(a, b)",
        "int CAT(x, N) = 1;",
        "int x7 = 1;",
    ),
    ("#define STR(x) #x", 'f(STR(a "b" + c));', r'f("a \"b\" + c");'),
    ("#define PRINT(f, ...) printf(f, ##__VA_ARGS__)", 'PRINT("a");', 'printf("a");'),
    ("#define PRINT(f, ...) printf(f, ##__VA_ARGS__)", 'PRINT("a", 1, b);', 'printf("a", 1, b);'),
    ("#define ALL(...) f(__VA_ARGS__)", "ALL();", "f();"),
    ("#define ALL(...) f(__VA_ARGS__)", "ALL((1, 2), 3);", "f((1, 2), 3);"),
    ("#define f(x) f(g(x))", "f(f(1));", "f(g(f(g(1))));"),
    ("#define f(x) f(g(x))", "int y = f;", "int y = f;"),
    ("#define NEG(x) f(-x)\n#define MINUS NEG(-n)", "int y = MINUS;", "int y = f(- -n);"),
    ("#define ALIAS BODY\n#define BODY(v) v = threadIdx.x", "ALIAS(y);", "y = threadIdx.x;"),
    ("#define TWO(x) x; x;\n#define FOUR(x) TWO(x); TWO(x);", "FOUR(f());", "f(); f(); f(); f();"),
    ("#define EVER for (;;) {", "EVER }", "for (;;) { }"),
    ("#define BEGIN(v) if (threadIdx.x) v", "BEGIN({) f(); }", "if (threadIdx.x) { f(); }"),
    ("#define EMPTY", "EMPTY int y = 1;", "int y = 1;"),
    ('#define UNROLL _Pragma("unroll")', "UNROLL\n for (;;) {}", '_Pragma("unroll")\n for (;;) {}'),
]


@pytest.mark.parametrize(("define", "use", "written"), EXPANDED)
def test_expanded(define: str, use: str, written: str) -> None:
    found = unit(f"{define}\n__global__ void k(float* a) {{ {use} }}\n")
    assert found.text.split() == f"__global__ void k(float* a) {{ {written} }}".split() or (
        found.text.splitlines()[-1].split() == f"__global__ void k(float* a) {{ {written} }}".split()
    )
    assert faults(found) == []
    assert found.diagnostics == ()


def test_the_standards_example() -> None:
    """C11 6.10.3.5, example 3 (shortened), with every macro expanded."""
    found = unit(
        of("""
        #define x 3
        #define f(a) f(x * (a))
        #undef x
        #define x threadIdx
        #define g f
        #define z z[0]
        #define m(a) a(w)
        #define w 0,1
        #define t(a) a
        int r[] = { f(y+1) + f(f(z)) % t(t(g)(0) + t)(1),
                    g(x+(3,4)-w) & m(f)^m(m) };
        """)
    )
    expected = """
        int r[] = { f(threadIdx * (y+1)) + f(threadIdx * (f(threadIdx * (z[0])))) %
        f(threadIdx * (0)) + t(1), f(threadIdx * (threadIdx+(3,4)-0,1)) &
        f(threadIdx * (0,1))^m(0,1) };"""
    assert "".join(found.text.split()) == "".join(expected.split())


def test_bodies_expand_on_their_own_lines() -> None:
    found = unit(
        of("""
        #define STEP(v)         \\
          do {                  \\
            v += threadIdx.x;   \\
            if (v > 3)          \\
              v = 0;            \\
          } while (0)
        __global__ void k(int a) {
          // before
          STEP(a);  // after
        }
        """)
    )
    assert found.text == of("""
        __global__ void k(int a) {
          // before
          do {
            a += threadIdx.x;
            if (a > 3)
              a = 0;
          } while (0);  // after
        }
        """)


def test_layout_of_arguments_stays() -> None:
    found = unit(
        of("""
        #define BODY(...) __VA_ARGS__
        __global__ void k(int* a) {
          BODY(
            // a comment
            a[0] = 1;
        #if A
            a[1] = 2;
        #endif
          )
        }
        """)
    )
    assert "// a comment\n    a[0] = 1;\n#if A\n    a[1] = 2;\n#endif" in found.text


def test_qualifier_macros() -> None:
    found = unit(
        of("""
        #ifndef DEVICE_INLINE
        #define DEVICE_INLINE __device__ __forceinline__
        #endif
        #define HOST_DEVICE __host__ __device__
        DEVICE_INLINE
        float f(float a) { return a; }
        template <typename T> HOST_DEVICE T g(T a) { return a; }
        struct S { HOST_DEVICE S(int a) : x(a) {} int x; };
        """)
    )
    assert faults(found) == []
    assert "__device__ __forceinline__\nfloat f" in found.text
    assert "__host__ __device__ T g" in found.text
    assert {"DEVICE_INLINE", "HOST_DEVICE"} <= found.expanded


def test_launch_in_a_macro() -> None:
    found = unit(
        of("""
        #define LAUNCH(kernel, type, n) kernel<type><<<(n + 255) / 256, 256>>>(n)
        #define DISPATCH(t, ...) if (t) { using T = float; __VA_ARGS__ } else { using T = int; __VA_ARGS__ }
        void host(int n) {
          LAUNCH(scale, float, n);
          DISPATCH(n, scale<T><<<1, 32>>>(n);)
        }
        """)
    )
    assert "scale<float><<<(n + 255) / 256, 256>>>(n);" in found.text
    assert found.text.count("scale<T><<<1, 32>>>(n);") == 2
    assert faults(found) == []


def test_definitions_change_along_the_file() -> None:
    found = unit(
        "#define V threadIdx.x\nint a = V;\n#undef V\nint b = V;\n#define V blockIdx.x\nint c = V;\n"
    )
    assert found.text == "int a = threadIdx.x;\nint b = V;\nint c = blockIdx.x;\n"


def test_the_active_branch_defines() -> None:
    source = of("""
        #ifdef USE_ROCM
        #define SHUFFLE(v, d) __shfl_xor(v, d)
        #else
        #define SHUFFLE(v, d) __shfl_xor_sync(0xffffffffu, v, d)
        #endif
        __device__ float f(float v) { return SHUFFLE(v, 1); }
        """)
    assert "return __shfl_xor_sync(0xffffffffu, v, 1);" in unit(source).text
    assert "return __shfl_xor(v, 1);" in unit(source, {"USE_ROCM": "1"}).text


def test_command_line_macro() -> None:
    found = unit("__global__ void k() { TYPE x = SIZE; }", {"TYPE": "float", "SIZE": "3"})
    assert found.text == "__global__ void k() { float x = SIZE; }"
    assert found.macros["SIZE"].body == "3"


def test_known_framework_macros() -> None:
    found = unit(
        "template <class T> C10_LAUNCH_BOUNDS_1(256)\n__global__ void k(int n) { CUDA_KERNEL_LOOP(i, n) {} }"
    )
    assert "__launch_bounds__(256)" in found.text
    assert (
        "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x) {}"
        in found.text
    )
    assert faults(found) == []


def test_own_definition_goes_before_a_known_one() -> None:
    found = unit(
        "#define CUDA_KERNEL_LOOP(i, n) for (int i = 0; i < n; ++i)\nvoid f() { CUDA_KERNEL_LOOP(i, 3) {} }\n"
    )
    assert found.text == "void f() { for (int i = 0; i < 3; ++i) {} }\n"


def test_unknown_calls_are_left() -> None:
    source = 'void f() { AT_DISPATCH_FLOATING_TYPES(t, "x", [&] { k<<<1, 2>>>(); }); }'
    assert unit(source).text == source


def test_argument_count() -> None:
    found = unit("#define F(a, b) threadIdx.x + a + b\nint x = F(1);\n")
    assert codes(found) == ["CU1204"]
    assert "takes 2 arguments, 1 given" in found.diagnostics[0].message
    assert found.diagnostics[0].span.line == 2


def test_expansion_without_end_is_refused() -> None:
    levels = "\n".join(f"#define A{i} A{i - 1} A{i - 1} A{i - 1} A{i - 1}" for i in range(1, 30))
    found = unit(f"#define A0 threadIdx.x;\n{levels}\nvoid f() {{ A29 }}\n")
    assert codes(found) == ["CU1208"]


def test_nesting_without_end_is_refused() -> None:
    found = unit("#define F(x) threadIdx.x + x\nint y = " + "F(" * 3000 + "1" + ")" * 3000 + ";\n")
    assert codes(found) == ["CU1208"]


def test_macros_say_what_they_are() -> None:
    macro = unit("int y;\n#define MAX(a, b) /* larger */ ((a) > (b) ? (a) : (b))\n").macros["MAX"]
    assert (macro.parameters, macro.body) == (("a", "b"), "((a) > (b) ? (a) : (b))")
    assert macro.span.line == 2
    assert "/* larger */" in macro.text
