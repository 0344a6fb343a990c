"""Reads what `translate --gradient` asks for: two kernels' names, or a TOML file with a `[gradient]` table."""

from pathlib import Path
from typing import Any

from cu2mlx.transpiler.binding.gradient import GradientError, GradientRequest

_KEYS = ("forward", "backward", "name", "parameters", "constants", "defaults")


def gradient_request(text: str, folder: Path = Path()) -> GradientRequest:
    """`FORWARD=BACKWARD`, with commas between several backward kernels, or a TOML file with a `[gradient]` table.

    The file is relative to `folder`. Raises GradientError.
    """
    if not text.endswith(".toml"):
        forward, _, listed = text.partition("=")
        names = [name.strip() for name in (forward, *listed.split(","))]
        if not all(names):
            raise GradientError("write FORWARD=BACKWARD, the names of kernels, or the name of a TOML file")
        return GradientRequest(names[0], tuple(names[1:]))
    import tomllib

    try:
        top = tomllib.loads((folder / text).read_text(encoding="utf-8"))
    except OSError as error:
        raise GradientError(f"cannot be read: {error.strerror}") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise GradientError(f"is not TOML: {error}") from None
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
        backward=_kernels(table.get("backward", top.get("kernel"))),
        name=_text("name", table["name"]) if "name" in table else None,
        parameters=_texts("parameters", _flat(table.get("parameters", {}))),
        constants=frozenset(constants),
        defaults=_texts("defaults", table.get("defaults", {})),
    )


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise GradientError(f"gradient.{key}: is a text in quotes, and has to be there")
    return value


def _kernels(value: Any) -> tuple[str, ...]:
    """One name, or several in the order the kernels run."""
    names = value if isinstance(value, list) and value else [value]
    return tuple(_text("backward", name) for name in names)


def _flat(value: Any) -> Any:
    """Parameters of one kernel only, `[gradient.parameters.KERNEL]`, as KERNEL.NAME."""
    if not isinstance(value, dict):
        return value
    alone = {name: each for name, each in value.items() if not isinstance(each, dict)}
    inner = [(kernel, each) for kernel, each in value.items() if isinstance(each, dict)]
    return alone | {f"{kernel}.{name}": text for kernel, each in inner for name, text in each.items()}


def _texts(key: str, value: Any) -> dict[str, str]:
    if not isinstance(value, dict):
        raise GradientError(f"gradient.{key}: is a table, [gradient.{key}]")
    return {name: _text(f"{key}.{name}", each) for name, each in value.items()}
