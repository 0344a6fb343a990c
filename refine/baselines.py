"""What a task's kernel is measured against: functions over MLX's arrays that stand beside the task.

    [[optimize.baselines]]
    name = "mx.fast.scaled_dot_product_attention"
    call = "baselines.py:fused"

A function takes what a reference takes (every argument by name, template values, the case's sizes), buffers as
arrays of MLX in their own types, and returns each output by name.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cu2mlx.refine.task import Task, TaskError
from cu2mlx.runtime.inputs import Inputs
from cu2mlx.runtime.spec import SpecError
from cu2mlx.runtime.spec.reference import load_function

if TYPE_CHECKING:
    import mlx.core as mx

    from cu2mlx.refine.evaluate.mlx_operation import Arrays, Operation


@dataclass(frozen=True, slots=True)
class Baseline:
    name: str
    function: "Callable[..., Mapping[str, mx.array]]"

    def operation(self, data: Inputs) -> "Operation":
        """For a case's sizes and scalars. Outputs by name, in their shapes."""
        case = data.resolved.case
        fixed: dict[str, Any] = dict(case.template) | dict(case.sizes) | dict(data.scalars)
        fixed |= dict.fromkeys(data.resolved.null)

        def operation(arrays: "Arrays") -> "Arrays":
            return self.function(**{**fixed, **arrays})

        return operation


def load_baselines(task: Task) -> tuple[Baseline, ...]:
    """In the order of the task. Needs mlx. Raises TaskError."""
    try:
        return tuple(_baselines(task))
    except SpecError as error:
        raise TaskError(str(error)) from None


def _baselines(task: Task) -> Iterator[Baseline]:
    for name, call in declared(task):
        yield Baseline(name, load_function(task.spec, "optimize.baselines", call))


def declared(task: Task) -> tuple[tuple[str, str], ...]:
    """Names and functions, without loading them. Raises TaskError."""
    tables = task.spec.optimize.get("baselines", [])
    where = f"{task.spec.path}: optimize.baselines"
    if not isinstance(tables, list) or not all(isinstance(each, dict) for each in tables):
        raise TaskError(f"{where}: is written [[optimize.baselines]], with name and call below it")
    found = []
    for table in tables:
        name, call = table.get("name"), table.get("call")
        if set(table) != {"name", "call"} or not isinstance(name, str) or not isinstance(call, str):
            raise TaskError(f'{where}: each has a name and a call, "baselines.py:function", and nothing else')
        found.append((name, call))
    return tuple(found)
