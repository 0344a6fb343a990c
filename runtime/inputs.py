"""Makes a case's inputs: numpy arrays for the kernel, and the same as numbers for a reference."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from cu2mlx.runtime.dtypes import decode, encode, storage
from cu2mlx.runtime.protocol import Launch, Value
from cu2mlx.runtime.spec.expression import ExpressionError, Names, Number, evaluate
from cu2mlx.runtime.spec.model import Case, Field, Initialiser, Spec, SpecError
from cu2mlx.runtime.spec.resolve import Resolved, ResolvedBuffer, ResolvedScalar, resolve

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]
    Generator = np.random.Generator

NULL_POINTER = Value(bytes(8))


@dataclass(frozen=True, slots=True)
class Inputs:
    """One run's data. `arguments` follow the kernel's parameters: arrays as stored (bfloat16 as uint16,
    structs as uint8 with one more axis), values as bytes, null pointers as eight zero bytes. `buffers` and `dtypes`,
    the types of their elements, are without null pointers; `scalars` are the by-value numbers."""

    resolved: Resolved
    seed: int
    arguments: "tuple[Array | Value, ...]"
    buffers: "Mapping[str, Array]"
    dtypes: Mapping[str, str]
    scalars: Mapping[str, Number]

    @property
    def entry(self) -> str:
        return self.resolved.entry

    @property
    def launch(self) -> Launch:
        return self.resolved.launch

    def copy(self) -> "Inputs":
        """The same data in fresh memory, for a second executor to write on."""
        fresh = {name: array.copy() for name, array in self.buffers.items()}
        return Inputs(self.resolved, self.seed, self._arguments(fresh), fresh, self.dtypes, self.scalars)

    def numbers(self) -> dict[str, Any]:
        """Keyword arguments for a reference: buffers as float64, integers or structured arrays, None for a
        null pointer, scalars as numbers, template values by name."""
        named: dict[str, Any] = dict(self.resolved.case.template)
        named.update(self.scalars)
        for each in self.resolved.arguments:
            if isinstance(each, ResolvedBuffer):
                named[each.name] = None if each.null else self._numbers(each)
        return named

    def _numbers(self, buffer: ResolvedBuffer) -> "Array":
        array = self.buffers[buffer.name]
        if buffer.dtype == "struct":
            return array.view(struct_dtype(buffer.buffer.fields)).reshape(buffer.shape)
        return decode(array, buffer.dtype)

    def _arguments(self, buffers: "Mapping[str, Array]") -> "tuple[Array | Value, ...]":
        return tuple(
            buffers.get(each.name, argument)
            for each, argument in zip(self.resolved.arguments, self.arguments, strict=True)
        )


def make_inputs(spec: Spec, case: Case, seed: int = 0) -> Inputs:
    """Inputs of one case; the same seed gives the same data on every machine with the same numpy."""
    import numpy as np

    resolved = resolve(spec, case)
    rng = np.random.default_rng(seed)
    arguments: list[Array | Value] = []
    buffers: dict[str, Array] = {}
    for each in resolved.arguments:
        if isinstance(each, ResolvedScalar):
            arguments.append(Value(encode(np.array(each.values), each.dtype).tobytes()))
        elif each.null:
            arguments.append(NULL_POINTER)
        else:
            buffers[each.name] = _fill(spec, each, rng)
            arguments.append(buffers[each.name])
    scalars = {
        each.name: each.values[0]
        for each in resolved.arguments
        if isinstance(each, ResolvedScalar) and len(each.values) == 1
    }
    dtypes = {each.name: each.dtype for each in resolved.arguments if each.name in buffers}
    return Inputs(resolved, seed, tuple(arguments), buffers, dtypes, scalars)


def struct_dtype(fields: tuple[Field, ...]) -> "np.dtype[Any]":
    """C's layout of a struct with these members."""
    import numpy as np

    return np.dtype([(each.name, storage(each.dtype), each.shape) for each in fields], align=True)


def _fill(spec: Spec, buffer: ResolvedBuffer, rng: "Generator") -> "Array":
    import numpy as np

    try:
        if buffer.dtype != "struct":
            return _elements(buffer.buffer.initialiser, buffer.dtype, buffer.shape, buffer.names, rng)
        structs = np.zeros(buffer.shape, struct_dtype(buffer.buffer.fields))
        for each in buffer.buffer.fields:
            structs[each.name] = _elements(
                each.initialiser, each.dtype, buffer.shape + each.shape, buffer.names, rng
            )
        return structs.reshape(*buffer.shape, 1).view(np.uint8)
    except (ExpressionError, ValueError) as error:
        raise SpecError(spec.path, f"args.{buffer.name}.init", str(error)) from None


