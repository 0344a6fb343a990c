"""exp(x) → exp2(x · log2 e): exp is computed so anyway, and the factor can be folded into a scale."""

from collections.abc import Iterator

from cu2mlx.refine.propose.rewrites.program import Program
from cu2mlx.refine.propose.rewrites.rewrite import Rewrite
from cu2mlx.runtime.msl.tokens import Edit

_SPACES = ("", "metal::", "fast::", "precise::", "metal::fast::", "metal::precise::")


def edits(program: Program) -> Iterator[Edit]:
    own = {program.of(each.need("declarator")) for each in program.root.all("function_declarator")}
    for call in program.root.all("call_expression"):
        function = call.need("function")
        space = program.of(function).removesuffix("exp")
        arguments = call.need("arguments").named_children
        if program.of(function) != f"{space}exp" or space not in _SPACES or len(arguments) != 1:
            continue
        if space == "" and "exp" in own:  # the text's own function
            continue
        yield Edit(function.start, function.end, f"{space}exp2")
        yield Edit(arguments[0].start, arguments[0].start, "(")
        yield Edit(arguments[0].end, arguments[0].end, ") * M_LOG2E_F")


EXPONENTIALS = Rewrite(
    title="exp2 folding",
    description="compute exp as exp2 of a scaled argument",
    score=0.5,
    difficulty=1,
    gain=1.05,
    edits=edits,
)
