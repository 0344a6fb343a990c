"""CUDA's vector types by their names, their lanes, and how many bytes scalars and vectors have."""

import re
from collections.abc import Mapping
from functools import lru_cache

from cu2mlx.transpiler.model.types import Type

VECTOR = re.compile(r"^(u?char|u?short|u?int|u?long|u?longlong|float|double|half|bfloat)([1-4])$")
_LANE_TYPES = {
    "uchar": "unsigned char", "ushort": "unsigned short", "uint": "unsigned int", "ulong": "unsigned long",
    "longlong": "long long", "ulonglong": "unsigned long long",
}  # fmt: skip
_PAIRS = {"__half2": "half2", "__nv_bfloat162": "bfloat2"}


@lru_cache(maxsize=256)
def lanes(base: str) -> Mapping[str, Type]:
    """The lanes of a vector type by name, in order; none of another type."""
    vector = VECTOR.match(_PAIRS.get(base, base))
    if vector is None:
        return {}
    lane = Type(_LANE_TYPES.get(vector[1], vector[1]))
    return dict.fromkeys("xyzw"[: int(vector[2])], lane)


_BYTES = {
    "bool": 1, "char": 1, "signed char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2,
    "half": 2, "__half": 2, "bfloat": 2, "__nv_bfloat16": 2, "int": 4, "unsigned int": 4, "float": 4,
    "long": 8, "unsigned long": 8, "long long": 8, "unsigned long long": 8, "double": 8,
}  # fmt: skip


def size_in_bytes(base: str) -> int | None:
    """The size of a scalar or vector type in its canonical spelling; None for any other."""
    listed = lanes(base)
    return _BYTES[listed["x"].base] * len(listed) if listed else _BYTES.get(base)
