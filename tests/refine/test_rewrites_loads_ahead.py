"""Loads ahead: what the next time round a loop needs is loaded while this one's is used."""

import numpy as np
import pytest
from kernels import numbers, outputs
from rewriting import BARRIER, SIZE, T, changed, needs_compiler

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.rewrites.loads_ahead import LOADS_AHEAD

# Sums of pairs; a helper, since a body does not say which of its buffers are constant.
HEADER = """inline float load(const device float* p, int at) { return p[at]; }
inline void scale(thread float& total, float by) { total *= by; }
inline void store(device float* p, float value) { *p = value; }
#define STORE(value) y[0] = value
struct Sink { device float* p; void put(float value) { *p = value; } };
struct Inside { Sink sink; };
using Other = Sink;
inline float sum(const device float* x, device float* y, int first, int n, float bound) {
    float total = 0.0f;
    for (int i = first; i < n; i += 3) {
        float part[2];
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            // past the end the last one
            const int at = min(i + j, n - 1);
            part[j] = load(x, at);
        }
        scale(total, 0.5f);
        for (int j = 0; j < 2; ++j)
            total += part[j] < bound ? part[j] : 1.0f;
    }
    return total;
}
"""
BODY = f"y[{T}] = sum(x, y, int({T}) % 7, n, 2.0f);\n"
AHEAD = """    {
        struct Ahead { float part[2]; };
        Ahead ahead;
        {
            int i = first;
            if (i < n) {
#pragma unroll
                for (int j = 0; j < 2; ++j) {
                    // past the end the last one
                    const int at = min(i + j, n - 1);
                    ahead.part[j] = load(x, at);
                }
            }
        }
        for (int i = first; i < n; i += 3) {
            Ahead now = ahead;
            const int last_i = i;
            {
                int i = last_i;
                i += 3;
                if (i < n) {
#pragma unroll
                    for (int j = 0; j < 2; ++j) {
                        // past the end the last one
                        const int at = min(i + j, n - 1);
                        ahead.part[j] = load(x, at);
                    }
                }
            }
            scale(total, 0.5f);
            for (int j = 0; j < 2; ++j)
                total += now.part[j] < bound ? now.part[j] : 1.0f;
        }
    }
"""


def header_after(header: str) -> str:
    return LOADS_AHEAD.apply(Candidate(header, BODY)).header


def test_the_next_registers_are_filled_while_these_are_used() -> None:
    after = header_after(HEADER)
    before, _, rest = HEADER.partition("    for (int i = first")
    assert after == before + AHEAD + "    return" + rest.partition("    return")[2]
    assert header_after(after) == after


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("const device float* x, device", "device float* x, device"),
        ("float part[2];", "float part[2] = {};"),
        ("float part[2];", "auto part = pair();"),
        ("float part[2];", ""),
        ("scale(total, 0.5f)", "store(y + i, total)"),
        ("scale(total, 0.5f)", "y[i] = total"),
        ("scale(total, 0.5f)", "device float* out = y; out[i] = total"),
        ("scale(total, 0.5f)", "auto out = y; out[i] = total"),
        ("scale(total, 0.5f)", "Sink sink; sink.put(total)"),
        ("scale(total, 0.5f)", "Sink sink; sink.p[0] = total"),
        ("scale(total, 0.5f)", "Inside inside; inside.sink.p[0] = total"),
        ("scale(total, 0.5f)", "Other other; other.p[0] = total"),
        ("scale(total, 0.5f)", "STORE(total)"),
        ("scale(total, 0.5f)", "atomic_store(counter, 1)"),
        ("scale(total, 0.5f)", "unknown = total"),
        ("scale(total, 0.5f)", BARRIER),
        ("scale(total, 0.5f)", "if (total > 9.0f) break"),
        ("scale(total, 0.5f)", "n -= 1"),
        ("scale(total, 0.5f)", "i += 1"),
        ("scale(total, 0.5f)", "x += 1"),
        ("part[j] = load(x, at)", "part[j] = load(x, at); total += 1.0f"),
        ("part[j] = load(x, at)", "part[j] = simd_shuffle(load(x, at), 3)"),
        ("part[j] = load(x, at)", "part[j] = y[at]"),
        ("part[j] = load(x, at)", "part[j] = float(at)"),
        ("part[j] = load(x, at)", "const int n = at; part[j] = load(x, n)"),
        ("float total = 0.0f;", "float total = 0.0f; int at = 0;"),
        ("i += 3", "i += step(n)"),
        ("i < n;", "i < n && limits[i];"),
        ("i = first", "i = first++"),
        ("float total = 0.0f;\n", "float total = 0.0f;\n#pragma unroll\n"),
    ],
)
def test_loads_that_stay(old: str, new: str) -> None:
    header = HEADER.replace(old, new, 1)
    assert header != HEADER
    assert header_after(header) == header


