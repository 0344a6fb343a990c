"""What the device itself allows: how fast it moves bytes and calculates, measured where candidates are measured.

A task may say in [optimize.work] how much arithmetic any kernel of it has to do, in names of PROBES:

    [optimize.work]
    exponentials = "batch * length * channels * STATES"
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cu2mlx.refine.arena import Arena, Contender
from cu2mlx.refine.evaluate.statistics import median
from cu2mlx.refine.space import setting
from cu2mlx.refine.task import Task, TaskError, load_task
from cu2mlx.runtime.dtypes import storage
from cu2mlx.runtime.inputs import Inputs, struct_dtype
from cu2mlx.runtime.spec import Case, Resolved, ResolvedBuffer
from cu2mlx.runtime.spec.expression import ExpressionError, Names, evaluate, parse
from cu2mlx.transpiler.binding.interface import Role

PROBES = ("multiply_adds", "exponentials")  # tasks in the folder of that name, which do nothing else
PROBE_BLOCKS, PROBE_THREADS, PROBE_CHAINS = 4096, 256, 8
MEMORY = "bytes"
REPEATS = 5


@dataclass(frozen=True, slots=True)
class Limit:
    """`amount` of what (bytes or a probe's name) a case needs at least, `rate` of it per second on the device."""

    what: str
    amount: float
    rate: float

    @property
    def seconds(self) -> float:
        """No kernel is faster."""
        return self.amount / self.rate


def limits(task: Task, case: Case, data: Inputs, rates: Mapping[str, float]) -> tuple[Limit, ...]:
    """Memory first. Raises TaskError."""
    needs = {MEMORY: float(moved_bytes(task, data.resolved))} | work(task, case)
    return tuple(Limit(what, amount, rates[what]) for what, amount in needs.items())


def measured_rates(task: Task, place: Arena) -> dict[str, float]:
    """Per second: bytes read and written by a copy, and the arithmetic that the task counts. Raises TaskError."""
    rates = {MEMORY: place.copy_bandwidth()}
    for name in declared_work(task):
        rates[name] = _probed(name, place)
    return rates


def _probed(name: str, place: Arena) -> float:
    probe = load_task(Path(__file__).parent / "probes" / f"{name}.toml")
    (timed,) = probe.timed
    case = Case(timed.name, (("blocks", PROBE_BLOCKS),), timed.template, timed.defines)
    found = next(place.contenders(probe, probe.seed, case))
    assert isinstance(found, Contender)
    seconds = median([found.stopwatch.seconds() for _ in range(REPEATS)])
    found.free()
    rounds = dict(case.template)["ROUNDS"]
    return PROBE_BLOCKS * PROBE_THREADS * PROBE_CHAINS * int(rounds) / seconds


def declared_work(task: Task) -> dict[str, str]:
    """Expressions by probe. Raises TaskError."""
    table = task.spec.optimize.get("work", {})
    where = f"{task.spec.path}: optimize.work"
    if not isinstance(table, Mapping) or not all(isinstance(each, str) for each in table.values()):
        raise TaskError(f'{where}: a table of expressions in quotes, {PROBES[0]} = "n * k"')
    if unknown := set(table) - set(PROBES):
        raise TaskError(f"{where}.{unknown.pop()}: what is counted is one of {', '.join(PROBES)}")
    return dict(table)


def work(task: Task, case: Case) -> dict[str, float]:
    """How much arithmetic a case needs, by probe. Raises TaskError."""
    names = Names(dict(setting(task.spec, case)))
    try:
        return {what: float(evaluate(parse(text), names)) for what, text in declared_work(task).items()}
    except ExpressionError as error:
        raise TaskError(f"{task.spec.path}: optimize.work: {error}") from None


def moved_bytes(task: Task, resolved: Resolved) -> int:
    """What any kernel has to move: inputs read once, outputs written once; scratch memory does not count."""
    roles = {each.name: each.role for each in task.interface.parameters}
    total = 0
    for each in resolved.arguments:
        if not isinstance(each, ResolvedBuffer) or each.null:
            continue
        if roles[each.name] is Role.IN:
            total += _bytes(each)
        elif each.name in task.spec.outputs:
            total += _bytes(each) * (1 if roles[each.name] is Role.OUT else 2)
    return total


def _bytes(buffer: ResolvedBuffer) -> int:
    element = struct_dtype(buffer.buffer.fields) if buffer.dtype == "struct" else storage(buffer.dtype)
    return math.prod(buffer.shape) * element.itemsize
