"""A task in words and numbers, as prompts tell it: the kernel's arguments, its cases, its launch."""

import json
from collections.abc import Iterator, Mapping, Sequence

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.evaluate.verdict import Timing
from cu2mlx.refine.report.units import bytes_, ratio, seconds
from cu2mlx.refine.roofline import moved_bytes, work
from cu2mlx.refine.space import setting
from cu2mlx.refine.task import Task
from cu2mlx.runtime.spec import Buffer as Described
from cu2mlx.runtime.spec import Case, resolve
from cu2mlx.transpiler.binding.dtypes import METAL_SPELLING, dtype_of_cxx
from cu2mlx.transpiler.binding.interface import Parameter
from cu2mlx.transpiler.binding.signature import Buffer


def arguments(task: Task) -> Iterator[str]:
    """Each as the body sees it, with its shape: "`const device T* x` [rows, cols]"."""
    shapes = {
        each.name: f" [{', '.join(extent.text for extent in each.shape)}]"
        for each in task.spec.arguments
        if isinstance(each, Described)
    }
    for buffer in task.binding.inputs:
        if not buffer.is_value:
            shape = shapes.get(buffer.parameter.name, "")
            yield f"`const device {_type(buffer)}* {buffer.name}`{shape}{_null(buffer.parameter)}"
        elif buffer.packed:
            names = ", ".join(each.name for each in buffer.packed)
            yield f"`const constant {_type(buffer)}* {buffer.name}`: {names}, in this order"
        else:
            yield f"`const constant {_type(buffer)}{'&' if buffer.lanes == 1 else '*'} {buffer.name}`"
    for buffer in task.binding.outputs:
        shape = shapes.get(buffer.parameter.name, "")
        yield f"`device {_type(buffer)}* {buffer.name}`{shape}, output{_null(buffer.parameter)}"


def _null(parameter: Parameter) -> str:
    """Of an array that the caller may leave out."""
    return f"; there is none where `{parameter.given}` is false" if parameter.nullable else ""


def _type(buffer: Buffer) -> str:
    """Of an element. A template parameter's name stands for itself."""
    if buffer.parameter.dtype not in METAL_SPELLING:
        return buffer.parameter.dtype
    return METAL_SPELLING[buffer.dtype({})]


def case(task: Task, each: Case) -> str:
    """Sizes and template values that a candidate cannot choose."""
    chosen = {tunable.name for tunable in task.tunables}
    values = [f"{name} = {value}" for name, value in each.sizes if name not in chosen]
    values += [f"{name} = {_spelled(value)}" for name, value in each.template if name not in chosen]
    return f"{each.name} ({', '.join(values)})"


def _spelled(value: str | int | bool) -> str:
    dtype = dtype_of_cxx(value) if isinstance(value, str) else None
    return METAL_SPELLING.get(dtype or "", str(value))


def needs(task: Task, each: Case) -> str:
    """What any kernel has to do for a case: bytes to move, and the arithmetic that the task counts."""
    amounts = [bytes_(moved_bytes(task, resolve(task.spec, each)))]
    amounts += [f"{amount:.2g} {what.replace('_', '-')}" for what, amount in work(task, each).items()]
    return ", ".join(amounts)


def launch(task: Task, candidate: Candidate) -> Mapping[str, object]:
    """A candidate's launch as a launch block says it: extents, then tunables, by the first case where it leaves
    them open."""
    usual, given = dict(setting(task.spec, task.shown[0])), dict(candidate.numbers)
    return {
        "grid": _quoted(candidate.grid or [each.text for each in task.spec.grid]),
        "block": _quoted(candidate.block or [each.text for each in task.spec.block]),
    } | {each.name: given.get(each.name, usual[each.name]) for each in task.tunables}


def _quoted(extents: Sequence[str]) -> str:
    return f"[{', '.join(each if each.isdigit() else json.dumps(each) for each in extents)}]"


def times(timing: Timing) -> Iterator[str]:
    """Of each timed case, beside the baseline's."""
    for name, mine, baseline in timing.cases:
        yield f"{name}: {seconds(mine)}, the baseline translation {seconds(baseline)} ({ratio(baseline / mine)})"


def baseline_times(timing: Timing) -> Iterator[str]:
    for name, _, baseline in timing.cases:
        yield f"{name} {seconds(baseline)}"
