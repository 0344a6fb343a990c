"""Values of enumerators: a spec names a template argument as CUDA does, MLX passes its number."""

import re

from cu2mlx.transpiler.tables.cub import ENUMS

_ENUM = re.compile(r"\benum\b[^;{}()]*\{([^{}]*)\}")
_CUB = " ".join(f"enum {name} {{ {', '.join(words)} }};" for name, words in ENUMS.items())
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def enumerator(text: str, name: str) -> int | None:
    """The value of an enumerator declared in a CUDA text; None where there is none, or it is computed."""
    wanted = name.rpartition("::")[2]
    for match in _ENUM.finditer(_COMMENT.sub("", f"{text} {_CUB}")):
        value: int | None = -1
        for entry in match[1].split(","):
            word, equals, written = (part.strip() for part in entry.partition("="))
            if equals:
                value = int(written, 0) if re.fullmatch(r"-?(0[xX][\da-fA-F]+|\d+)", written) else None
            elif value is not None:
                value += 1
            if word == wanted:
                return value
    return None


def first_enumerator(text: str, type_: str) -> str | None:
    """The first enumerator of an enum, as an expression names it; None where the text declares no such enum."""
    scope, colons, word = type_.rpartition("::")
    name, text = re.escape(word), _COMMENT.sub("", f"{text} {_CUB if scope == 'cub' else ''}")
    found = re.search(rf"\benum\s+(class\s+|struct\s+)?{name}\b[^;{{}}()]*\{{\s*(\w+)", text)
    if found is None:
        found = re.search(rf"\btypedef\s+enum\b()[^;{{}}()]*\{{\s*(\w+)[^{{}}]*\}}\s*{name}\b", text)
    if found is None:
        return None
    return f"{type_}::{found[2]}" if found[1] else f"{scope}{colons}{found[2]}"
