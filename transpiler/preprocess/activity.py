"""Which directives a compiler would act on, while walking over them."""

from dataclasses import dataclass, field

from cu2mlx.transpiler.preprocess.condition import evaluate_condition
from cu2mlx.transpiler.preprocess.definitions import condition_value
from cu2mlx.transpiler.preprocess.lexical import IDENTIFIER, spliced, without_comments

OPENING = ("#if", "#ifdef", "#ifndef")
FURTHER = ("#elif", "#else", "#elifdef", "#elifndef")


@dataclass
class Activity:
    """The macros that conditions see, and the conditionals open at one place."""

    defines: dict[str, str]
    _chosen: list[bool] = field(default_factory=list)
    _taken: list[bool] = field(default_factory=list)

    @property
    def active(self) -> bool:
        return all(self._chosen)

    @property
    def chosen(self) -> bool:
        """Whether the innermost open conditional chooses the branch that began last."""
        return self._chosen[-1]

    @property
    def depth(self) -> int:
        return len(self._chosen)

    def step(self, kind: str, rest: str) -> None:
        """Goes past one directive; `rest` is what follows its name. What closes nothing is passed over."""
        if kind in OPENING:
            holds = self._holds(kind, rest)
            self._chosen.append(holds)
            self._taken.append(holds)
        elif kind in FURTHER and self._chosen:
            self._chosen[-1] = not self._taken[-1] and self._holds(kind, rest)
            self._taken[-1] |= self._chosen[-1]
        elif kind == "#endif" and self._chosen:
            self._chosen.pop()
            self._taken.pop()
        elif kind == "#define" and self.active:
            self.defines.update(condition_value(rest))
        elif kind == "#undef" and self.active:
            for name in IDENTIFIER.findall(rest)[:1]:
                self.defines.pop(name, None)

    def _holds(self, kind: str, rest: str) -> bool:
        condition = without_comments(spliced(rest)).strip()
        if kind == "#else":
            return True
        if kind in ("#ifdef", "#elifdef"):
            return condition in self.defines
        if kind in ("#ifndef", "#elifndef"):
            return condition not in self.defines
        return bool(evaluate_condition(condition, self.defines))
