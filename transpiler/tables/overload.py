"""Overloads: which row of a set a call means, and what its arguments become."""

import re
from collections.abc import Sequence

from cu2mlx.transpiler.tables.row import Builtin
from cu2mlx.transpiler.tables.signature import parameters
from cu2mlx.transpiler.tables.types import TYPES

_GENERIC = frozenset({"T", "U", "G", "Op"})
_FLOATS = frozenset({"float16", "bfloat16", "float32"})

# How well one argument fits one parameter. A row over T fits any type, less well than the type itself but
# better than a conversion: `min(unsigned char, int)` is no `min(int, int)`.
_SAME, _ANY, _SAME_KIND, _CONVERTED, _IMPOSSIBLE = 4, 3, 1, 0, -8
_WRONG_COUNT = -16

# Spellings whose function Metal overloads on float, half and their vectors.
_METAL_OVERLOADS = re.compile(
    r"precise::|fast::|(?:fabs|fmax|fmin|fma|ceil|floor|rint|round|trunc|copysign|is\w+|signbit)\("
)
_REFUSED = -1


def select(rows: Sequence[Builtin], types: Sequence[str | None]) -> Builtin:
    """The row that fits argument types such as "float", "half2", "int*" best; None for an unknown type.

    Types are in the model's spelling. Where several rows fit equally, a supported one wins over a refused,
    then the first.
    """
    return max(rows, key=lambda row: _fit(row, types))


def takes(row: Builtin, count: int) -> bool:
    """Whether a row is of so many arguments."""
    known = parameters(row.signature)
    variadic = bool(known) and known[-1].type == "..."
    required = sum(parameter.default is None for parameter in known) - variadic
    return required <= count and (variadic or count <= len(known))


def _fit(row: Builtin, types: Sequence[str | None]) -> int:
    known = parameters(row.signature)
    variadic = bool(known) and known[-1].type == "..."
    wanted = known[:-1] if variadic else known
    required = sum(parameter.default is None for parameter in wanted)
    score = _REFUSED if row.spelling is None else 0
    if len(types) < required or (len(types) > len(wanted) and not variadic):
        score += _WRONG_COUNT
    pairs = zip(wanted, types, strict=False)
    return score + sum(_fit_one(parameter.type, given) for parameter, given in pairs if given is not None)


def _fit_one(wanted: str, given: str) -> int:
    base, given_base = wanted.rstrip("*&"), given.rstrip("*")
    if ("*" in wanted) != ("*" in given):
        return _ANY if base in _GENERIC and "*" not in wanted else _IMPOSSIBLE
    if base == given_base or _meaning(base) == _meaning(given_base) is not None:
        return _SAME
    if base in _GENERIC or base == "void":
        return _ANY
    if "*" in wanted or _lanes(base) != _lanes(given_base):
        return _IMPOSSIBLE
    return _SAME_KIND if _is_floating(base) == _is_floating(given_base) else _CONVERTED


def _meaning(cuda: str) -> tuple[str | None, str | None] | None:
    """Equal for two names of one type: `half` and `__half`, `unsigned int` and `uint32_t`."""
    row = TYPES.get(cuda)
    return None if row is None else (row.metal, row.narrowed)


def _lanes(cuda: str) -> int:
    row = TYPES.get(cuda)
    return 1 if row is None else row.lanes


def _is_floating(cuda: str) -> bool:
    row = TYPES.get(cuda)
    return row is not None and (row.dtype in _FLOATS or row.narrowed is not None)


def converted(row: Builtin, texts: Sequence[str], types: Sequence[str | None]) -> list[str]:
    """The argument texts, converted where Metal would pick another overload than CUDA.

    `expf(h)` of a half computes in float, `precise::exp(h)` would in half; `exp(i)` of an int is ambiguous.
    """
    result = list(texts)
    if row.spelling is None or not _METAL_OVERLOADS.match(row.spelling):
        return result
    pairs = zip(row.parameter_types, types, strict=False)
    for position, (wanted, given) in enumerate(pairs):
        if wanted == "float" and given is not None and _name_in_metal(given) != "float":
            result[position] = f"float({texts[position]})"
    return result


def _name_in_metal(cuda: str) -> str | None:
    row = TYPES.get(cuda)
    return cuda if row is None else row.metal or row.narrowed
