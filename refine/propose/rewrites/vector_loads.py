"""Loops that map elements to elements → the same in vectors, where pointers and length turn out to allow it.

    for (int i = thread; i < n; i += threads)         for (int i = thread * WIDTH; vectors && i < n; …) {
        y[i] = f(x[i], w[i]);                    →        x and w are loaded, y is stored as vectors
                                                      }
                                                      for (int i = vectors ? n : thread; …)   // as before

Who computes an element changes, so this is for loops where nobody cares: one assignment to an element at the loop's
variable, from elements at the same place and values that the loop does not change, over all threads of the group or
of the grid. Alignment is looked at when the kernel runs: a slice of an array may begin anywhere.
"""

from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.loops import Loop, counting
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Parameter, Rewrite
from cu2mlx.refine.propose.rewrites.terms import (
    declaration_of,
    expression,
    fresh,
    is_device_pointer,
    statements,
    uses,
)
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node

WIDTH = Parameter("VECTOR_WIDTH", (4, 2))

_THREAD, _THREADS = "thread_position_in_threadgroup.x", "threads_per_threadgroup.x"
_GROUP, _GROUPS = "threadgroup_position_in_grid.x", "threadgroups_per_grid.x"
_WHOLE = {  # where a thread starts → how far apart its elements are, if all threads together take every element
    _THREAD: {_THREADS},
    f"{_GROUP}*{_THREADS}+{_THREAD}": {
        f"{_THREADS}*{_GROUPS}",
        f"{_GROUPS}*{_THREADS}",
        "threads_per_grid.x",
    },
    "thread_position_in_grid.x": {"threads_per_grid.x"},
}
_OF_MANY_THREADS = ("atomic", "cu::atomic", "simd_", "quad_", "cu::shfl")

_HELPERS = """template <int N, typename T>
inline bool is_vector_aligned(const device T* p) { return reinterpret_cast<ulong>(p) % (N * sizeof(T)) == 0; }
template <int N, typename T>
inline vec<T, N> load_vector(const device T* p) { return *reinterpret_cast<const device vec<T, N>*>(p); }
template <int N, typename T>
inline vec<T, N> empty_vector(const device T* p) { return vec<T, N>(T(0)); }
template <int N, typename T>
inline void store_vector(device T* p, vec<T, N> v) { *reinterpret_cast<device vec<T, N>*>(p) = v; }
"""


def edits(program: Program) -> Iterator[Edit]:
    found = False
    for node in program.body.all("for_statement"):
        loop = counting(program, node)
        if loop is None or not _is_whole(program, loop):
            continue
        assignment = _mapping(program, loop)
        if assignment is not None:
            found = True
            yield Edit(node.start, node.end, _vectorised(program, loop, assignment))
    if found:
        yield Edit(len(program.candidate.header), len(program.candidate.header), _HELPERS)


def _is_whole(program: Program, loop: Loop) -> bool:
    start = "".join(program.of(loop.start).split())
    step = "1" if loop.step is None else "".join(program.of(loop.step).split())
    return loop.type in ("int", "uint") and step in _WHOLE.get(start, set())


def _mapping(program: Program, loop: Loop) -> Node | None:
    """The only statement of the loop: an assignment to an element at its variable, from such elements."""
    inside = statements(loop.body)
    assignment = expression(inside[0]) if len(inside) == 1 else None
    if assignment is None or assignment.kind != "assignment_expression":
        return None
    if (
        assignment.need("operator").kind != "="
        or _array(program, assignment.need("left"), loop.variable) is None
    ):
        return None
    for use in uses(program, loop.variable, assignment):
        element = use.above("subscript_expression")
        if element is None or _array(program, element, loop.variable) is None:
            return None
    for call in assignment.all("call_expression"):
        if program.of(call.need("function")).removeprefix("metal::").startswith(_OF_MANY_THREADS):
            return None
    target = _array(program, assignment.need("left"), loop.variable)
    return assignment if len(uses(program, target or "", assignment)) == 1 else None


def _array(program: Program, element: Node, variable: str) -> str | None:
    """The device pointer of `pointer[variable]`: a buffer of the kernel, or a variable that is declared as one."""
    if element.kind != "subscript_expression":
        return None
    pointer, place = element.need("argument"), program.of(element.need("indices"))
    if pointer.kind != "identifier" or place.replace(" ", "") != f"[{variable}]":
        return None
    declared = declaration_of(program, program.of(pointer), pointer)
    name = program.of(pointer)
    return name if declared is None or is_device_pointer(program, declared, name) else None


def _vectorised(program: Program, loop: Loop, assignment: Node) -> str:
    i, width = loop.variable, WIDTH.name
    target = _array(program, assignment.need("left"), i) or ""
    right = assignment.need("right")
    elements = list(right.all("subscript_expression"))
    arrays = {program.of(each): name for each in elements if (name := _array(program, each, i)) is not None}
    sources = list(dict.fromkeys(arrays.values()))
    vectors, lane = fresh(program, "in_vectors"), fresh(program, "lane_of_vector")
    value = _replaced(
        program, right, elements, {text: f"{name}_vector[{lane}]" for text, name in arrays.items()}
    )
    limit, start = program.of(loop.limit), program.of(loop.start)
    step = "1" if loop.step is None else program.of(loop.step)
    conditions = [f"is_vector_aligned<{width}>({name})" for name in (*sources, target)]
    loads = [f"        const auto {name}_vector = load_vector<{width}>({name} + {i});" for name in sources]
    rest = program.text[loop.limit.start : loop.node.end]
    return f"""{{
    const bool {vectors} = ({limit}) % {width} == 0 && {" && ".join(conditions)};
    for ({loop.type} {i} = ({start}) * {width}; {vectors} && {i} < {limit}; {i} += ({step}) * {width}) {{
{chr(10).join(loads)}
        auto {target}_vector = empty_vector<{width}>({target});
        for (int {lane} = 0; {lane} < {width}; ++{lane})
            {target}_vector[{lane}] = {value};
        store_vector<{width}>({target} + {i}, {target}_vector);
    }}
    for ({loop.type} {i} = {vectors} ? {limit} : {start}; {i} < {rest}
}}"""


def _replaced(program: Program, node: Node, elements: list[Node], texts: dict[str, str]) -> str:
    """The source of a node with some elements called otherwise."""
    pieces, position = [], node.start
    for element in elements:
        if element.start >= position and program.of(element) in texts:
            pieces += [program.text[position : element.start], texts[program.of(element)]]
            position = element.end
    return "".join([*pieces, program.text[position : node.end]])


VECTOR_LOADS = Rewrite(
    title="vectorised loads",
    description="load and store elementwise loops in vectors where alignment and length allow it",
    score=0.55,
    difficulty=2,
    gain=1.15,
    edits=edits,
    parameter=WIDTH,
)
