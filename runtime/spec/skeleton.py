"""Writes a spec file for a user to fill: what the signature says is in, the rest is marked."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from cu2mlx.runtime.dtypes import is_float


@dataclass(frozen=True, slots=True)
class SkeletonParameter:
    """One kernel parameter. `shape`, `value`: expressions where they are known, None where they are not; a value
    that is the parameter's own name is the size of that name, one in brackets a list. `lanes` are those of a vector.
    `init` and `fields`, a record's members, are TOML text; `null` is an expression, none for no null pointer."""

    name: str
    dtype: str
    buffer: bool
    output: bool = False
    initial: bool = True  # the kernel reads the buffer's old contents
    shape: tuple[str, ...] | None = None
    value: str | None = None
    init: str | None = None
    lanes: int = 1
    fields: tuple[str, ...] = ()
    null: str = ""

    @property
    def is_size(self) -> bool:
        """A whole number that nobody knows: a size of the cases, under its own name."""
        return not self.buffer and self.value is None and not is_float(self.dtype)


# Sizes that every kernel should be tried with, where nobody says better: the only one, and one of several.
_CASES = (("multiple", 1024, 8), ("ragged", 1000, 5), ("tiny", 3, 1), ("empty", 0, 0))


def skeleton(
    kernel: str,
    parameters: Sequence[SkeletonParameter],
    *,
    template: Sequence[tuple[str, str | int | bool]] = (),
    records: Sequence[tuple[str, str]] = (),
    grid: Sequence[str] | None = None,
    block: Sequence[str] | None = None,
    shared: str | None = None,
    source: str | None = None,
    operation: str | None = None,
    cases: Sequence[tuple[str, Mapping[str, int | float]]] | None = None,
) -> str:
    """A spec file's text. Every place that needs the user's knowledge carries the word FILL in a comment."""
    unknown = [parameter.name for parameter in parameters if parameter.is_size] or ["n"]
    count = " * ".join(unknown)
    if cases is None:
        only = len(unknown) == 1
        cases = [(name, dict.fromkeys(unknown, one if only else each)) for name, one, each in _CASES]
        fill = "  # FILL: the sizes used above"
    else:
        fill = ""
    lines = ["# Inputs for `cu2mlx verify`. Complete the lines marked FILL; format: docs/spec-files.md."]
    lines.append(f"kernel = {_quote(kernel)}")
    if source is not None:
        lines.append(f"source = {_quote(source)}")
    if operation is not None:
        lines.append(f"operation = {_quote(operation)}")
    lines += _launch("grid", grid, f'["ceildiv({count}, 256)"]', "blocks in x, y, z")
    lines += _launch("block", block, "[256]", "threads in x, y, z")
    if shared is not None:
        lines.append(f"shared = {_quote(shared)}  # dynamic shared memory, bytes")
    if template:
        lines += ["", "[template]"]
        lines += [f"{name} = {_value(value)}" for name, value in template]
    if records:
        lines += ["", "[records]"]
        lines += [f"{name} = {_quote(type_)}" for name, type_ in records]
    for parameter in parameters:
        lines += ["", f"[args.{parameter.name}]", f"dtype = {_quote(parameter.dtype)}"]
        lines += _buffer(parameter, count) if parameter.buffer else _scalar(parameter)
    for name, sizes in cases:
        lines += ["", "[[cases]]", f"name = {_quote(name)}{fill}"]
        lines += [f"{size} = {value}" for size, value in sizes.items()]
        fill = ""
    return "\n".join(lines) + "\n"


def _launch(key: str, extents: Sequence[str] | None, guess: str, meaning: str) -> list[str]:
    if extents is None:
        return [f"{key} = {guess}  # FILL: {meaning}"]
    return [f"{key} = [{', '.join(each if each.isdigit() else _quote(each) for each in extents)}]"]


def _buffer(parameter: SkeletonParameter, count: str) -> list[str]:
    shape = parameter.shape
    if shape is None:
        lanes = f", {parameter.lanes}" if parameter.lanes > 1 else ""
        lines = [f'shape = ["{count}"{lanes}]  # FILL: extents, in elements']
    else:
        lines = [f"shape = [{', '.join(each if each.isdigit() else _quote(each) for each in shape)}]"]
    if parameter.fields:
        lines += ["fields = [", *(f"  {each}," for each in parameter.fields), "]"]
    if parameter.output:
        lines.append("output = true")
    if parameter.null:
        lines.append(f"null = {_quote(parameter.null)}")
    if parameter.fields:
        return lines
    if parameter.init is not None:
        lines.append(f"init = {parameter.init}")
    elif parameter.output:
        if parameter.initial:
            lines.append('init = "zeros"  # FILL: what the kernel finds there')
    elif is_float(parameter.dtype):
        lines.append('init = "normal"')
    else:
        lines.append('init = {kind = "integers", low = 0, high = 8}  # FILL: the range that makes sense')
    return lines


def _scalar(parameter: SkeletonParameter) -> list[str]:
    if parameter.is_size or parameter.value == parameter.name:
        return []
    if parameter.value is None:
        return ["value = 1.0  # FILL"]
    return [f"value = {parameter.value if parameter.value.startswith('[') else _quote(parameter.value)}"]


def _value(value: str | int | bool) -> str:
    if isinstance(value, str):
        return _quote(value)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _quote(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
