"""Functions that call themselves. The outline suspects by name; clang's tree decides between overloads."""

from collections.abc import Iterator
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from cu2mlx.runtime.check.outline import Outline

if TYPE_CHECKING:
    from clang.cindex import Cursor, TranslationUnit


def suspected(outline: Outline) -> bool:
    """Whether some function reaches its own name through calls, by name alone."""
    calls: dict[str, set[str]] = {}
    names = {function.name.text for function in outline.functions}
    for function in outline.functions:
        body = function.body
        called = {
            token.text
            for token, following in pairwise(body)
            if token.kind == "word" and following.text == "(" and token.text in names
        }
        calls.setdefault(function.name.text, set()).update(called)
    return any(name in _reached(calls, name) for name in calls)


def _reached(calls: dict[str, set[str]], start: str) -> set[str]:
    reached: set[str] = set()
    waiting = [*calls.get(start, ())]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting.extend(calls.get(name, ()))
    return reached


def recursive(unit: "TranslationUnit", path: str) -> Iterator[tuple[str, int, int]]:
    """Name, line and byte column of every function of `path` that may call itself."""
    calls: dict[str, set[str]] = {}
    places: dict[str, tuple[str, int, int]] = {}
    for cursor in _of_file(unit, path):
        if _is_function(cursor) and not _is_constexpr(cursor):
            key = cursor.get_usr()
            places[key] = (cursor.spelling, cursor.location.line, cursor.location.column)
            calls.setdefault(key, set()).update(_called(cursor))
    for key, place in places.items():
        if key in _reached(calls, key):
            yield place


def _of_file(unit: "TranslationUnit", path: str) -> Iterator["Cursor"]:
    """All that is declared in a file; the headers before it hold many times as much, and are passed over."""
    for declaration in unit.cursor.get_children():
        if declaration.location.file and declaration.location.file.name == path:
            yield from declaration.walk_preorder()


def _is_function(cursor: "Cursor") -> bool:
    from clang.cindex import CursorKind

    kinds = (CursorKind.FUNCTION_DECL, CursorKind.CXX_METHOD, CursorKind.FUNCTION_TEMPLATE)
    return cursor.kind in kinds and cursor.is_definition()


def _is_constexpr(cursor: "Cursor") -> bool:
    """Whether a function is for the compiler to call: it may call itself."""
    head = takewhile(lambda token: token.spelling != cursor.spelling, cursor.get_tokens())
    return any(token.spelling == "constexpr" for token in head)


def _called(function: "Cursor") -> Iterator[str]:
    from clang.cindex import CursorKind

    for cursor in function.walk_preorder():
        if cursor.kind == CursorKind.CALL_EXPR and cursor.referenced is not None:
            yield cursor.referenced.get_usr()
