"""Loops over elements that all threads share out → the same in vectors, where pointers turn out to allow it.

    for (int i = thread; i < n; i += threads)         for (int v = thread; in_vectors && v < n / WIDTH; v += threads)
        sum += x[i] * y[i];                    →          x and y are loaded as vectors, for each of their elements …
                                                      for (int i = after_vectors(…); i < n; i += threads)
                                                          sum += x[i] * y[i];

Who computes an element changes, so this is for loops where nobody cares: over all threads of the group or of the grid,
each iteration sets elements at its own place, or adds to variables whose values of all threads are put together
afterwards. Alignment is looked at when the kernel runs: a row of an array may begin anywhere.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from cu2mlx.refine.propose.rewrites.loops import Loop, counting, start_of
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Parameter, Rewrite
from cu2mlx.refine.propose.rewrites.terms import fresh, statements
from cu2mlx.refine.propose.rewrites.thread_strides import goes_to_all, is_of_grid, is_of_group
from cu2mlx.refine.propose.rewrites.uniformity import Uniformity
from cu2mlx.refine.propose.rewrites.vector_body import Body, elementwise
from cu2mlx.runtime.msl.tokens import Edit

WIDTH = Parameter("VECTOR_WIDTH", (4, 2))

_HELPERS = """template <int N, typename T>
inline bool is_vector_aligned(const device T* p) { return reinterpret_cast<ulong>(p) % (N * sizeof(T)) == 0; }
template <int N, typename T>
inline vec<T, N> load_vector(const device T* p) { return *reinterpret_cast<const device vec<T, N>*>(p); }
template <int N, typename T>
inline vec<T, N> empty_vector(const device T* p) { return vec<T, N>(T(0)); }
template <int N, typename T>
inline void store_vector(device T* p, vec<T, N> v) { *reinterpret_cast<device vec<T, N>*>(p) = v; }
// Where a thread goes on that would have started at `start`.
template <int N, typename Index>
inline Index after_vectors(Index start, Index limit, bool in_vectors) {
    const Index rest = limit % N;
    return !in_vectors ? start : start < rest ? limit - rest + start : limit;
}
"""


def edits(program: Program) -> Iterator[Edit]:
    found = False
    for node in program.body.all("for_statement"):
        loop = counting(program, node)
        if loop is None or loop.type not in ("int", "uint"):
            continue
        body = elementwise(program, loop)
        if body is not None and _is_shared(program, loop, body):
            found = True
            yield Edit(start_of(program, node), node.end, _vectorised(program, loop, body))
    if found:
        yield Edit(len(program.candidate.header), len(program.candidate.header), _HELPERS)


def _is_shared(program: Program, loop: Loop, body: Body) -> bool:
    """Whether all threads together take every element, do the same with it, and put together what they gather."""
    of_grid = is_of_grid(program, loop)
    if of_grid and body.gathered and "atomic" not in program.candidate.body:
        return False  # who puts together what the groups have?
    alike = Uniformity(program, of_grid)
    own = frozenset({loop.variable, *body.own, *body.gathered, *body.stored})
    return (
        (of_grid or is_of_group(program, loop))
        and alike.reach(loop.node)
        and all(goes_to_all(program, each, loop.node) for each in body.gathered)
        and all(alike.holds_for_pointer(each, loop.node) for each in body.stored)
        and alike.holds(loop.limit)
        and alike.holds(loop.body, own)
    )


def _vectorised(program: Program, loop: Loop, body: Body) -> str:
    in_vectors, vector, lane, after = (
        fresh(program, each) for each in ("in_vectors", "vector", "element", "after_those")
    )
    places = [_Place(each.pointer, each.base) for each in body.elements]
    vectors = dict(zip(dict.fromkeys(places), _names(program, places), strict=True))
    read = {place for place, each in zip(places, body.elements, strict=True) if each.is_read}
    width, index = WIDTH.name, loop.type
    loads, stores = "", ""
    for place, name in vectors.items():
        load = f"load_vector<{width}>({place.start} + {vector} * {width})"
        value = load if place in read else f"empty_vector<{width}>({place.start})"
        is_stored = place.pointer in body.stored
        loads += f"        {'' if is_stored else 'const '}auto {name} = {value};\n"
        if is_stored:
            stores += f"        store_vector<{width}>({place.start} + {vector} * {width}, {name});\n"
    work = "".join(f"            {each}\n" for each in _work(program, loop, body, vectors, lane))
    if re.search(rf"\b{loop.variable}\b", work):
        work = f"            const {index} {loop.variable} = {vector} * {width} + {lane};\n{work}"
    limit, start = program.of(loop.limit), program.of(loop.start)
    count = limit if loop.limit.kind in ("identifier", "number_literal") else f"({limit})"
    step = "++{}" if loop.step is None else f"{{}} += {program.of(loop.step)}"
    aligned = " && ".join(f"is_vector_aligned<{width}>({place.start})" for place in vectors)
    pragma = program.text[start_of(program, loop.node) : loop.node.start]
    head = f"{index} {loop.variable} = {after}; {loop.variable} < {limit}; {step.format(loop.variable)}"
    return f"""{{
    const bool {in_vectors} = {aligned};
{pragma}    for ({index} {vector} = {start}; {in_vectors} && {vector} < {count} / {width}; {step.format(vector)}) {{
{loads}#pragma unroll
        for (int {lane} = 0; {lane} < {width}; ++{lane}) {{
{work}        }}
{stores}    }}
    const {index} {after} = after_vectors<{width}, {index}>({start}, {limit}, {in_vectors});
    for ({head}) {program.of(loop.body)}
}}"""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a vector is: at `pointer + base + vector * WIDTH`."""

    pointer: str
    base: str

    @property
    def start(self) -> str:
        return f"{self.pointer} + ({self.base})" if self.base else self.pointer


def _names(program: Program, places: list[_Place]) -> list[str]:
    """A name for each vector, numbered where a pointer has several."""
    different = list(dict.fromkeys(places))
    pointers = [each.pointer for each in different]
    return [
        fresh(program, f"{each.pointer}_vector{at if pointers.count(each.pointer) > 1 else ''}")
        for at, each in enumerate(different)
    ]


def _work(program: Program, loop: Loop, body: Body, vectors: dict[_Place, str], lane: str) -> Iterator[str]:
    """The statements of the body with elements of vectors in place of those of arrays."""
    for statement in statements(loop.body):
        pieces, position = [], statement.start
        for each in body.elements:
            if statement.start <= each.node.start < statement.end:
                pieces += [
                    program.text[position : each.node.start],
                    f"{vectors[_Place(each.pointer, each.base)]}[{lane}]",
                ]
                position = each.node.end
        yield "".join([*pieces, program.text[position : statement.end]])


VECTOR_LOADS = Rewrite(
    title="vectorised loads",
    description="load and store in vectors in loops that threads share out, where alignment allows it",
    score=0.55,
    difficulty=2,
    gain=1.15,
    edits=edits,
    parameter=WIDTH,
)
