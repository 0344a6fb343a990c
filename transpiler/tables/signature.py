"""Reads CUDA's signatures, as the rows state them."""

from functools import lru_cache
from typing import NamedTuple


class Parameter(NamedTuple):
    """One parameter; `type` without `const` and with its stars attached ("float*")."""

    type: str
    name: str
    default: str | None = None


def function_name(signature: str) -> str:
    """`thread_block::sync` of "void thread_block::sync()"."""
    return signature[: signature.index("(")].rsplit(" ", 1)[-1].lstrip("*&")


def result_type(signature: str) -> str:
    """`float` of "float expf(float x)"."""
    return signature[: signature.index(function_name(signature) + "(")].strip()


@lru_cache(maxsize=512)
def parameters(signature: str) -> tuple[Parameter, ...]:
    """The parameters in order; "..." stands for any number more."""
    inside = signature[signature.index("(") + 1 : signature.rindex(")")]
    return tuple(_parameter(text.strip()) for text in inside.split(",") if text.strip())


def _parameter(text: str) -> Parameter:
    if text == "...":
        return Parameter(text, "")
    declared, _, default = text.partition("=")
    type_, _, name = declared.strip().rpartition(" ")
    stars = name[: len(name) - len(name.lstrip("*&"))]
    words = [word for word in type_.split() if word != "const"]
    return Parameter(" ".join(words) + stars, name.lstrip("*&"), default.strip() or None)
