"""What a rewrite is: a rule that changes a candidate's text and keeps its meaning up to rounding.

Whether it is right for a kernel is not taken on trust: its candidate is evaluated like any other.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.rewrites.program import Program, read
from cu2mlx.runtime.msl.tokens import Edit


@dataclass(frozen=True, slots=True)
class Parameter:
    """A number of a rewrite: a constant of the candidate's header, so that a search can vary it there.

    `values`: the first is tried first. `divides_height`: blocks are that many times less high.
    """

    name: str
    values: tuple[int, ...]
    divides_height: bool = False

    def declared(self, value: int) -> str:
        return f"constant constexpr int {self.name} = {value};\n"

    def value_in(self, candidate: Candidate) -> int | None:
        """None where the candidate has no such constant."""
        found = re.search(rf"^{re.escape(self.declared(0)[:-3])}(\d+);$", candidate.header, re.MULTILINE)
        return None if found is None else int(found[1])

    def added_to(self, candidate: Candidate, block: tuple[str, ...]) -> Candidate:
        """With the first value."""
        value = self.values[0]
        made = replace(candidate, header=self.declared(value) + candidate.header)
        return replace(made, block=_divided(block, value)) if self.divides_height else made

    def set_in(self, candidate: Candidate, value: int) -> Candidate:
        now = self.value_in(candidate)
        assert now is not None
        header = candidate.header.replace(self.declared(now), self.declared(value), 1)
        if not self.divides_height:
            return replace(candidate, header=header)
        width, height, *rest = candidate.block
        whole = (width, height.removesuffix(f") / {now}").removeprefix("("), *rest)
        return replace(candidate, header=header, block=_divided(whole, value))


def _divided(block: tuple[str, ...], value: int) -> tuple[str, ...]:
    width, height, *rest = block
    return (width, f"({height}) / {value}", *rest)


@dataclass(frozen=True, slots=True)
class Rewrite:
    """`title` names it in the tree of decisions; `score`, `difficulty` and `gain` are its guesses there.

    `edits` finds what to change, nothing where the rule does not apply or cannot prove that it may. `launch`
    changes extents along with the text.
    """

    title: str
    description: str
    score: float
    difficulty: int
    gain: float
    edits: Callable[[Program], Iterable[Edit]]
    parameter: Parameter | None = None

    def apply(self, candidate: Candidate, block: tuple[str, ...] = ()) -> Candidate:
        """The candidate changed, or as it is. `block`: the extents that its task gives it."""
        if self.parameter is not None and self.parameter.name in candidate.header:
            return candidate
        program = read(candidate, block)
        changed = program.edited(self.edits(program))
        if changed == candidate or self.parameter is None:
            return changed
        return self.parameter.added_to(changed, program.block)

    def variants(self, candidate: Candidate) -> Iterable[Candidate]:
        """The rewritten candidate with every other value of the rewrite's parameter."""
        if self.parameter is None or self.parameter.value_in(candidate) is None:
            return []
        return [self.parameter.set_in(candidate, value) for value in self.parameter.values]
