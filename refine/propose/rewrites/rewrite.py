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
    """A number of a rewrite: a constant of the candidate's header, so that a search can vary it there."""

    name: str
    values: tuple[int, ...]  # the first is tried first

    def declared(self, value: int) -> str:
        return f"constant constexpr int {self.name} = {value};\n"

    def value_in(self, candidate: Candidate) -> int | None:
        """None where the candidate has no such constant."""
        found = re.search(rf"^{re.escape(self.declared(0)[:-3])}(\d+);$", candidate.header, re.MULTILINE)
        return None if found is None else int(found[1])

    def set_in(self, candidate: Candidate, value: int) -> Candidate:
        now = self.value_in(candidate)
        assert now is not None
        return replace(
            candidate, header=candidate.header.replace(self.declared(now), self.declared(value), 1)
        )


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

    def apply(self, candidate: Candidate) -> Candidate:
        """The candidate changed, or as it is."""
        if self.parameter is not None and self.parameter.name in candidate.header:
            return candidate
        program = read(candidate)
        changed = program.edited(self.edits(program))
        if changed == candidate or self.parameter is None:
            return changed
        return replace(changed, header=self.parameter.declared(self.parameter.values[0]) + changed.header)

    def variants(self, candidate: Candidate) -> Iterable[Candidate]:
        """The rewritten candidate with every other value of the rewrite's parameter."""
        if self.parameter is None or self.parameter.value_in(candidate) is None:
            return []
        return [self.parameter.set_in(candidate, value) for value in self.parameter.values]
