"""How Python's `struct` packs a record that a kernel takes by value: the caller of the emitted module has to."""

import re
import struct

from cu2mlx.transpiler.model.declarations import Record, Variable
from cu2mlx.transpiler.rules.context import Context
from cu2mlx.transpiler.tables.types import TYPES

_CODES = {
    "bool_": "?",
    "int8": "b",
    "uint8": "B",
    "int16": "h",
    "uint16": "H",
    "int32": "i",
    "uint32": "I",
    "int64": "q",
    "uint64": "Q",
    "float16": "e",
    "float32": "f",
}


def record_layout(record: Record, context: Context) -> tuple[str, tuple[str, ...]]:
    """The format and, for each of its values, the member: ("if3f0i", ("n", "scale", "*weights")).

    ("", ()) where something else than numbers and arrays of them is in it, or lays it out otherwise than C does.
    """
    written = context.text[record.outer.start : record.outer.end]
    fields = list(record.fields.values())
    is_plain = record.node.kind != "union_specifier" and not record.bases and record.template is None
    if not fields or not is_plain or re.search(r"\b(?:virtual|\w*align\w*|packed)\b", written):
        return "", ()
    codes = [_code(each, context) for each in fields]
    if not all(codes):
        return "", ()
    widest = max((code[-1] for code in codes), key=struct.calcsize)
    members = tuple(f"*{each.name}" if each.type.shape else each.name for each in fields)
    return f"{''.join(codes)}0{widest}", members


def _code(member: Variable, context: Context) -> str:
    """`f`, or `12f` for `float rows[3][4]`; empty for what is none."""
    row = TYPES.get(context.typing.alias(member.type).base)
    if row is None or row.lanes != 1 or member.holder.first("bitfield_clause") is not None:
        return ""
    is_narrowed = row.narrowed is not None and context.options.double == "float"
    code = _CODES.get("float32" if is_narrowed else row.dtype or "", "")
    count = 1
    for extent in member.type.shape:
        number = context.declared.macros.get(extent.strip("[] "), extent.strip("[] "))
        if not number.isdigit():
            return ""
        count *= int(number)
    return f"{count}{code}" if code and member.type.shape else code
