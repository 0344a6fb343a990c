"""Values of enumerators: a spec names a template argument as CUDA does, MLX passes its number."""

import re

_ENUM = re.compile(r"\benum\b[^;{}()]*\{([^{}]*)\}")
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)


def enumerator(text: str, name: str) -> int | None:
    """The value of an enumerator declared in a CUDA text; None where there is none, or it is computed."""
    wanted = name.rpartition("::")[2]
    for match in _ENUM.finditer(_COMMENT.sub("", text)):
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
