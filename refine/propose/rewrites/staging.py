"""A loop that stages one step's data in threadgroup memory → one that stages several steps at a time.

    for (int t = 0; t < n; ++t) {               for (int first = 0; first < n; first += STEPS) {
        if (i < 16) b[i] = B[t * 16 + i];           for (t of these steps) if (i < 16) b[k][i] = B[t * 16 + i];
        barrier;                            →       barrier;
        … b[j] …                                    for (t of these steps) … b[k][j] …
        barrier;                                    barrier;
    }                                           }

A barrier costs as much for one step as for eight, and the loads of several steps wait together. What is staged may
depend on the step, not on what steps before have computed.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from cu2mlx.refine.propose.rewrites.loops import Loop, counting, start_of
from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Parameter, Rewrite
from cu2mlx.refine.propose.rewrites.terms import assigned, fresh, is_barrier, names, statements, uses
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node

STEPS = Parameter("STEPS_STAGED", (8, 4, 16))


@dataclass(frozen=True, slots=True)
class Staged:
    """`shared`: constants of a step, which both halves compute. `load` fills `arrays`, `work` reads them."""

    loop: Loop
    shared: tuple[Node, ...]
    load: tuple[Node, ...]
    work: tuple[Node, ...]
    barrier: Node
    arrays: dict[str, Node]


def edits(program: Program) -> Iterator[Edit]:
    """Of the first loop that is found."""
    for node in program.body.all("for_statement"):
        staged = _staged(program, node)
        if staged is not None:
            step = fresh(program, "step_staged")
            for array in staged.arrays.values():
                size = array.need("size")
                yield Edit(size.start - 1, size.start - 1, f"[{STEPS.name}]")
            yield Edit(start_of(program, node), node.end, _replacement(program, staged, step))
            return


def _staged(program: Program, node: Node) -> Staged | None:
    loop = counting(program, node)
    if loop is None or loop.step is not None or loop.type not in ("int", "uint"):
        return None
    inside = statements(loop.body)
    barriers = [place for place, each in enumerate(inside) if is_barrier(program, each)]
    if (
        len(barriers) != 2
        or barriers[1] != len(inside) - 1
        or any(_is_unfit(program, each) for each in inside)
    ):
        return None
    before, work = inside[: barriers[0]], tuple(inside[barriers[0] + 1 : barriers[1]])
    shared = tuple(each for each in before if each.kind == "declaration")
    load = tuple(each for each in before if each.kind != "declaration")
    filled = set().union(*(_stored(program, each) for each in load)) if load else set()
    arrays = {
        name: found for name in filled if (found := _threadgroup_array(program, name, node)) is not None
    }
    staged = Staged(loop, shared, load, work, inside[barriers[0]], arrays)
    return staged if filled and set(arrays) == filled and _may_part(program, staged) else None


def _is_unfit(program: Program, statement: Node) -> bool:
    """A jump, or a barrier that is not for all of the loop's steps."""
    jumps = statement.all("break_statement", "continue_statement", "return_statement")
    inner = [each for each in statement.all("expression_statement") if each is not statement]
    return any(True for _ in jumps) or any(is_barrier(program, each) for each in inner)


def _stored(program: Program, statement: Node) -> set[str]:
    """The arrays whose elements a statement writes; a name that is written otherwise counts as well."""
    found = set()
    for each in statement.all("assignment_expression", "update_expression", "init_declarator"):
        target = each.child("left") or each.child("argument") or each.need("declarator")
        while target.kind == "subscript_expression":
            target = target.need("argument")
        found.add(program.of(target))
    return found


def _threadgroup_array(program: Program, name: str, loop: Node) -> Node | None:
    """The declarator of a threadgroup array of the kernel that is used in the loop only."""
    for declaration in program.body.named_children:
        if declaration.kind != "declaration" or program.text[: declaration.start].split()[-1:] != [
            "threadgroup"
        ]:
            continue
        for each in declaration.fields("declarator"):
            innermost = each
            while innermost.kind == "array_declarator" and innermost.need("declarator").kind != "identifier":
                innermost = innermost.need("declarator")
            if innermost.kind == "array_declarator" and program.of(innermost.need("declarator")) == name:
                outside = [
                    use for use in uses(program, name, program.body) if not loop.start <= use.start < loop.end
                ]
                return innermost if len(outside) == 1 else None
    return None


def _may_part(program: Program, staged: Staged) -> bool:
    """Whether the loads of later steps may go before the work of earlier ones."""
    changed = set().union(*(assigned(program, each) for each in staged.work)) if staged.work else set()
    constants = all(program.of(each).split()[0] == "const" for each in staged.shared)
    before = set().union(*(names(program, each) for each in (*staged.shared, *staged.load)))
    sources = {
        program.of(each.need("argument"))
        for statement in (*staged.shared, *staged.load)
        for each in statement.all("subscript_expression")
    } - set(staged.arrays)
    worked = set().union(*(names(program, each) for each in staged.work)) if staged.work else set()
    return (
        constants
        and not changed & (before | set(staged.arrays) | names(program, staged.loop.limit))
        and not sources & worked  # a function that gets one might write to it
        and not any(names(program, each) & set(staged.arrays) for each in staged.shared)
        and staged.loop.variable not in changed
        and all(
            _is_element(program, use)
            for each in (*staged.load, *staged.work)
            for use in _array_uses(program, staged, each)
        )
    )


def _array_uses(program: Program, staged: Staged, statement: Node) -> Iterator[Node]:
    for name in staged.arrays:
        yield from uses(program, name, statement)


def _is_element(program: Program, use: Node) -> bool:
    """Whether an array stands with an index, and what it gives is no argument that could be written to."""
    element = use.parent
    if element is None or element.kind != "subscript_expression":
        return False
    while (
        element.parent is not None
        and element.parent.kind == "subscript_expression"
        and element.field == "argument"
    ):
        element = element.parent
    return element.parent is not None and element.parent.kind not in ("argument_list", "pointer_expression")


def _replacement(program: Program, staged: Staged, step: str) -> str:
    loop, barrier = staged.loop, program.of(staged.barrier)
    first, limit = f"first_{step}", program.of(loop.limit)
    head = (
        f"    for ({loop.type} {step} = 0; {step} < {STEPS.name} && {first} + {step} < {limit}; ++{step}) {{\n"
        f"        const {loop.type} {loop.variable} = {first} + {step};\n"
    )
    shared = "".join(f"        {program.of(each)}\n" for each in staged.shared)
    load = "".join(f"        {_of_step(program, staged, each, step)}\n" for each in staged.load)
    work = "".join(f"        {_of_step(program, staged, each, step)}\n" for each in staged.work)
    return (
        f"for ({loop.type} {first} = {program.of(loop.start)}; {first} < {limit}; {first} += {STEPS.name}) {{\n"
        f"{head}{shared}{load}    }}\n    {barrier}\n{head}{shared}{work}    }}\n    {barrier}\n}}"
    )


def _of_step(program: Program, staged: Staged, statement: Node, step: str) -> str:
    """The source of a statement with the arrays' part for a step."""
    pieces, position = [], statement.start
    for use in statement.all("identifier"):
        if program.of(use) in staged.arrays:
            pieces += [program.text[position : use.end], f"[{step}]"]
            position = use.end
    return "".join([*pieces, program.text[position : statement.end]])


STAGING = Rewrite(
    title="staging several steps",
    description="stage the data of several steps of a loop in threadgroup memory between two barriers",
    score=0.63,
    difficulty=2,
    gain=1.5,
    edits=edits,
    parameter=STEPS,
)
