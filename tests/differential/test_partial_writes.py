"""Elements of which a kernel writes a part: the rest is there afterwards as it was, whatever way the part is written.

Each kernel runs with arrays of random contents. What MLX makes for an output that is written only holds anything at
first; here every bit of it is set. So what the original leaves of an element that it touches has to come from the
array that the caller passed. (Elements that an output's kernel does not touch at all are the caller's to fill, by
`init_value`: CU4205 names those that data decide.)
"""

import itertools

import numpy as np
import pytest

from cu2mlx.transpiler.binding.interface import Role
from tests.translated import Array, run_both, translated_kernel

_RANDOM = np.random.default_rng(11)
COUNT = 48  # elements; 40 are reached
LAUNCH = "int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return;"
TYPES = """
struct Inner { float low, high; };
struct Cell { float value; int label; Inner range; float row[3]; };
__device__ void put(float* p, float v) { *p = v; }
__device__ void set(float& r, float v) { r = v; }
__device__ void fill(float* p, int first, float v) { p[first] = v; }
template <typename T> __device__ void store(T* p, T v) { *p = v; }
struct View { float* at; __device__ View(float* p) : at(p) {} __device__ void set(float v) { *at = v; } };
__device__ float& low(Cell& c) { return c.range.low; }
"""

# Where: the thread's own element, which it copies first, and one that data name.
PLACES = {"own": "i", "scattered": "order[i]"}

# How a part of `{0}`, a float4 or a Cell, is written; `v` is a value of the thread's.
LANES = {
    "assigned": "{0}.y = v;",
    "three of four": "{0}.x = v; {0}.y = 2 * v; {0}.z = 3 * v;",
    "added to": "{0}.z += v;",
    "counted": "{0}.w++;",
    "by its address": "float* q = &{0}.y; *q = v;",
    "by its address and on": "float* q = &{0}.y; q[1] = v;",
    "by the first one's address": "(&{0}.x)[3] = v;",
    "by a pointer passed": "put(&{0}.z, v);",
    "by a template": "store(&{0}.z, v);",
    "by a reference passed": "set({0}.w, v);",
    "by a reference": "float& r = {0}.x; r = v;",
    "by a reference to the whole": "float4& r = {0}; r.x = v; r.w = -v;",
    "by a pointer to the whole": "float4* q = &{0}; q->x = v; (*q).z = -v;",
    "by a cast": "((float*)&{0})[2] = v;",
    "by a cast of a pointer": "float* q = reinterpret_cast<float*>(&{0}); q[1] = v; q[3] = -v;",
    "by a cast of a lane to a reference": "reinterpret_cast<int&>({0}.y) = i;",
    "by a cast to a reference": "reinterpret_cast<float&>({0}) = v;",
    "as a pair": "*(float2*)&{0} = make_float2(v, -v);",
    "by an object": "View(&{0}.y).set(v);",
    "on a condition": "if (v > 0) {0}.x = v; else {0}.y = v;",
    "all, but one on a condition": "{0}.x = v; {0}.y = v; {0}.z = v; if (v > 0) {0}.w = v;",
    "all, unless it leaves": "{0}.x = v; if (v > 0) return; {0}.y = v; {0}.z = v; {0}.w = v;",
    "all by a choice": "switch (i & 3) {{ case 0: {0}.x = v; break; case 1: {0}.y = v; break; default: {0}.z = v; }}",
    "by a choice of addresses": "*(v > 0 ? &{0}.x : &{0}.w) = v;",
    "in a row of assignments": "{0}.x = {0}.z = v;",
    "by an atomic": "atomicAdd(&{0}.y, v);",
    "exchanged": "atomicExch(&{0}.y, v);",
    "stored past the cache": "__stcs(&{0}.y, v);",
}
MEMBERS = {
    "a number": "{0}.label = i;",
    "one of two inside": "{0}.range.high = v;",
    "what is inside": "{0}.range = {{v, -v}};",
    "an element of an array": "{0}.row[1] = v;",
    "an element that data name": "{0}.row[order[i] % 3] = v;",
    "some rounds": "for (int k = 0; k < order[i] % 3; k++) {0}.row[k] = v;",
    "rounds that end": "for (int k = 0; k < 3; k++) {{ if (v > k) break; {0}.row[k] = v; }}",
    "an array passed": "fill({0}.row, 2, v);",
    "an array's pointer": "float* q = {0}.row; q[1] = v;",
    "by a returned reference": "low({0}) = v;",
    "by a pointer": "Cell* c = &{0}; c->value += v; c->row[0] = v; c->range.low = v;",
    "all but the array": "{0}.value = v; {0}.label = i; {0}.range.low = v; {0}.range.high = v;",
    "counted": "atomicAdd(&{0}.label, 3);",
    "raised": "atomicMax(&{0}.label, i);",
    "all, some rounds": (
        "{0}.value = v; {0}.label = i; {0}.range = {{v, v}}; for (int k = 0; k < n % 3; ++k) {0}.row[k] = v;"
    ),
}
WHOLE = [  # outputs that nobody has to pass
    ("float4", "p[i].x = v; p[i].y = v; if (v > 0) { p[i].w = 2 * v; } p[i].z = v; p[i].w = v;"),
    (
        "Cell",
        "p[i].value = v; p[i].label = i; p[i].range.low = v; p[i].range.high = v;"
        "for (int k = 0; k < 3; ++k) p[i].row[k] = v * k;",
    ),
]
# An element of `float p[]` that is not the thread's own, though the index is its own.
NOT_OWN = {
    "from the second on": "float* q = p + 1; q[i] = 2 * q[i];",
    "a pointer that moves": "p += 1; p[i] = 2 * p[i];",
    "four at once": "float4* q = (float4*)p; float4 v = q[i]; v.x += 1; q[i] = v;",
    "half of one": "short* q = reinterpret_cast<short*>(p); q[i] = q[i] + 1;",
    "of many threads": "if (blockIdx.y == 1) p[i] = 2 * p[i];",
    "of many threads, by a copy": "const dim3 at = threadIdx; if (at.y == 0) p[i] = 2 * p[i];",
}


