"""What a type's name stands for: aliases of the function, of its record, of the file, and members of records."""

import re
from typing import TYPE_CHECKING

from cu2mlx.transpiler.model.types import Type

if TYPE_CHECKING:
    from cu2mlx.transpiler.model.declarations import Record
    from cu2mlx.transpiler.model.expressions import Typing

_LIBRARY = "cub::"  # whose class templates keep their name through any alias


def meant_by(name: str, typing: "Typing") -> Type | None:
    """One step from a type's name to what it is an alias of; None where it is none."""
    scope, last = _scope(name)
    declared = typing.declared
    if scope and scope not in declared.namespaces:
        return _member(scope, last, typing)
    record = typing.function.record
    if record is not None and record.is_of_const and _is_itself(name, record):
        return Type(
            f"{record.name}<const {name.partition('<')[2] or 'T>'}"
        )  # in itself, `Span<T>` is of const
    own = record.aliases.get(last) if record is not None else None
    if own is not None and record is not None and record.template is not None and not _is_library(own):
        own = None  # hangs on the arguments of the class
    return typing.names.local_aliases.get(last) or own or declared.aliases.get(last)


def _is_itself(name: str, record: "Record") -> bool:
    return name.partition("<")[0] == record.name and "<const " not in name


def _member(scope: str, name: str, typing: "Typing") -> Type | None:
    """`Traits::Scan`. What a class template's member stands for hangs on its arguments, but for which class of
    the library it is; so it does for a template parameter that stands for one of several such classes."""
    declared = typing.declared
    record = declared.record(typing.alias(Type(scope)))
    own = record.aliases.get(name) if record is not None else None
    if record is not None and (
        record.template is None or (own is not None and not _hangs(own, record, typing))
    ):
        return own
    records = [record] if record is not None else declared.all_records
    found = [r.aliases[name] for r in records if name in r.aliases]
    classes = {type_.base.split("<")[0] for type_ in found}
    return found[0] if len(classes) == 1 and _is_library(found[0]) else None


def _hangs(alias: Type, record: "Record", typing: "Typing") -> bool:
    """Whether what a member of a class template stands for names one of the template's parameters, or is another in
    a specialisation."""
    if record.specialisations or record.is_specialisation:
        return True
    assert record.template is not None
    parameters = re.findall(r"\w+", typing.spelling(record.template.need("parameters")))
    return not set(re.findall(r"\w+", alias.base)).isdisjoint(parameters)


def _is_library(type_: Type) -> bool:
    return type_.base.startswith(_LIBRARY) and not type_.base.rpartition(">")[2]


def _scope(name: str) -> tuple[str, str]:
    """`A<x::y>::B` → ("A<x::y>", "B")."""
    if "::" not in name:
        return "", name
    depth = 0
    for position in range(len(name) - 1, 0, -1):
        depth += (name[position] == ">") - (name[position] == "<")
        if depth == 0 and name.startswith("::", position - 1):
            return name[: position - 1], name[position + 1 :]
    return "", name
