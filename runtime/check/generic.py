"""Clang knows no space for temporaries and for a method's own object and calls it generic. In Metal both are the
thread's: what it says against their use as such does not count."""

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clang.cindex import Diagnostic, SourceLocation, TranslationUnit

_REFERENCE = re.compile(
    r"cannot bind reference in (?:default address space|address space '__generic') to object in"
    r" address space '__private' in (\d+)\w\w argument"
)
_POINTER = re.compile(
    r"cannot pass pointer to address space '__generic' as a pointer to address space '__private'"
)
_CONVERSION = re.compile(r"no known conversion from '([^']*)' to '([^']*)'")
_OBJECT = re.compile(
    r"no known conversion from '([^']*)'[^']*(?:'[^']*'\))? to '([^']*)'[^']*(?:'[^']*'\))? for object"
)
_INITIALISED = re.compile(
    r"cannot initialize a variable of type '(?P<to>[^']*)' with an rvalue of type '(?P<given>[^']*)'"
)
_BOUND = re.compile(
    r"binding reference of type '(?P<to>[^']*)' to value of type '(?P<given>[^']*)' changes address space"
)
_CAST = re.compile(
    r"static_cast from '(?P<given>[^']*__generic[^']*)' to '(?P<to>[^']*__private[^']*)' casts away qualifiers"
)
_ARRAY = re.compile(r"\s*\[[^\]]*\]$")


def is_of_thread(diagnostic: "Diagnostic", unit: "TranslationUnit") -> bool:
    """Whether a diagnostic is about nothing but the space of such an object."""
    if match := _CAST.search(diagnostic.spelling):  # of `this`, to the class that derives from it
        return "const " in match["to"] or "const " not in match["given"]
    for form in (_INITIALISED, _BOUND):
        if match := form.search(diagnostic.spelling):
            return _is_same(match["given"], match["to"]) or _holds_value(match["given"], match["to"])
    for note in diagnostic.children:
        if match := _REFERENCE.search(note.spelling):
            if _takes_const(unit, note.location, int(match[1]) - 1):
                return True
        elif match := _OBJECT.search(note.spelling):  # the method may be of a base
            if _changes_space(match[1], match[2]):
                return True
        elif match := _CONVERSION.search(note.spelling):
            if _is_same(match[1], match[2]):
                return True
        elif _POINTER.search(note.spelling):
            return True
    return False


def _takes_const(unit: "TranslationUnit", location: "SourceLocation", place: int) -> bool:
    """Whether a function's parameter is a reference to const."""
    from clang.cindex import Cursor, CursorKind

    children = Cursor.from_location(unit, location).get_children()
    parameters = [child for child in children if child.kind == CursorKind.PARM_DECL]
    return place < len(parameters) and bool(parameters[place].type.get_pointee().is_const_qualified())


def _holds_value(given: str, to: str) -> bool:
    """Whether a reference to const of the thread's is bound to a temporary: `const thread T& x = 0`."""
    return to.startswith("const __private ") and "__" not in given


def _changes_space(given: str, to: str) -> bool:
    """Whether what is generic becomes private; const stays."""
    return "__generic" in given and "__private" in to and ("const " in to or "const " not in given)


def _is_same(given: str, to: str) -> bool:
    """Whether two types differ in generic and private space alone; to const or to void is fine."""
    given, to = _ARRAY.sub(" *", given), re.sub(r"\*\s*__private$", "*", to)
    plain = [" ".join(re.sub(r"\b(?:const|__generic|__private)\b", "", each).split()) for each in (given, to)]
    return _changes_space(given, to) and (plain[0] == plain[1] or plain[1] == "void *")
