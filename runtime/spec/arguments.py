"""Reads the [args] tables of a spec file: scalars, buffers and how buffers are filled."""

import difflib

from cu2mlx.runtime.dtypes import STORAGE, is_float
from cu2mlx.runtime.spec.expression import parse
from cu2mlx.runtime.spec.model import INITIALISERS, REQUIRED, Argument, Buffer, Field, Initialiser, Scalar
from cu2mlx.runtime.spec.table import Table


def read_arguments(table: Table, template: frozenset[str]) -> tuple[Argument, ...]:
    """One argument per key, in the kernel's parameter order. `template`: names a dtype may refer to."""
    arguments = tuple(_argument(name, table.table(name), template) for name in table.names())
    if not arguments:
        raise table.error(
            "", "the kernel's parameters are missing; add one [args.NAME] per parameter, in order"
        )
    return arguments


def _argument(name: str, table: Table, template: frozenset[str]) -> Argument:
    argument = _buffer(name, table, template) if table.has("shape") else _scalar(name, table, template)
    table.done()
    return argument


def _scalar(name: str, table: Table, template: frozenset[str]) -> Scalar:
    if table.has("init") or table.has("output"):
        raise table.error("shape", 'is missing; a buffer needs one, such as shape = ["n"]')
    dtype = _dtype(table, template)
    values = table.expressions("value") if table.has("value") else (parse(name),)
    return Scalar(name, dtype, values)


def _buffer(name: str, table: Table, template: frozenset[str]) -> Buffer:
    output = table.flag("output")
    shape = table.expressions("shape")
    null = table.expression("null") if table.has("null") else None
    if table.string("dtype") == "struct":
        if table.has("init"):
            raise table.error(
                "init", "a struct is filled member by member; give each entry of fields its init"
            )
        fields = tuple(_field(each) for each in table.tables("fields"))
        if not fields:
            raise table.error("fields", 'is missing; say fields = [{name = "d", dtype = "float16"}, …]')
        return Buffer(name, "struct", shape, Initialiser("poison"), output, null, fields)
    dtype = _dtype(table, template)
    initialiser = _initialiser(table, "init", default="poison" if output else _usual(dtype, template))
    return Buffer(name, dtype, shape, initialiser, output, null)


def _field(table: Table) -> Field:
    dtype = _dtype(table, frozenset())
    shape: list[int] = []
    for extent in table.list("shape", []):
        if not isinstance(extent, int) or extent < 1:
            raise table.error("shape", f"a member's extents are whole numbers, not {extent!r}")
        shape.append(extent)
    field = Field(
        table.string("name"), dtype, tuple(shape), _initialiser(table, "init", default=_usual(dtype, ()))
    )
    table.done()
    return field


def _usual(dtype: str, template: frozenset[str] | tuple[str, ...]) -> str:
    return "normal" if is_float(dtype) or dtype in template else "bits"


def _dtype(table: Table, template: frozenset[str]) -> str:
    dtype = table.string("dtype")
    if dtype in STORAGE or dtype in template:
        return dtype
    near = difflib.get_close_matches(dtype, [*STORAGE, *template], n=1)
    hint = (
        f"did you mean {near[0]!r}?"
        if near
        else f"known: {', '.join([*STORAGE, *sorted(template), 'struct'])}"
    )
    raise table.error("dtype", f"unknown element type {dtype!r}; {hint}")


def _initialiser(table: Table, key: str, default: str) -> Initialiser:
    """`init = "zeros"` or `init = {kind = "uniform", low = 0, high = 2}`."""
    value = table.get(key, default)
    if isinstance(value, str):
        return _read_initialiser(Table({"kind": value}, *_where(table, key)))
    return _read_initialiser(table.table(key))


def _where(table: Table, key: str) -> tuple[str, str]:
    error = table.error(key, "")
    return error.path, error.key


def _read_initialiser(table: Table) -> Initialiser:
    kind = table.string("kind")
    if kind not in INITIALISERS:
        near = difflib.get_close_matches(kind, INITIALISERS, n=1)
        raise table.error(
            "",
            f"unknown initialiser {kind!r}; {f'did you mean {near[0]!r}? ' if near else ''}"
            f"known: {', '.join(INITIALISERS)}",
        )
    parameters = []
    for name, fallback in INITIALISERS[kind].items():
        if fallback is REQUIRED and not table.has(name):
            raise table.error(name, f'is missing; say {{kind = "{kind}", {name} = …}}')
        parameters.append((name, table.expression(name, fallback)))
    values = table.expressions("values") if kind in ("choice", "values") else ()
    columns = tuple(_read_initialiser(each) for each in table.tables("columns")) if kind == "columns" else ()
    table.done()
    return Initialiser(kind, tuple(parameters), values, columns)
