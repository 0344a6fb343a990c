"""Innermost loops unrolled by a factor that is to be tuned, where nothing says otherwise, and those around one loop
that is unrolled whole."""

from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.loops import LOOPS, counting, start_of
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Parameter, Rewrite
from cu2mlx.refine.propose.rewrites.terms import is_barrier
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node

FACTOR = Parameter("UNROLL_FACTOR", (4, 2, 8))


def edits(program: Program) -> Iterator[Edit]:
    for node in program.root.all("for_statement"):
        if counting(program, node) is None or not _is_straight(program, node):
            continue
        if any(is_barrier(program, each) for each in node.all("expression_statement")):
            continue  # its time goes into waiting
        line = program.text.rfind("\n", 0, node.start) + 1
        alone = not program.text[line : node.start].strip()
        before = program.text[:line].rstrip().rsplit("\n", 1)[-1].strip()
        if alone and not before.startswith("#pragma") and not before.endswith("\\"):
            yield Edit(line, line, f"#pragma unroll({FACTOR.name})\n")


def _is_straight(program: Program, loop: Node) -> bool:
    inner = [each for each in loop.all(*LOOPS) if each is not loop]
    return not inner or (
        len(inner) == 1 and program.text[start_of(program, inner[0]) :].startswith("#pragma unroll\n")
    )


UNROLLING = Rewrite(
    title="unrolling",
    description="unroll innermost loops by a factor of two, four or eight",
    score=0.4,
    difficulty=1,
    gain=1.1,
    edits=edits,
    parameter=FACTOR,
)
