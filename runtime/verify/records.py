"""A record's members as a spec lists them, where the file declares it and its layout is C's plain one."""

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from cu2mlx.runtime.spec.expression import ExpressionError, Names, evaluate_int, parse
from cu2mlx.transpiler.binding.interface import Parameter
from cu2mlx.transpiler.model.declarations import Declarations, Record, Variable
from cu2mlx.transpiler.tables.types import TYPES

_BYTES = frozenset({"int8", "uint8"})


@dataclass(frozen=True, slots=True)
class Member:
    name: str
    dtype: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        size = 1
        for extent in self.shape:
            size *= extent
        return size

    @property
    def is_whole(self) -> bool:
        """Bytes are quantised values as a rule, larger integers indices and sizes."""
        return "int" in self.dtype and self.dtype not in _BYTES

    def entry(self, sizes: Container[str] = ()) -> str:
        """Its entry of `fields`, in TOML; `sizes` are those that the cases have."""
        shape = f", shape = [{', '.join(map(str, self.shape))}]" if self.shape else ""
        init = ""
        if self.name in sizes and not self.shape:
            init = f', init = {{ kind = "values", values = ["{self.name}"] }}'
        elif self.is_whole:
            init = ', init = { kind = "integers", low = 0, high = 8 }'
        return f'{{ name = "{self.name}", dtype = "{self.dtype}"{shape}{init} }}'


def sizes_of(members: Sequence[Member]) -> list[str]:
    """The whole numbers among the members of a record that is passed by value and is not of one type throughout."""
    is_mixed = len({each.dtype for each in members}) > 1
    return [each.name for each in members if is_mixed and each.is_whole and not each.shape]


def is_by_value(parameter: Parameter) -> bool:
    written = parameter.cuda_type
    return not re.match(r"(?:\w+\s+)*__(?:constant|device)__", written) and not {"*", "["} & set(written)


def members_of(name: str, declared: Declarations, text: str) -> tuple[Member, ...]:
    """The members of the record of that name, in order; none where one is no number or array of numbers, or where
    bases, attributes or bit-fields lay them out otherwise."""
    record = declared.records.get(name)
    if record is None or record.bases or record.template is not None or not _is_plain(record, text):
        return ()
    found = [_member(each, declared.macros, text) for each in record.fields.values()]
    return tuple(each for each in found if each is not None) if None not in found else ()


def _is_plain(record: Record, text: str) -> bool:
    written = text[record.outer.start : record.outer.end]
    return record.node.kind != "union_specifier" and "align" not in written and "packed" not in written


def _member(variable: Variable, macros: Mapping[str, str], text: str) -> Member | None:
    row = TYPES.get(variable.type.base)
    if (
        row is None
        or row.dtype is None
        or row.lanes != 1
        or variable.holder.first("bitfield_clause") is not None
    ):
        return None
    numbers = {name: int(value) for name, value in macros.items() if value.isdigit()}
    try:
        shape = tuple(evaluate_int(parse(each.strip("[]")), Names(numbers)) for each in variable.type.shape)
    except ExpressionError:  # a pointer, or an extent that is no number here
        return None
    return Member(variable.name, row.dtype.removesuffix("_"), shape)
