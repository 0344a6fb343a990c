"""Reductions by shuffles become collectives where they are some, and compute the same."""

import numpy as np
import pytest
from kernels import numbers, outputs
from rewriting import BARRIER, T, changed, needs_compiler, words

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.rewrites.collectives import COLLECTIVES

BUTTERFLY = "for (int m = 16; m > 0; m >>= 1)\n    {}simd_shuffle_xor(v, m){};\n"
SUM, DOWN = BUTTERFLY.format("v += ", ""), BUTTERFLY.format("v += ", "").replace("xor", "down")
HELPERS = """#define WARP 32
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define ADD(a, b) (a) + (b)
#define SUB(a, b) a - b
inline float larger(float a, float b) { return a > b ? a : b; }
inline float times(float a, float b) { return b * a; }
inline float difference(float a, float b) { return a - b; }
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (SUM, "v = simd_sum(v);\n"),
        ("#pragma unroll\n" + BUTTERFLY.format("v = fmax(v, ", ")"), "v = simd_max(v);\n"),
        (BUTTERFLY.format("v = fmin(v, ", ")").replace("xor(v, m", "xor(v, m & 31"), "v = simd_min(v);\n"),
        (SUM.replace("simd", "metal::simd").replace("(v, m)", "(v, ushort(m))"), "v = simd_sum(v);\n"),
        (
            "for (uint m = WARP / 2; m >= 1; m /= 2) { v += cu::shfl_xor_sync(v, m, 32, t); }",
            "v = simd_sum(v);",
        ),
        (SUM.replace("int m = 16; m > 0; m >>= 1", "int m = 1; m < 32; m <<= 1"), "v = simd_sum(v);\n"),
        (SUM.replace("int m = 16; m > 0; m >>= 1", "uint m = 1; m < WARP; m *= 2"), "v = simd_sum(v);\n"),
        (SUM.replace("16", "2"), "v = quad_sum(v);\n"),
        (BUTTERFLY.format("v *= ", ""), "v = simd_product(v);\n"),
        (BUTTERFLY.format("v = v | ", ""), "v = simd_or(v);\n"),
        (BUTTERFLY.format("v = larger(", ", v)"), "v = simd_max(v);\n"),
        (BUTTERFLY.format("v = times(v, ", ")"), "v = simd_product(v);\n"),
        (
            "for (int m = 16; m; m /= 2) { const float o = cu::lane_xor(v, m); v = o < v ? o : v; }",
            "v = simd_min(v);",
        ),
        (
            "for (int m = 16; m; m /= 2) { a += cu::lane_xor(a, m); b = max(b, cu::lane_xor(b, m)); }",
            "a = simd_sum(a);\nb = simd_max(b);",
        ),
        ("".join(f"v += simd_shuffle_xor(v, {m});\n" for m in (1, 2, 16, 4, 8)), "v = simd_sum(v);\n"),
        (BUTTERFLY.format("v = MAX(v, ", ")"), "v = simd_max(v);\n"),
        (BUTTERFLY.format("v = ADD(", ", v)"), "v = simd_sum(v);\n"),
        (BUTTERFLY.format("v = SUB(v, ", ")"), None),
        (BUTTERFLY.format("w += ", ""), None),
        (BUTTERFLY.format("v -= ", ""), None),
        (BUTTERFLY.format("v = v - ", ""), None),
        (BUTTERFLY.format("v = difference(v, ", ")"), None),
        (BUTTERFLY.format("v = unknown(v, ", ")"), None),
        (BUTTERFLY.format("v = v > ", " ? v : w"), None),
        (SUM.replace("16", "8"), None),
        (DOWN, None),
        (SUM.replace(", m)", ", m / 2)"), None),
        ("long v;\n" + SUM.replace("simd_shuffle_xor", "cu::lane_xor"), None),
        ("for (int m = 16; m > 0; m >>= 1) v += cu::shfl_xor_sync(v, m, 16, t);", None),
        ("for (int m = 16; m > 0; m >>= 1) { v += simd_shuffle_xor(v, m); ++count; }", None),
        (
            "for (int m = 16; m > 0; m >>= 1) { a += simd_shuffle_xor(b, m); b += simd_shuffle_xor(a, m); }",
            None,
        ),
        (f"for (int m = 16; m > 0; m >>= 1) {{ v += simd_shuffle_xor(v, m); {BARRIER} }}", None),
        ("".join(f"v += simd_shuffle_xor(v, {m});\n" for m in (1, 2, 16, 4, 4)), None),
        (SUM.replace("xor", "up"), None),
    ],
)
def test_collectives(body: str, expected: str | None) -> None:
    assert changed(COLLECTIVES, body, HELPERS) == (body if expected is None else expected)


def test_a_lambda() -> None:
    body = "auto op = [](float a, float b) { return a + b; };\n" + BUTTERFLY.format("v = op(v, ", ")")
    assert changed(COLLECTIVES, body).endswith("v = simd_sum(v);\n")
    other = body.replace("a + b", "a - b")
    assert changed(COLLECTIVES, other) == other


def test_a_helper_s_loop() -> None:
    helper = "inline float warp_sum(float v) {\n    " + SUM + "    return v;\n}\n"
    candidate = COLLECTIVES.apply(Candidate(helper, "y[0] = warp_sum(x[0]);\n"))
    assert words(candidate.header) == words("inline float warp_sum(float v) { v = simd_sum(v); return v; }")


def test_a_number_of_lanes_that_an_instance_decides() -> None:
    body = "#pragma unroll\n" + SUM.replace("16", "LANES / 2")
    expected = f"if (LANES == 32) {{ v = simd_sum(v); }} else if (LANES == 4) {{ v = quad_sum(v); }} else {{ {body} }}"
    assert words(changed(COLLECTIVES, body)) == words(expected)
    moving = "int LANES = 32;\n" + body
    assert changed(COLLECTIVES, moving) == moving


FIRST = f"""const int lane = {T} % 32;
float v = x[{T}];
{DOWN}"""


@pytest.mark.parametrize(
    ("rest", "is_replaced"),
    [
        ("if (lane == 0) y[0] = v;", True),
        ("if (lane == 0 && n > 0) { y[0] = v; } v = 0.0f; y[1] = v;", True),
        (f"if ({T} == 0) y[0] = v;", True),
        ("if (!lane) y[0] = v;", True),
        ("const float mean = v / 32.0f; if (0 == lane) y[0] = mean;", True),
        ("v = simd_broadcast(v, 0); y[lane] = v;", True),
        ("y[0] = v;", False),
        ("if (lane == 1) y[0] = v;", False),
        ("if (lane == 0 || n > 0) y[0] = v;", False),
        ("if (lane == 0) y[0] = 1.0f; else y[1] = v;", False),
        ("const float mean = v / 32.0f; y[lane] = mean;", False),
        ("v = simd_broadcast(v, 5); if (lane == 0) y[0] = v;", False),
        ("if (v > 0) y[lane] = 1.0f;", False),
        ("y[int(v)] = 1.0f;", False),
        ("if (n > 0) v = 0.0f; y[lane] = v;", False),
        (SUM + "if (lane == 0) y[0] = v;", False),
    ],
)
def test_shuffles_down_where_the_first_lane_alone_matters(rest: str, is_replaced: bool) -> None:
    assert ("shuffle_down" not in changed(COLLECTIVES, FIRST + rest)) == is_replaced


def test_a_loop_around_shuffles_down_reads_what_its_end_leaves() -> None:
    body = FIRST.replace("float v", "float v = 0.0f; for (int r = 0; r < 2; ++r) { y[lane] = v; v") + "}"
    assert "simd_sum" not in changed(COLLECTIVES, body)


REDUCED = f"inline float reduced(float v) {{\n{DOWN}return v;\n}}\n"


@pytest.mark.parametrize(
    ("body", "is_replaced"),
    [
        (f"float s = reduced(x[0]); if ({T} == 0) y[0] = s;", True),
        (f"float s; s = reduced(x[0]); if ({T} == 0) y[0] = s; s = reduced(x[1]); y[{T}] = s;", False),
        ("float s = reduced(x[0]); y[0] = s;", False),
        (f"y[{T}] = reduced(x[0]);", False),
        (f"float s = reduced(reduced(x[0])); if ({T} == 0) y[0] = s;", False),
    ],
)
def test_a_result_matters_where_it_is_read(body: str, is_replaced: bool) -> None:
    assert ("simd_sum" in COLLECTIVES.apply(Candidate(REDUCED, body)).header) == is_replaced


def test_the_first_thread_of_a_row_is_a_first_lane_where_rows_are_simdgroups() -> None:
    body = f"float s = reduced(x[0]); if ({T} == 0) y[0] = s;"
    for block, is_replaced in ((("64", "4"), True), (("16", "4"), False), (("BLOCK", "4"), False)):
        assert ("simd_sum" in COLLECTIVES.apply(Candidate(REDUCED, body), block).header) == is_replaced


FUNCTORS = """struct Sum { float operator()(float a, float b) const { return a + b; } };
template <typename T> struct Least { T operator()(T a, T b) const { return metal::min(b, a); } };
struct Mean { float operator()(float a, float b) const { return (a + b) / 2; } };
// Every lane gets the result.
template <typename Op>
inline float all_lanes(float v, Op op) {
    for (int m = 16; m > 0; m >>= 1)
        v = op(v, simd_shuffle_xor(v, m));
    return v;
}
"""
BY_FUNCTOR = f"""const float v = x[{T}];
y[{T}] = all_lanes(v, Sum()) + 1000.0f * all_lanes(v, Least<float>());
y[{T} + 64] = all_lanes(v, Mean());
"""


def test_an_object_s_operation_asks_an_overload() -> None:
    header = COLLECTIVES.apply(Candidate(FUNCTORS, BY_FUNCTOR)).header
    assert "simd_reduced(Sum, Value v) { return simd_sum(v); }" in header
    assert "simd_reduced(Least<T>, Value v) { return simd_min(v); }" in header
    assert "v = simd_reduced(op, v);" in header and "(Mean" not in header
    means = FUNCTORS.replace("a + b;", "a - b;").replace("metal::min(b, a)", "b")
    assert COLLECTIVES.apply(Candidate(means, BY_FUNCTOR)).header == means
    no_template = FUNCTORS.replace("template <typename Op>\n", "").replace("Op op", "Sum op")
    assert (
        COLLECTIVES.apply(Candidate(no_template, BY_FUNCTOR)).header
        == no_template + header[header.index("template <typename Op, typename T>") :]
    )


INTEGERS = f"""const int v0 = int({T}) * 100000007;
int v = v0;
{SUM}y[{T}] = float(v);
v = v0;
{BUTTERFLY.format("v = max(v, ", ")")}y[{T} + 64] = float(v);
v = v0;
{BUTTERFLY.format("v *= ", "")}y[{T} + 128] = float(v);
"""
FIVE = "float v = x[{t}];\n{steps}y[{t}] = v;\n".format(
    t=T, steps="".join(f"v = fmax(simd_shuffle_xor(v, {m}), v);\n" for m in (16, 8, 4, 2, 1))
)


@needs_compiler
@pytest.mark.parametrize(
    ("header", "body", "size"),
    [
        (FUNCTORS, BY_FUNCTOR, 128),
        ("", INTEGERS, 192),
        ("", FIVE, 64),
        ("#define LANES 4\n", FIVE.replace("fmax(simd_shuffle_xor(v, 16), v)", "v"), 64),
        (REDUCED, f"float s = reduced(x[{T}]); y[{T}] = 0; if ({T} % 32 == 0) y[{T}] = s;", 64),
    ],
)
def test_the_same_comes_out(header: str, body: str, size: int) -> None:
    before = Candidate(header, body)
    after = COLLECTIVES.apply(before)
    special = np.where(np.arange(64) % 7 == 3, np.float32(np.inf), numbers(64)).astype(np.float32)
    for x in (numbers(64), special):
        results = [outputs(each, x, size) for each in (before, after)]
        np.testing.assert_allclose(results[1], results[0], rtol=1e-5)