def _elements(
    initialiser: Initialiser, dtype: str, shape: tuple[int, ...], names: Names, rng: "Generator"
) -> "Array":
    import math

    import numpy as np

    if initialiser.kind == "columns":
        columns = initialiser.columns
        if not shape or shape[-1] != len(columns):
            raise ValueError(
                f"{len(columns)} columns, but the shape is {shape}; its last extent must be as many"
            )
        parts = [_elements(each, dtype, shape[:-1], names, rng) for each in columns]
        return np.ascontiguousarray(np.stack(parts, axis=-1))
    if initialiser.kind in RAW:
        return RAW[initialiser.kind](rng, shape, dtype)
    parameters = {name: evaluate(each, names) for name, each in initialiser.parameters}
    count = math.prod(shape)
    listed = tuple(evaluate(each, names) for each in initialiser.values)
    return encode(GENERATORS[initialiser.kind](rng, count, parameters, listed).reshape(shape), dtype)


def _bits(rng: "Generator", shape: tuple[int, ...], dtype: str) -> "Array":
    import numpy as np

    if dtype == "bool":
        return rng.integers(0, 2, shape).astype(np.bool_)
    return (
        rng.integers(0, 256, (*shape, storage(dtype).itemsize), dtype=np.uint8)
        .view(storage(dtype))
        .reshape(shape)
    )


def _poison(rng: "Generator", shape: tuple[int, ...], dtype: str) -> "Array":
    """NaN in every float type, -1 or the largest value in integers: what no kernel writes by chance."""
    import numpy as np

    if dtype == "bool":
        return np.zeros(shape, np.bool_)
    return np.full((*shape, storage(dtype).itemsize), 0xFF, np.uint8).view(storage(dtype)).reshape(shape)


RAW: "Mapping[str, Callable[[Generator, tuple[int, ...], str], Array]]" = {"bits": _bits, "poison": _poison}

Parameters = Mapping[str, Number]
Values = tuple[Number, ...]


def _normal(rng: "Generator", count: int, given: Parameters, values: Values) -> "Array":
    return rng.normal(given["mean"], given["std"], count)


def _uniform(rng: "Generator", count: int, given: Parameters, values: Values) -> "Array":
    return rng.uniform(given["low"], given["high"], count)


def _integers(rng: "Generator", count: int, given: Parameters, values: Values) -> "Array":
    """`low` ≤ value < `high`."""
    if given["high"] <= given["low"] and count:
        raise ValueError(f"high = {given['high']} must be above low = {given['low']}")
    return rng.integers(int(given["low"]), max(int(given["high"]), int(given["low"]) + 1), count)


def _zeros(rng: "Generator", count: int, given: Parameters, values: Values) -> "Array":
    import numpy as np

    return np.zeros(count)


def _ones(rng: "Generator", count: int, given: Parameters, values: Values) -> "Array":
    import numpy as np

    return np.ones(count)


def _constant(rng: "Generator", count: int, given: Parameters, values: Values) -> "Array":
    import numpy as np

    return np.full(count, given["value"])


def _arange(rng: "Generator", count: int, given: Parameters, values: Values) -> "Array":
    import numpy as np

    return given["start"] + given["step"] * np.arange(count)


def _permutation(rng: "Generator", count: int, given: Parameters, values: Values) -> "Array":
    return rng.permutation(count)


def _offsets(rng: "Generator", count: int, given: Parameters, values: Values) -> "Array":
    """Row pointers: the first is 0, the last `total`, non-decreasing between; empty rows occur."""
    import numpy as np

    inner = np.sort(rng.integers(0, int(given["total"]) + 1, max(count - 2, 0)))
    return np.concatenate([[0], inner, [int(given["total"])]])[:count]


def _sorted(rng: "Generator", count: int, given: Parameters, values: Values) -> "Array":
    import numpy as np

    return np.sort(_integers(rng, count, given, values))


def _choice(rng: "Generator", count: int, given: Parameters, values: Values) -> "Array":
    import numpy as np

    return rng.choice(np.array(values), count)


def _values(rng: "Generator", count: int, given: Parameters, values: Values) -> "Array":
    import numpy as np

    if len(values) != count:
        raise ValueError(f"{len(values)} values for {count} elements")
    return np.array(values)


GENERATORS: "Mapping[str, Callable[[Generator, int, Parameters, Values], Array]]" = {
    "normal": _normal,
    "uniform": _uniform,
    "integers": _integers,
    "zeros": _zeros,
    "ones": _ones,
    "constant": _constant,
    "arange": _arange,
    "permutation": _permutation,
    "offsets": _offsets,
    "sorted": _sorted,
    "choice": _choice,
    "values": _values,
}
