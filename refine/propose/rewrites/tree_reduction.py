"""A tree of additions in threadgroup memory → one sum per simdgroup, then one over simdgroups.

    partial[t] = sum;                                   sum = simd_sum(sum);
    barrier;                                            if (t % 32 == 0) partial[t / 32] = sum;
    for (s = threads / 2; s > 0; s >>= 1) {      →      barrier;
        if (t < s) partial[t] += partial[t + s];        if (t < 32) { … simd_sum over the simdgroups … }
        barrier;                                        barrier;
    }

log2(threads) barriers become two. Afterwards only partial[0] holds what it did, so nothing may read more of it. The
tree itself takes the number of threads for a power of two; so does this.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cu2mlx.refine.propose.rewrites.loops import LOOPS, halving
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Rewrite
from cu2mlx.refine.propose.rewrites.terms import (
    declaration_of,
    expression,
    following,
    fresh,
    integer,
    is_barrier,
    is_float,
    statements,
    uses,
)
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node

_THREAD = "thread_position_in_threadgroup.x"
_SIZE = "threads_per_threadgroup.x"
_COLLECTIVES = {
    "+=": "simd_sum",
    "fmax": "simd_max",
    "max": "simd_max",
    "fmin": "simd_min",
    "min": "simd_min",
}


@dataclass(frozen=True, slots=True)
class Tree:
    """`partial[thread]` of all threads, combined by the collective `operation`."""

    partial: str
    thread: str
    operation: str


def edits(program: Program) -> Iterator[Edit]:
    if len(program.block) > 1:
        return  # threads of one row of a block need not be a simdgroup
    for node in program.body.all("for_statement"):
        tree = _tree(program, node)
        if tree is None:
            continue
        block = node.parent
        assert block is not None
        before = [each for each in block.named_children if each.end <= node.start][-2:]
        value = _stored(program, before[0], tree) if len(before) == 2 else None
        if (
            value is None
            or not is_barrier(program, before[1])
            or not _is_read_at_zero_only(program, node, tree)
        ):
            continue
        yield Edit(before[0].start, node.end, _replacement(program, tree, value, before[1]))


def _tree(program: Program, node: Node) -> Tree | None:
    found = halving(program, node)
    if found is None or not _is_half_of_group(program, found[1]):
        return None
    stride, _, body = found
    inside = statements(body)
    if len(inside) != 2 or inside[0].kind != "if_statement" or not is_barrier(program, inside[1]):
        return None
    condition, then = inside[0].need("condition"), inside[0].need("consequence")
    if inside[0].child("alternative") is not None or len(statements(then)) != 1:
        return None
    test = program.squeezed(condition)[1:-1]
    thread = test.removesuffix(f"<{stride}")
    if not _is_thread(program, thread, node):
        return None
    added = program.squeezed(statements(then)[0])
    array = added.split("[")[0]
    own, other = f"{array}[{thread}]", f"{array}[{thread}+{stride}]"
    for name, collective in _COLLECTIVES.items():
        written = f"{own}+={other};" if name == "+=" else f"{own}={name}({own},{other});"
        if added == written:
            return Tree(array, thread, collective)
    return None


def _is_thread(program: Program, text: str, place: Node) -> bool:
    """Whether an expression is the thread's place in its group: Metal's word, or a constant made of it."""
    if text == _THREAD:
        return True
    declared = declaration_of(program, text, place)
    if declared is None or "const" not in program.of(declared).split():
        return False
    declarators = declared.fields("declarator")
    value = declarators[0].child("value") if len(declarators) == 1 else None
    return value is not None and program.of(value) == _THREAD


def _is_half_of_group(program: Program, start: Node) -> bool:
    """`threads / 2`, as the kernel's launch has it."""
    text = program.squeezed(start)
    return text in (f"{_SIZE}/2", f"{_SIZE}>>1") or (
        start.kind == "binary_expression"
        and start.need("operator").kind == "/"
        and integer(program, start.child("right")) == 2
        and program.of(start.need("left")) == _SIZE
    )


def _stored(program: Program, statement: Node, tree: Tree) -> str | None:
    """What every thread has put into its element, a float variable."""
    assignment = expression(statement)
    if assignment is None or assignment.kind != "assignment_expression":
        return None
    target, value = program.squeezed(assignment.need("left")), assignment.need("right")
    if target != f"{tree.partial}[{tree.thread}]" or assignment.need("operator").kind != "=":
        return None
    return program.of(value) if is_float(program, value) else None


def _is_read_at_zero_only(program: Program, loop: Node, tree: Tree) -> bool:
    """After the loop, until the block ends; a loop around it would read before it as well."""
    if loop.above(*LOOPS) is not None:
        return False
    for statement in following(loop):
        for use in uses(program, tree.partial, statement):
            element = use.parent
            if element is None or program.squeezed(element) != f"{tree.partial}[0]":
                return False
    return True


def _replacement(program: Program, tree: Tree, value: str, barrier_statement: Node) -> str:
    partial, thread, barrier = tree.partial, tree.thread, program.of(barrier_statement)
    own, all_of_them, count = (
        fresh(program, each) for each in ("own_simdgroup", "whole_group", "simdgroups")
    )
    neutral = "0.0f" if tree.operation == "simd_sum" else own  # the first simdgroup's, once more
    return f"""{{
    const float {own} = {tree.operation}({value});
    if ({thread} % 32 == 0)
        {partial}[{thread} / 32] = {own};
    {barrier}
    if ({thread} < 32) {{
        const uint {count} = ({_SIZE} + 31) / 32;
        const float {all_of_them} = {tree.operation}({thread} < {count} ? {partial}[{thread}] : {neutral});
        if ({thread} == 0)
            {partial}[0] = {all_of_them};
    }}
    {barrier}
}}"""


TREE_REDUCTION = Rewrite(
    title="two-level reduction",
    description="reduce in threadgroup memory by simd_sum and one slot per simdgroup instead of a tree",
    score=0.65,
    difficulty=2,
    gain=1.2,
    edits=edits,
)
