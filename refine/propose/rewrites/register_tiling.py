"""Each thread of a tile takes several of its rows, whose values it keeps in registers.

    float acc = 0;                               float acc[ROWS];
    for (int t = 0; t < tiles; ++t) {            for (row) acc[row] = 0;
        A[ty][tx] = a[…];                        for (int t = 0; t < tiles; ++t) {
        barrier;                            →        for (row) A[ty[row]][tx[row]] = a[…];
        acc += A[ty][k] * B[k][tx];                  barrier;
        barrier;                                     for (row) acc[row] += …;
    }                                                barrier;
                                                 }

A block is ROWS times less high, and a thread does for each row what a thread of its own did: between two barriers
nobody may count on an order of threads. Loops around a barrier have to go round alike for all rows.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Parameter, Rewrite
from cu2mlx.refine.propose.rewrites.terms import fresh, is_barrier, names, statements
from cu2mlx.runtime.msl.tokens import Edit
from cu2mlx.transpiler.syntax import Node

ROWS = Parameter("ROWS_PER_THREAD", (2, 4, 8), divides_height=True)

_PLACE, _HEIGHT = "thread_position_in_threadgroup.y", "threads_per_threadgroup.y"
_OTHERS = ("simd_", "quad_", "thread_index_in", "simdgroup_index", "thread_position_in_grid", "cu::")


class _Unfit(Exception):
    """The kernel is none whose rows can be put together."""


@dataclass(slots=True)
class _Tiler:
    """Writes the body anew. `own`: variables that each row has one of."""

    program: Program
    row: str
    own: set[str] = field(default_factory=set)

    def block(self, inside: list[Node], indent: str) -> Iterator[str]:
        """The statements of a block, runs without a barrier put into loops over the rows."""
        run: list[Node] = []
        for statement in inside:
            if statement.kind == "preproc_call":  # a pragma is for the loop after it, which may be made anew
                continue
            if self.is_threadgroup(statement):
                self.require_shared([statement])
                yield f"{indent}threadgroup {self.program.of(statement)}"
            elif not self.has_barrier(statement):
                run.append(statement)
            else:
                yield from self.rows(run, indent)
                run = []
                yield from self.around(statement, indent)
        yield from self.rows(run, indent)

    def around(self, statement: Node, indent: str) -> Iterator[str]:
        """A barrier, or a loop that has one in it."""
        if is_barrier(self.program, statement):
            yield indent + self.program.of(statement)
            return
        if statement.kind != "for_statement":
            raise _Unfit
        body = statement.need("body")
        head = self.program.text[statement.start : body.start].rstrip()
        parts = [each for each in statement.children if each.named and each is not body]
        self.require_shared(parts)
        yield f"{indent}{head} {{"
        yield from self.block(statements(body), indent + "    ")
        yield f"{indent}}}"

    def rows(self, run: list[Node], indent: str) -> Iterator[str]:
        """Statements of each row. What they declare is declared before, once for each row."""
        inner = []
        for statement in run:
            if statement.kind == "declaration":
                declared, values = self.declared(statement)
                yield f"{indent}{declared}"
                inner += values
            elif _leaves(statement):
                raise _Unfit
            else:
                inner.append(self.renamed(statement))
        if inner:
            yield f"{indent}for (int {self.row} = 0; {self.row} < {ROWS.name}; ++{self.row}) {{"
            yield from (f"{indent}    {line}" for line in inner)
            yield f"{indent}}}"

    def require_shared(self, nodes: list[Node]) -> None:
        """Raises _Unfit for what differs between rows."""
        if any(names(self.program, each) & self.own or _PLACE in self.program.of(each) for each in nodes):
            raise _Unfit

    def declared(self, statement: Node) -> tuple[str, list[str]]:
        """A declaration of arrays over the rows, and the assignments of its values."""
        new, values = [], []
        type_text = self.program.of(statement.need("type"))
        if type_text == "auto":
            raise _Unfit
        for each in statement.fields("declarator"):
            name = each.need("declarator") if each.kind == "init_declarator" else each
            if name.kind != "identifier" or self.program.of(name) in self.own:
                raise _Unfit
            text = self.program.of(name)
            self.own.add(text)
            new.append(f"{text}[{ROWS.name}]")
            if (value := each.child("value")) is not None:
                values.append(f"{text}[{self.row}] = {self.renamed(value)};")
        return f"{type_text} {', '.join(new)};", values

    def renamed(self, node: Node) -> str:
        """The source of a node for the row at hand."""
        pieces, position = [], node.start
        for start, end, text in sorted(self.changes(node)):
            pieces += [self.program.text[position:start], text]
            position = end
        return "".join([*pieces, self.program.text[position : node.end]])

    def changes(self, node: Node) -> Iterator[tuple[int, int, str]]:
        for each in node.all("identifier"):
            if (name := self.program.of(each)) in self.own:
                yield each.start, each.end, f"{name}[{self.row}]"
        for each in node.all("field_expression"):
            if self.program.of(each) == _PLACE:
                yield each.start, each.end, f"({_PLACE} + {self.row} * {_HEIGHT})"

    def has_barrier(self, statement: Node) -> bool:
        return any(is_barrier(self.program, each) for each in statement.all("expression_statement"))

    def is_threadgroup(self, statement: Node) -> bool:
        return statement.kind == "declaration" and self.program.text[: statement.start].split()[-1:] == [
            "threadgroup"
        ]


def _leaves(statement: Node) -> bool:
    """Whether a break or continue in a statement is for a loop around it."""
    jumps = statement.all("break_statement", "continue_statement")
    loops = [
        each.above("for_statement", "while_statement", "do_statement", "switch_statement") for each in jumps
    ]
    return any(loop is None or loop.start < statement.start for loop in loops)


def edits(program: Program) -> Iterator[Edit]:
    body = program.body
    if not _is_tile(program, body):
        return
    tiler = _Tiler(program, fresh(program, "tile_row"))
    try:
        lines = list(tiler.block(body.named_children, ""))
    except _Unfit:
        return
    if any(count > 1 and name in tiler.own for name, count in _declarations(program, body).items()):
        return  # one name for two variables
    start = len(program.text) - len(program.candidate.body) - len("}\n")
    yield Edit(start, start + len(program.candidate.body), "\n".join(lines) + "\n")


def _declarations(program: Program, body: Node) -> Counter[str]:
    """How often each name is declared."""
    found = [each.child("declarator") for each in body.all("init_declarator")]
    found += [each.child("declarator") for each in body.all("declaration")]
    return Counter(program.of(each) for each in found if each is not None and each.kind == "identifier")


def _is_tile(program: Program, body: Node) -> bool:
    """Whether a kernel knows its row by its place in the block, and meets the others at barriers only."""
    words = {program.of(each) for each in body.all("identifier")}
    text = program.of(body)
    if _PLACE not in text or any(word.startswith(_OTHERS) for word in words) or "cu::" in text:
        return False
    if any(True for _ in body.all("return_statement", "goto_statement", "preproc_if", "preproc_ifdef")):
        return False
    places = [each for each in body.all("identifier") if program.of(each) == "thread_position_in_threadgroup"]
    fields = [each.parent for each in places]
    return (
        all(each is not None and each.kind == "field_expression" for each in fields)
        and _HEIGHT not in text
        and len(program.block) == 2
        and any(is_barrier(program, each) for each in body.all("expression_statement"))
    )


REGISTER_TILING = Rewrite(
    title="register tiling",
    description="let each thread of a tile take several rows and keep their values in registers",
    score=0.62,
    difficulty=2,
    gain=1.5,
    edits=edits,
    parameter=ROWS,
)
