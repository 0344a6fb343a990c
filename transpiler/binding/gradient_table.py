"""Reads what `translate --gradient` asks for: two kernels' names, or a TOML file with a `[gradient]` table."""

import tomllib
from pathlib import Path
from typing import Any

from cu2mlx.transpiler.binding.gradient import GradientError, GradientRequest

_KEYS = ("forward", "backward", "name", "parameters", "constants", "defaults")


def gradient_request(text: str, folder: Path = Path()) -> GradientRequest:
    """`FORWARD=BACKWARD`, or a TOML file (relative to `folder`) with a `[gradient]` table. Raises GradientError."""
    if not text.endswith(".toml"):
        forward, equals, backward = (part.strip() for part in text.partition("="))
        if not (forward and equals and backward):
            raise GradientError(
                "write FORWARD=BACKWARD, the names of two kernels, or the name of a TOML file"
            )
        return GradientRequest(forward, backward)
    try:
        top = tomllib.loads((folder / text).read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise GradientError(f"cannot be read: {error}") from None
    table = top.get("gradient")
    if not isinstance(table, dict):
        raise GradientError("has no [gradient] table")
    for key in table:
        if key not in _KEYS:
            raise GradientError(f"gradient.{key}: a [gradient] table has {', '.join(_KEYS)}")
    constants = table.get("constants", [])
    if not isinstance(constants, list) or not all(isinstance(each, str) for each in constants):
        raise GradientError('gradient.constants: is a list of names, ["a", "b"]')
    return GradientRequest(
        forward=_text("forward", table.get("forward")),
        backward=_text("backward", table.get("backward", top.get("kernel"))),
        name=_text("name", table["name"]) if "name" in table else None,
        parameters=_texts("parameters", table.get("parameters", {})),
        constants=frozenset(constants),
        defaults=_texts("defaults", table.get("defaults", {})),
    )


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise GradientError(f"gradient.{key}: is a text in quotes, and has to be there")
    return value


def _texts(key: str, value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        raise GradientError(f"gradient.{key}: is a table, [gradient.{key}]")
    return {name: _text(f"{key}.{name}", each) for name, each in value.items()}
