"""What the grammar reads only when it is said in another order, or with one word more."""

import re

from cu2mlx.transpiler.preprocess.mapped import Mapped, MappedBuilder

_BUILT_IN = (
    r"(?:bool|char|short|int|long|float|double|unsigned|signed|half|__half|half2|__half2|__nv_bfloat16|u?int\d+_t"
    r"|size_t|(?:u?char|u?short|u?int|float)[1-4])"
)
# `float (*rows)[16] = tile;` is read as a call that is assigned to; behind `register`, which says nothing, it is not.
_POINTER_TO_ARRAY = rf"(?<=[;{{}}])\s*(?P<type>){_BUILT_IN}\s*\(\s*\*\s*\w+\s*\)\s*\[[^;={{}}]*\]\s*=(?!=)"
_FRIEND = (
    r"(?P<words>(?:(?:__host__|__device__|__forceinline__|inline|static|constexpr)\s+)+)(?P<friend>friend)\b"
)
_EITHER = re.compile(f"{_POINTER_TO_ARRAY}|{_FRIEND}")


def reordered(text: Mapped) -> Mapped:
    """The text with `register` before pointers to arrays, and `friend` before the other specifiers."""
    builder, copied = MappedBuilder(), 0
    for match in _EITHER.finditer(text.text):
        friend = match["friend"] is not None
        start = match.start("words" if friend else "type")
        builder.copy(text, copied, start)
        builder.write("friend " if friend else "register ", text.span(start, start))
        copied = start
        if friend:
            builder.copy(text, start, match.start("friend"))
            copied = match.end("friend")
    builder.copy(text, copied, len(text.text))
    return builder.build()
