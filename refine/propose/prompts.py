"""Prompts: the templates of refine/prompts, filled in. What stays the same over a run comes first, so that an
endpoint can keep it."""

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.verdict import Status, Verdict
from cu2mlx.refine.propose import describe
from cu2mlx.refine.propose.assertions import assertions
from cu2mlx.refine.propose.hardware import HARDWARE
from cu2mlx.refine.propose.protocol import Kind
from cu2mlx.refine.propose.reply import SEPARATOR, without_library
from cu2mlx.refine.task import Task
from cu2mlx.refine.world.model import Node, World
from cu2mlx.refine.world.render import compact, whole

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parents[1] / "prompts"
MAXIMUM_FEEDBACK = 4000  # characters of the last verdict's message, and of a difference
BRIEF = 200  # characters of earlier ones

Tried = Sequence[tuple[Candidate, Verdict]]


@cache
def _environment() -> "Environment":
    import jinja2

    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(FOLDER),
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
        trim_blocks=True,
    )


class Prompts:
    """For one task and one kind of hardware (a name of HARDWARE)."""

    def __init__(self, task: Task, hardware: str = HARDWARE[0]) -> None:
        if hardware not in HARDWARE:
            raise ValueError(f"no document for {hardware!r}; there are {', '.join(HARDWARE)}")
        self._task = task
        self._known = {
            "task": task,
            "hardware": f"hardware/{hardware}.md",
            "separator": SEPARATOR,
            "arguments": list(describe.arguments(task)),
            "template": task.binding.template,
            "shown_cases": [describe.case(task, each) for each in task.shown],
            "timed_cases": [
                f"{describe.case(task, each)}: {describe.needs(task, each)}" for each in task.timed
            ],
            "assertions": assertions(task),
        }

    def world(
        self,
        world: World,
        base: Candidate,
        verdict: Verdict | None,
        limit: int,
        error: str = "",
        answer: str = "",
    ) -> str:
        """Asks for the first decisions. `verdict`: the baseline's; `error`: what was wrong with `answer`."""
        timing = None if verdict is None else verdict.timing
        return self._filled(
            "world", base, tree=whole(world), limit=limit, error=error, answer=answer, may_revise=False,
            device="" if timing is None else timing.device,
            baseline=[] if timing is None else list(describe.baseline_times(timing)),
        )  # fmt: skip

    def attempt(
        self,
        kind: Kind,
        world: World,
        node: Node,
        shown: Candidate,
        tried: Tried = (),
        failures: Sequence[str] = (),
    ) -> str:
        """Asks for a candidate; `shown` is what to start from, `tried` what the answers of this cycle came to, and
        `failures` what went wrong in others."""
        return self._filled(
            "attempt", shown, kind=str(kind), node=node, failures=failures, heading=_heading(kind, tried),
            tried=list(_came_to(tried)), changes=self._changes(shown, tried), tree=compact(world, node.id),
        )  # fmt: skip

    def edit(
        self, world: World, node: Node, base: Candidate, outcome: str, limit: int, failures: Sequence[str] = (),
        error: str = "", answer: str = "",
    ) -> str:  # fmt: skip
        """Asks for edits of the tree after a cycle. `base`: the node's solution, if it has one."""
        return self._filled(
            "edit", base, node=node, outcome=outcome, tree=whole(world), limit=limit, failures=failures, error=error,
            answer=answer, may_revise=True,
        )  # fmt: skip

    def _changes(self, shown: Candidate, tried: Tried) -> str:
        """From the kernel that is shown to the last one that was tried, where that is another."""
        readable = [candidate for candidate, verdict in tried if verdict.status is not Status.UNREADABLE]
        if not readable or readable[-1].key == shown.key:
            return ""
        lines = difflib.unified_diff(self._lines(shown), self._lines(readable[-1]), n=2, lineterm="")
        return "\n".join(list(lines)[2:])[:MAXIMUM_FEEDBACK]  # without names of files

    def _lines(self, candidate: Candidate) -> list[str]:
        launch = [f"{key} = {value}" for key, value in describe.launch(self._task, candidate).items()]
        header = without_library(candidate.header)
        return [*f"{header}{SEPARATOR}\n{candidate.body}".splitlines(), *launch]

    def _filled(self, name: str, shown: Candidate, **values: object) -> str:
        launch = describe.launch(self._task, shown)
        shown = replace(shown, header=without_library(shown.header))
        return (
            _environment()
            .get_template(f"{name}.md")
            .render(**self._known, shown=shown, launch=launch, **values)
        )


def _heading(kind: Kind, tried: Tried) -> str:
    if kind is Kind.IMPROVE:
        return "Your best candidate for this action"
    is_read = any(verdict.status is not Status.UNREADABLE for _, verdict in tried)
    return "Your last candidate" if is_read else "The kernel to start from"


def _came_to(tried: Tried) -> Iterator[str]:
    """What each answer came to, the last one in full."""
    for number, (_, verdict) in enumerate(tried, 1):
        line = f"{verdict.status} ({verdict.stage})"
        if verdict.score is not None and verdict.timing is not None:
            line += f", score {verdict.score:.1f}"
            line += "".join(f"\n   - {each}" for each in describe.times(verdict.timing))
        if number < len(tried):
            message = " ".join(verdict.message.split())[:BRIEF]
        else:
            cut = len(verdict.message) > MAXIMUM_FEEDBACK
            message = verdict.message[:MAXIMUM_FEEDBACK] + ("\n… (shortened)" if cut else "")
        yield f"{line}: {message}" if message else line
