"""What the grammar reads only when it is said in another order, or with one word more."""

import re

from cu2mlx.transpiler.preprocess.mapped import Mapped, MappedBuilder

_BUILT_IN = (
    r"(?:bool|char|short|int|long|float|double|unsigned|signed|half|__half|half2|__half2|__nv_bfloat16|u?int\d+_t"
    r"|size_t|(?:u?char|u?short|u?int|float)[1-4])"
)
_OWN = r"[A-Za-z_]\w*(?:\s*<[^;<>(){}]*>)?"
_NAME_AND_EXTENTS = r"\(\s*\*\s*\w+\s*\)\s*\[[^;={}]*\]\s*(?:=(?!=)|;)"
# `float (*rows)[16] = tile;` is read as a call that is assigned to; behind `register`, which says nothing, it is not.
_POINTER_TO_ARRAY = rf"(?<=[;{{}}])\s*(?P<type>)(?:{_BUILT_IN}|(?P<own>{_OWN}))\s*{_NAME_AND_EXTENTS}"
_FRIEND = (
    r"(?P<words>(?:(?:__host__|__device__|__forceinline__|inline|static|constexpr)\s+)+)(?P<friend>friend)\b"
)
# `(a += 1, b)` is read as a fold expression that goes wrong; `((a += 1), b)` is not.
_CHANGE = r"\w[\w.\[\]]*\s*(?:[-+*/%&|^]|<<|>>)="
_CHANGED_FIRST = rf"(?<=\()\s*(?P<changed>{_CHANGE}\s*[^(),;{{}}]+(?=,))"
# What any of them has: `re` can skip to its beginning.
_HINT = re.compile(rf"\(\s*(?:\*\s*\w+\s*\)\s*\[|{_CHANGE})|friend")
_ANY = re.compile(f"{_POINTER_TO_ARRAY}|{_FRIEND}|{_CHANGED_FIRST}")


def _is_type(name: str, text: str) -> bool:
    """Whether a file says that a name is a type's: it may be a function, whose result is assigned to."""
    return (
        re.search(rf"\b(?:struct|class|union|enum|typename|using)\s+{name}\b|\}}\s*{name}\s*;", text)
        is not None
    )


def reordered(text: Mapped) -> Mapped:
    """The text with `register` before pointers to arrays, `friend` before the other specifiers, and brackets around
    the first of several expressions that changes something."""
    if _HINT.search(text.text) is None:
        return text
    builder, copied = MappedBuilder(), 0
    for match in _ANY.finditer(text.text):
        if match["changed"] is not None:
            start, end = match.span("changed")
            builder.copy(text, copied, start)
            builder.write("(", text.span(start, start))
            builder.copy(text, start, end)
            builder.write(")", text.span(end, end))
            copied = end
            continue
        friend = match["friend"] is not None
        if match["own"] is not None and not _is_type(match["own"].split("<")[0].strip(), text.text):
            continue
        start = match.start("words" if friend else "type")
        builder.copy(text, copied, start)
        builder.write("friend " if friend else "register ", text.span(start, start))
        copied = start
        if friend:
            builder.copy(text, start, match.start("friend"))
            copied = match.end("friend")
    builder.copy(text, copied, len(text.text))
    return builder.build()