# A recurrence over the columns of x, one thread each: x has to be read before the sums are known.
RECURRENCE = f"""const int columns = 8, column = {T} % 8;
const device float* mine = x + column;
device float* out = y + {T} % 8;
if ({T} < 8) for (int i = 0; i < n / 8; i++) {{
    const int at = i * columns;
    const float a = mine[at], b = x[at + column] * 0.5f;

    y[{T}] = a;
    out[0] += b * out[0];
}}
"""


def test_the_buffers_of_a_kernel_are_different_ones() -> None:
    after = changed(LOADS_AHEAD, RECURRENCE)
    assert "struct Ahead { int at; float a, b; };" in after
    assert (
        "ahead.at = i * columns;\n            ahead.a = mine[ahead.at]; ahead.b = x[ahead.at + column] * 0.5f;"
        in after
    )
    assert f"        y[{T}] = now.a;\n        out[0] += now.b * out[0];\n    }}\n}}\n" in after
    assert changed(LOADS_AHEAD, after) == after


def test_what_comes_after_the_last_load_stays() -> None:
    body = RECURRENCE.replace("\n\n    y[", "\n    const float c = b * 2.0f;\n    y[").replace("+= b", "+= c")
    after = changed(LOADS_AHEAD, body)
    assert "struct Ahead { int at; float a, b; };" in after and "const float c = now.b * 2.0f;" in after


@pytest.mark.parametrize(
    "pointer",
    ["(x + column)", "&x[column]", "(const device float*)x + 3", "reinterpret_cast<const device float*>(x)"],
)
def test_where_a_pointer_comes_from(pointer: str) -> None:
    body = RECURRENCE.replace("mine = x + column", f"mine = {pointer}")
    assert changed(LOADS_AHEAD, body) != body
    body = body.replace("= y +", "= x +")
    assert changed(LOADS_AHEAD, body) == body


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (f"y[{T}] = a", f"x[{T}] = a"),
        ("= y +", "= x +"),
        ("= y +", "= n > 3 ? y :"),
        ("device float* out = y", "cu::inout_ptr<float> out = y"),
        ("out[0] +=", "out = other; out[0] +="),
        ("device float* out", "device float* other = x; device float* out"),
        ("const device float* mine = x", "const device float* mine = made(x)"),
        ("mine[at]", "ELEMENT"),
        ("mine[at]", "record.pointer[at]"),
        ("mine[at]", "load(y, at)"),
        ("const int at", "constexpr int at"),
        ("const int at = i * columns", "const int at(i * columns)"),
    ],
)
def test_buffers_that_may_be_the_same(old: str, new: str) -> None:
    body = RECURRENCE.replace(old, new, 1).replace(
        "out[0] += b", "other[0] += b" if "other =" in new else "out[0] += b"
    )
    body = f"#define ELEMENT x[at]\nRecord record;\n{body}"
    assert changed(LOADS_AHEAD, body, HEADER) == body


def test_what_all_threads_share_out_is_left_to_vectors() -> None:
    body = f"float s = 0.0f;\nfor (int i = {T}; i < n; i += {SIZE}) {{\n    float a = x[i];\n    s += a * s;\n}}\n"
    assert changed(LOADS_AHEAD, body) == body
    assert changed(LOADS_AHEAD, body.replace(f"i += {SIZE}", "i += 3")) != body


@needs_compiler
@pytest.mark.parametrize("count", [1, 2, 3, 6, 20, 61])
def test_the_same_results_and_no_load_outside(count: int) -> None:
    """Some threads go round not at all, some once."""
    for before in (Candidate(HEADER, BODY), Candidate("", f"y[{T}] = 0.5f;\n{BARRIER}\n{RECURRENCE}")):
        after = LOADS_AHEAD.apply(before)
        assert after != before
        results = [outputs(each, numbers(count), 64) for each in (before, after)]
        np.testing.assert_array_equal(results[1], results[0])
