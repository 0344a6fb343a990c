"""Reads a spec file (TOML) into a typed Spec; the format is described in docs/spec-files.md."""

import tomllib
from pathlib import Path

from cu2mlx.runtime.dtypes import EPSILON
from cu2mlx.runtime.spec.arguments import read_arguments
from cu2mlx.runtime.spec.expression import Expression
from cu2mlx.runtime.spec.model import (
    Argument,
    Buffer,
    Case,
    Spec,
    SpecError,
    TemplateValue,
    ToleranceOverride,
)
from cu2mlx.runtime.spec.operations import OPERATIONS
from cu2mlx.runtime.spec.table import Table

DEFAULT_OPERATION = "arithmetic"


def load_spec(path: str | Path) -> Spec:
    """Reads a spec file. Raises SpecError with the file, the key and the way out."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise SpecError(str(path), "", f"cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise SpecError(str(path), "", "is not UTF-8 text") from None
    return parse_spec(text, str(path))


def parse_spec(text: str, path: str = "spec.toml") -> Spec:
    try:
        top = Table(tomllib.loads(text), path)
    except tomllib.TOMLDecodeError as error:
        raise SpecError(path, "", f"is not TOML: {error}") from None
    template = _template(top.table("template"))
    defines = _defines(top.table("defines"))
    arguments = read_arguments(top.table("args"), frozenset(name for name, _ in template))
    outputs = {each.name for each in arguments if isinstance(each, Buffer) and each.output}
    if not outputs:
        raise top.error("args", "nothing to compare; mark a written buffer with output = true")
    spec = Spec(
        path=path,
        kernel=top.string("kernel"),
        description=top.string("description", ""),
        source=top.optional_string("source"),
        includes=top.strings("includes"),
        records=_records(top.table("records"), arguments),
        reference=top.optional_string("reference"),
        operation=_operation(top, DEFAULT_OPERATION),
        let=_let(top.table("let")),
        arguments=arguments,
        grid=_extents(top, "grid"),
        block=_extents(top, "block"),
        shared=top.expression("shared", 0),
        cases=tuple(_case(each, template, defines) for each in top.tables("cases")),
        tolerances=_tolerances(top.table("tolerance"), outputs),
        optimize=top.table("optimize").rest(),
    )
    top.table("gradient").rest()  # `cu2mlx translate --gradient` reads it
    top.done()
    _check(spec)
    return spec


def _check(spec: Spec) -> None:
    if not spec.cases:
        raise SpecError(spec.path, "cases", 'there is none; add [[cases]] with name = "…" and the sizes')
    names = [case.name for case in spec.cases]
    for name in names:
        if names.count(name) > 1:
            raise SpecError(spec.path, "cases", f"two cases are named {name!r}; give each its own name")


def _operation(table: Table, default: str | None) -> str:
    name = table.string("operation") if default is None else table.string("operation", default)
    if name not in OPERATIONS:
        raise table.error("operation", f"unknown operation {name!r}; known: {', '.join(OPERATIONS)}")
    return name


def _extents(top: Table, key: str) -> tuple[Expression, ...]:
    extents = top.expressions(key)
    if not 1 <= len(extents) <= 3:
        raise top.error(key, f"needs one to three numbers or expressions (x, y, z), not {len(extents)}")
    return extents


def _let(table: Table) -> tuple[tuple[str, Expression], ...]:
    return tuple((name, table.expression(name)) for name in table.names())


def _template(table: Table) -> tuple[tuple[str, TemplateValue], ...]:
    values: list[tuple[str, TemplateValue]] = []
    for name, value in table.rest().items():
        if not isinstance(value, int | str):
            raise table.error(
                name, f"a template value is an integer, true/false or a type's name, not {value!r}"
            )
        values.append((name, value))
    return tuple(values)


def _defines(table: Table) -> tuple[tuple[str, str], ...]:
    values: list[tuple[str, str]] = []
    for name, value in table.rest().items():
        if not isinstance(value, int | str):
            raise table.error(name, f"a macro's value is an integer or text, not {value!r}")
        values.append((name, str(int(value)) if isinstance(value, int) else value))
    return tuple(values)


def _records(table: Table, arguments: tuple[Argument, ...]) -> tuple[tuple[str, str], ...]:
    records = tuple((name, table.string(name)) for name in table.names())
    for name, _ in records:
        if not any(each.name.startswith(f"{name}_") for each in arguments):
            raise table.error(
                name, f"has no members; add an [args.{name}_MEMBER] for each that the kernel uses"
            )
    return records


def _case(
    table: Table, template: tuple[tuple[str, TemplateValue], ...], defines: tuple[tuple[str, str], ...]
) -> Case:
    name = table.string("name")
    own_template = dict(_template(table.table("template")))
    for key in own_template:
        if key not in dict(template):
            raise table.error(
                f"template.{key}", "is not declared in [template]; declare it there, in C++ order"
            )
    own_defines = dict(_defines(table.table("defines")))
    sizes: list[tuple[str, int | float]] = []
    for key, value in table.rest().items():
        if not isinstance(value, int | float):
            raise table.error(key, f"a size is a number, not {value!r}")
        sizes.append((key, value))
    return Case(
        name=name,
        sizes=tuple(sizes),
        template=tuple((dict(template) | own_template).items()),
        defines=tuple((dict(defines) | own_defines).items()),
    )


def _accumulate(row: Table) -> str:
    name = row.string("accumulate")
    if name not in EPSILON:
        raise row.error("accumulate", f"is a floating-point type: {', '.join(EPSILON)}")
    return name


def _tolerances(table: Table, outputs: set[str]) -> tuple[tuple[str, ToleranceOverride], ...]:
    overrides: list[tuple[str, ToleranceOverride]] = []
    for name in table.names():
        row = table.table(name)
        if name not in outputs:
            raise table.error(name, f"is no output; outputs are {', '.join(sorted(outputs)) or 'none'}")
        why = row.string("why", "").strip()
        if not why:
            raise row.error("why", "is mandatory: say in a sentence why this output needs its own tolerance")
        override = ToleranceOverride(
            why=why,
            operation=_operation(row, None) if row.has("operation") else None,
            rtol=row.optional_number("rtol"),
            atol=row.optional_number("atol"),
            scale=row.optional_number("scale"),
            mismatches=row.optional_number("mismatches") or 0.0,
            accumulate=_accumulate(row) if row.has("accumulate") else None,
        )
        row.done()
        overrides.append((name, override))
    return tuple(overrides)
