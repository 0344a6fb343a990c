"""Element types as the kernels store them, and their values as numpy computes with them.

numpy has no bfloat16: it is stored here as the uint16 of its bits.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# our name (MLX's, plus float64) → numpy's name of the storage
STORAGE: Mapping[str, str] = {
    "bool": "bool",
    "int8": "int8",
    "int16": "int16",
    "int32": "int32",
    "int64": "int64",
    "uint8": "uint8",
    "uint16": "uint16",
    "uint32": "uint32",
    "uint64": "uint64",
    "float16": "float16",
    "bfloat16": "uint16",
    "float32": "float32",
    "float64": "float64",
}

# Distance from 1 to the next larger value.
EPSILON: Mapping[str, float] = {
    "float16": 2.0**-10,
    "bfloat16": 2.0**-7,
    "float32": 2.0**-23,
    "float64": 2.0**-52,
}

# C++ spellings of element types, as they appear in template arguments.
CUDA_TYPES: Mapping[str, str] = {
    "bool": "bool",
    "char": "int8",
    "signed char": "int8",
    "int8_t": "int8",
    "unsigned char": "uint8",
    "uint8_t": "uint8",
    "short": "int16",
    "int16_t": "int16",
    "unsigned short": "uint16",
    "uint16_t": "uint16",
    "int": "int32",
    "int32_t": "int32",
    "unsigned": "uint32",
    "unsigned int": "uint32",
    "uint32_t": "uint32",
    "long": "int64",
    "long long": "int64",
    "int64_t": "int64",
    "unsigned long": "uint64",
    "unsigned long long": "uint64",
    "uint64_t": "uint64",
    "size_t": "uint64",
    "half": "float16",
    "__half": "float16",
    "at::Half": "float16",
    "c10::Half": "float16",
    "__nv_bfloat16": "bfloat16",
    "nv_bfloat16": "bfloat16",
    "at::BFloat16": "bfloat16",
    "c10::BFloat16": "bfloat16",
    "float": "float32",
    "double": "float64",
}


def is_float(dtype: str) -> bool:
    return dtype in EPSILON


def storage(dtype: str) -> "np.dtype[Any]":
    import numpy as np

    return np.dtype(STORAGE[dtype])


def encode(values: "Array", dtype: str) -> "Array":
    """Numbers to stored elements, rounded to nearest even; integers wrap as a C cast does."""
    import numpy as np

    if dtype == "bfloat16":
        return _bfloat16_bits(values.astype(np.float32))
    with np.errstate(over="ignore", invalid="ignore"):
        return values.astype(storage(dtype))


def decode(stored: "Array", dtype: str) -> "Array":
    """Stored elements to numbers: float64 for every float type, integers and bool as they are."""
    import numpy as np

    if dtype == "bfloat16":
        return (stored.astype(np.uint32) << np.uint32(16)).view(np.float32).astype(np.float64)
    with np.errstate(invalid="ignore"):  # signalling NaNs among random bits
        return stored.astype(np.float64) if is_float(dtype) else stored


def _bfloat16_bits(values: "Array") -> "Array":
    import numpy as np

    bits = np.ascontiguousarray(values).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    return np.where(np.isnan(values), np.uint32(0x7FC0), rounded).astype(np.uint16)
