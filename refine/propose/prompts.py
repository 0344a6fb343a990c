"""Prompts: the templates of refine/prompts, filled in."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.verdict import Verdict
from cu2mlx.refine.propose.assertions import assertions
from cu2mlx.refine.propose.hardware import HARDWARE
from cu2mlx.refine.propose.protocol import Kind
from cu2mlx.refine.propose.reply import SEPARATOR
from cu2mlx.refine.task import Task
from cu2mlx.refine.world.model import Node, World
from cu2mlx.refine.world.render import compact, whole

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parents[1] / "prompts"
MAXIMUM_FEEDBACK = 4000  # characters of a verdict's message


@cache
def _environment() -> "Environment":
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER), undefined=jinja2.StrictUndefined, keep_trailing_newline=True
    )


class Prompts:
    """For one task and one kind of hardware (a name of HARDWARE)."""

    def __init__(self, task: Task, hardware: str = HARDWARE[0]) -> None:
        if hardware not in HARDWARE:
            raise ValueError(f"no document for {hardware!r}; there are {', '.join(HARDWARE)}")
        self._known = {
            "task": task,
            "hardware": f"hardware/{hardware}.md",
            "separator": SEPARATOR,
            "inputs": [each.name for each in task.binding.inputs],
            "outputs": [each.name for each in task.binding.outputs],
            "assertions": assertions(task),
            "template": task.binding.template,
            "grid": [each.text for each in task.spec.grid],
            "block": [each.text for each in task.spec.block],
        }

    def world(self, world: World, base: Candidate, limit: int, error: str = "") -> str:
        """Asks for the first decisions."""
        return self._filled("world", base=base, tree=whole(world), limit=limit, error=error)

    def attempt(
        self,
        kind: Kind,
        world: World,
        node: Node,
        shown: Candidate,
        verdict: Verdict | None,
        failures: Sequence[str] = (),
    ) -> str:
        """Asks for a candidate; `shown` is what to start from and `verdict` what became of it. `failures`: what went
        wrong with others."""
        if verdict is not None and len(verdict.message) > MAXIMUM_FEEDBACK:
            message = verdict.message[:MAXIMUM_FEEDBACK] + "\n… (shortened)"
            verdict = Verdict(verdict.status, verdict.stage, message, verdict.timing)
        return self._filled(
            "attempt", kind=str(kind), node=node, shown=shown, verdict=verdict, failures=failures,
            tree=compact(world, node.id),
        )  # fmt: skip

    def edit(
        self,
        world: World,
        node: Node,
        outcome: str,
        limit: int,
        failures: Sequence[str] = (),
        error: str = "",
    ) -> str:
        """Asks for edits of the tree after a cycle."""
        return self._filled(
            "edit", node=node, outcome=outcome, tree=whole(world), limit=limit, failures=failures, error=error
        )

    def _filled(self, name: str, **values: object) -> str:
        return _environment().get_template(f"{name}.md").render(**self._known, **values)
