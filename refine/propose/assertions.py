"""What must hold of every candidate, as the translator knows it of the kernel, and which check sees to it."""

from collections.abc import Iterator
from dataclasses import dataclass

from cu2mlx.refine.task import Task
from cu2mlx.runtime.compare import Tolerance, tolerance
from cu2mlx.runtime.msl.tokens import tokenize
from cu2mlx.transpiler.binding.interface import Role
from cu2mlx.transpiler.binding.signature import MAXIMUM_THREADGROUP_BYTES, MAXIMUM_THREADS

BARRIERS = ("threadgroup_barrier", "simdgroup_barrier")


@dataclass(frozen=True, slots=True)
class Assertion:
    """`holds` is told to the model; `check` names what finds a candidate that breaks it."""

    holds: str
    check: str


def assertions(task: Task) -> tuple[Assertion, ...]:
    """In the order of their checks: text first, results last."""
    return (*_limits(task), *_buffers(task), *_synchronisation(task), *_numerics(task))


def _limits(task: Task) -> Iterator[Assertion]:
    used = task.interface.threadgroup_bytes
    now = "" if used == "0" else f" (the baseline declares `{used}`)"
    yield Assertion(
        f"At most {MAXIMUM_THREADGROUP_BYTES} bytes of threadgroup memory{now} and {MAXIMUM_THREADS} threads in a "
        "group.",
        "limits",
    )


def _buffers(task: Task) -> Iterator[Assertion]:
    read = [each.name for each in task.binding.inputs if not each.is_value]
    if read:
        yield Assertion(f"{_names(read)}: only read, never written.", "types, and the bytes afterwards")
    for each in task.binding.outputs:
        role, name = each.parameter.role, each.name
        if role is Role.OUT:
            meaning = (
                "starts as garbage; every element that the original writes is written, nothing is read before"
            )
        elif role is Role.OWNED:
            meaning = f"starts as garbage; element i begins as `{name}_in[i]` and belongs to one thread"
        elif role is Role.INOUT:
            meaning = f"starts at zero and holds the bits that change: result = `{each.parameter.name}_in` ^ `{name}`"
        elif role is Role.RAISED:
            meaning = (
                "starts at zero and only rises, atomically; the greater of it and the caller's array counts"
            )
        else:
            meaning = "starts at zero and is only added to, atomically; it is added to the caller's array afterwards"
        yield Assertion(f"`{name}`: {meaning}.", "outputs filled with NaN, then with other garbage")


def _synchronisation(task: Task) -> Iterator[Assertion]:
    words = [token.text for token in tokenize(task.seed.header + task.seed.body)]
    count = sum(words.count(name) for name in BARRIERS)
    if count:
        yield Assertion(
            f"The baseline has {count} barrier{'s' if count > 1 else ''}. One may go only with the exchange of data "
            "that it orders; every barrier is reached by all threads of its group.",
            "races and divergent barriers in checked mode",
        )
    else:
        yield Assertion(
            "The baseline has no barrier: threads exchange nothing. What a candidate shares, it orders by barriers.",
            "races in checked mode",
        )


def _numerics(task: Task) -> Iterator[Assertion]:
    overrides = dict(task.spec.tolerances)
    for parameter in task.interface.parameters:
        if parameter.name not in task.spec.outputs:
            continue
        for dtype in _dtypes(task, parameter.dtype):
            row = tolerance(task.spec.operation, dtype, overrides.get(parameter.name))
            yield Assertion(
                f"`{parameter.name}` ({dtype}): {_allowed(row)}.", "against the reference, on fresh data"
            )
        if parameter.role is Role.ACCUMULATED:
            yield Assertion(
                f"`{parameter.name}` is summed by atomics: their order is open, which moves the last bits of floats "
                "and nothing of integers.",
                "atomic accesses in checked mode",
            )


def _dtypes(task: Task, declared: str) -> list[str]:
    """The types that a buffer has in the shown cases."""
    from cu2mlx.transpiler.binding.dtypes import dtype_of_cxx

    found = []
    for case in task.shown:
        value = dict(case.template).get(declared, declared)
        dtype = (dtype_of_cxx(value) or value) if isinstance(value, str) else declared
        if dtype not in found:
            found.append(dtype)
    return found


def _allowed(row: Tolerance) -> str:
    if row.exact:
        return "every bit as in the reference"
    parts = [f"{row.rtol:.1e} of the value"] if row.rtol else []
    parts += [f"{row.scale:.1e} of the largest value"] if row.scale else []
    parts += [f"{row.atol:.1e}"] if row.atol else []
    return f"within {' + '.join(parts)} of float64; sums may be reassociated within that"


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
