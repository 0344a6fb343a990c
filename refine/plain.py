"""Frozen dataclasses as plain JSON data and back, led by their declared types."""

import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from typing import Any, TypeVar, cast, get_args, get_origin, get_type_hints

T = TypeVar("T")
PRIMITIVES: Mapping[type, tuple[type, ...]] = {str: (str,), bool: (bool,), int: (int,), float: (float, int)}


def to_plain(value: Any) -> Any:
    """Dataclasses become objects, tuples lists, sets sorted lists, enumerators their text."""
    if is_dataclass(value):
        return {each.name: to_plain(getattr(value, each.name)) for each in fields(value)}
    if isinstance(value, tuple):
        return [to_plain(each) for each in value]
    if isinstance(value, frozenset):
        return sorted(to_plain(each) for each in value)
    return str(value) if isinstance(value, StrEnum) else value


def from_plain(declared: type[T], data: Any) -> T:
    """What to_plain gave for a value of the declared type; a field that is left out gets its default.

    Raises KeyError, TypeError or ValueError for other data.
    """
    return cast(T, _value(declared, data))


def _value(declared: Any, data: Any) -> Any:
    if get_origin(declared) is types.UnionType:
        return None if data is None else _value(get_args(declared)[0], data)
    if get_origin(declared) is tuple:
        of = get_args(declared)
        if of[-1] is ...:
            return tuple(_value(of[0], each) for each in data)
        return tuple(_value(each, part) for each, part in zip(of, data, strict=True))
    if get_origin(declared) is frozenset:
        return frozenset(_value(get_args(declared)[0], each) for each in data)
    if is_dataclass(declared):
        return _record(cast(type[Any], declared), data)
    if isinstance(declared, type) and issubclass(declared, StrEnum):
        return declared(data)
    if declared in PRIMITIVES and type(data) not in PRIMITIVES[declared]:
        raise TypeError(f"{data!r} where {declared.__name__} is expected")
    return data


def _record(declared: type[Any], data: Mapping[str, Any]) -> Any:
    if not isinstance(data, Mapping):
        raise TypeError(f"{data!r} where the fields of {declared.__name__} are expected")
    hints = get_type_hints(declared)
    return declared(**{name: _value(hints[name], value) for name, value in data.items()})
