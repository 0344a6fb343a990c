"""What is right: the task's float64 reference, else the CUDA original on the CPU machine."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from cu2mlx.refine.task import Task
from cu2mlx.runtime.compare import agree, compare_outputs, render, tolerances
from cu2mlx.runtime.inputs import Inputs
from cu2mlx.runtime.protocol import Status
from cu2mlx.runtime.spec import cuda_kernel
from cu2mlx.transpiler.binding.interface import Role

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


class OracleError(Exception):
    """The task itself cannot say what is right."""


FILLS = (0xFF, 0x3C)  # of outputs before the original runs: what keeps them is what it does not write


Key = tuple[str, str, int]  # the task's file, the case, the seed of its data


@dataclass(slots=True)
class Oracle:
    """Remembers the outputs of each case and seed. A candidate never sees this memory."""

    _known: "dict[Key, Mapping[str, Array]]" = field(default_factory=dict)
    _unwritten: "dict[Key, Mapping[str, Array]]" = field(default_factory=dict)

    def outputs(self, task: Task, data: Inputs) -> "Mapping[str, Array]":
        """Raises OracleError where the original does not run."""
        key = _key(task, data)
        if key not in self._known:
            if task.reference is not None:
                self._known[key] = task.reference(**data.numbers())
            else:
                first, second = (_original(task, data.copy(), fill) for fill in FILLS)
                self._known[key] = first
                self._unwritten[key] = {name: _bits(first[name]) != _bits(second[name]) for name in first}
        return self._known[key]

    def difference(
        self, task: Task, data: Inputs, results: "Mapping[str, Array]", slack: float = 1.0
    ) -> str | None:
        """How results differ from what is right by more than `slack` times the tolerance, None where they do not.
        Raises OracleError."""
        expected = self.outputs(task, data)
        results = self._settled(task, data, results)
        allowed = {name: row.times(slack) for name, row in tolerances(task.spec, data.dtypes).items()}
        if agree(expected, results, data.dtypes, allowed):
            return None
        return render(compare_outputs(expected, results, data.dtypes, allowed))

    def _settled(self, task: Task, data: Inputs, results: "Mapping[str, Array]") -> "Mapping[str, Array]":
        """Results as they are to be compared: what the original leaves unwritten is right whatever it is."""
        key = _key(task, data)
        settled = dict(results)
        for name, mask in self._unwritten.get(key, {}).items():
            settled[name] = results[name].copy()
            settled[name][mask] = self._known[key][name][mask]
        return settled


def _key(task: Task, data: Inputs) -> Key:
    return task.spec.path, data.resolved.case.name, data.seed


def _original(task: Task, data: Inputs, fill: int) -> "Mapping[str, Array]":
    import numpy as np

    from cu2mlx.runtime.cpu.executor import CpuExecutor

    for each in task.binding.outputs:
        if each.parameter.role is Role.OUT and each.parameter.name in data.buffers:
            data.buffers[each.parameter.name].reshape(-1).view(np.uint8)[...] = fill
    loaded = CpuExecutor().load(cuda_kernel(data.resolved, task.original))
    outcome = loaded.run(data.arguments, data.launch)
    if outcome.status is not Status.OK:
        raise OracleError(f"{task.spec.path}: the CUDA original does not run: {outcome.message}")
    return {name: data.buffers[name] for name in task.spec.outputs if name in data.buffers}


def _bits(array: "Array") -> "Array":
    """Element by element; NaN equals itself so."""
    return array.view(f"u{array.dtype.itemsize}")