def _kernel(type_: str, body: str) -> str:
    return f"""{TYPES}
__global__ void k({type_}* p, const int* order, const float* x, int n) {{
  {LAUNCH}
  const float v = x[i];
  {body}
}}
"""


def _arguments(type_: str) -> dict[str, Array | np.generic]:
    floats = 4 if type_ == "float4" else 7
    contents = _RANDOM.normal(0, 1, (COUNT, floats)).astype(np.float32)
    if type_ == "Cell":
        contents[:, 1] = _RANDOM.integers(0, 9, COUNT).astype(np.int32).view(np.float32)
        contents = contents.view(np.uint8)
    return {
        "p": contents,
        "order": _RANDOM.permutation(COUNT)[:40].astype(np.int32),
        "x": _RANDOM.normal(0, 1, 40).astype(np.float32),
        "n": np.int32(40),
    }


CASES = [
    pytest.param(type_, how.format(f"p[{place}]"), id=f"{type_} {name} {where}")
    for type_, table in (("float4", LANES), ("Cell", MEMBERS))
    for (name, how), (where, place) in itertools.product(table.items(), PLACES.items())
]


@pytest.mark.parametrize(("type_", "body"), CASES)
def test_the_rest_stays(type_: str, body: str) -> None:
    arguments = _arguments(type_)
    before = np.array(arguments["p"])
    both = run_both(_kernel(type_, body), arguments, block=16, grid=3, fresh=True)
    changed = (both.original["p"] != before).any(axis=1)
    assert changed.any()
    np.testing.assert_array_equal(both.translated["p"][changed], both.original["p"][changed])


@pytest.mark.parametrize(("type_", "body"), WHOLE)
def test_elements_that_are_written_wholly_are_outputs(type_: str, body: str) -> None:
    _, kernel = translated_kernel(_kernel(type_, body), "k")
    assert kernel.interface is not None
    assert kernel.interface.parameters[0].role is Role.OUT
    test_the_rest_stays(type_, body)


@pytest.mark.parametrize("body", NOT_OWN.values(), ids=NOT_OWN)
def test_no_thread_copies_what_another_changes(body: str) -> None:
    _, kernel = translated_kernel(f"__global__ void k(float* p, int n) {{ {LAUNCH} {body} }}", "k")
    assert kernel.interface is not None
    assert kernel.interface.parameters[0].role is Role.INOUT
