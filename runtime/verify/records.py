"""A record's members as a spec lists them, where the file declares it and its layout is C's plain one."""

from collections.abc import Mapping
from dataclasses import dataclass

from cu2mlx.runtime.spec.expression import ExpressionError, Names, evaluate_int, parse
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
    def text(self) -> str:
        """Its entry of `fields`, in TOML; bytes are quantised values as a rule, larger integers often indices."""
        shape = f", shape = [{', '.join(map(str, self.shape))}]" if self.shape else ""
        is_whole = "int" in self.dtype and self.dtype not in _BYTES
        init = ', init = { kind = "integers", low = 0, high = 8 }' if is_whole else ""
        return f'{{ name = "{self.name}", dtype = "{self.dtype}"{shape}{init} }}'


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
