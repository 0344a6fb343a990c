"""The types of number literals."""

import re

from cu2mlx.transpiler.model.types import Type


def literal(source: str) -> Type:
    """`float` of `1.0f`, `unsigned int` of `0xffffffff`."""
    text = source.lower().replace("'", "")
    if text.startswith(("0x", "0b")):
        hexadecimal_float = "p" in text
        return (
            Type("float" if text.endswith("f") else "double") if hexadecimal_float else Type(_integer(text))
        )
    if any(c in text for c in ".e") or (text.endswith("f") and "x" not in text):
        return Type("float" if text.endswith("f") else "double")
    return Type(_integer(text))


def _integer(text: str) -> str:
    suffix = text[len(text.rstrip("ul")) :]
    digits = text[: len(text) - len(suffix)]
    long = "l" in suffix
    value = int(digits, 0) if not re.fullmatch(r"0\d+", digits) else int(digits, 8)
    if "u" in suffix:
        return "unsigned long" if long or value > 0xFFFFFFFF else "unsigned int"
    if value <= 0x7FFFFFFF and not long:
        return "int"
    return "unsigned int" if digits.startswith("0x") and value <= 0xFFFFFFFF and not long else "long"
