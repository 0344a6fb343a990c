"""The Python module of a candidate: best_mlx.py."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.task import Task
from cu2mlx.transpiler.binding.module import emit_module


def module(task: Task, candidate: Candidate) -> str:
    """The Python module of a candidate: the baseline's with its Metal text, and its numbers as defaults.

    A candidate with a launch of its own gets no default launch, as the host code's would be wrong for it; and no CUDA
    text where that would need the host code's launch.
    """
    numbers = dict(candidate.numbers)
    has_launch = bool(candidate.grid or candidate.block)
    interface = task.interface
    template = tuple(
        replace(each, default=str(numbers[each.name])) if each.name in numbers else each
        for each in interface.template
    )
    changed = replace(
        interface,
        metal_body=candidate.body,
        metal_header=candidate.header,
        cuda_body="" if has_launch else interface.cuda_body,
        cuda_header="" if has_launch else interface.cuda_header,
        template=template,
        launches=() if has_launch or numbers else interface.launches,
        documentation="\n".join([interface.documentation, *_launch_notes(task, candidate)]).strip(),
    )
    return emit_module([changed], Path(task.spec.source or "").name)


def _launch_notes(task: Task, candidate: Candidate) -> Iterator[str]:
    """How it was launched, in names of the task's sizes."""
    grid = candidate.grid or tuple(each.text for each in task.spec.grid)
    block = candidate.block or tuple(each.text for each in task.spec.block)
    yield f"Launch it with grid = ({', '.join(grid)}), block = ({', '.join(block)})."
    named = {name: expression.text for name, expression in task.spec.let} | dict(candidate.numbers)
    if named:
        yield f"There, {', '.join(f'{name} = {value}' for name, value in named.items())}."
