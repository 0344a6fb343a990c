"""MLX dtypes as the generator, the readable Metal file and host code spell them."""

import re
from collections.abc import Mapping

# MLX dtype → what MLX's generator writes (get_type_string).
MLX_SPELLING: Mapping[str, str] = {
    "bool": "bool",
    "uint8": "uint8_t",
    "uint16": "uint16_t",
    "uint32": "uint32_t",
    "uint64": "uint64_t",
    "int8": "int8_t",
    "int16": "int16_t",
    "int32": "int32_t",
    "int64": "int64_t",
    "float16": "float16_t",
    "bfloat16": "bfloat16_t",
    "float32": "float",
    "float64": "double",
    "complex64": "complex64_t",
}

# MLX dtype → Metal's own name, for people.
METAL_SPELLING: Mapping[str, str] = {
    "bool": "bool",
    "uint8": "uchar",
    "uint16": "ushort",
    "uint32": "uint",
    "uint64": "ulong",
    "int8": "char",
    "int16": "short",
    "int32": "int",
    "int64": "long",
    "float16": "half",
    "bfloat16": "bfloat",
    "float32": "float",
}

ITEM_SIZE: Mapping[str, int] = {
    "bool": 1,
    "uint8": 1,
    "uint16": 2,
    "uint32": 4,
    "uint64": 8,
    "int8": 1,
    "int16": 2,
    "int32": 4,
    "int64": 8,
    "float16": 2,
    "bfloat16": 2,
    "float32": 4,
    "float64": 8,
    "complex64": 8,
}

# Bytes per element → the unsigned type that holds its bits.
BITS_OF_SIZE: Mapping[int, str] = {1: "uint8", 2: "uint16", 4: "uint32", 8: "uint64"}

# C++ scalar type, as host code spells it → MLX dtype.
_CXX_TYPES: Mapping[str, str] = {
    "bool": "bool",
    "char": "int8",
    "signed char": "int8",
    "unsigned char": "uint8",
    "short": "int16",
    "unsigned short": "uint16",
    "int": "int32",
    "signed": "int32",
    "unsigned": "uint32",
    "unsigned int": "uint32",
    "uint": "uint32",
    "long": "int64",
    "long long": "int64",
    "long int": "int64",
    "unsigned long": "uint64",
    "unsigned long long": "uint64",
    "size_t": "uint64",
    "ssize_t": "int64",
    "ptrdiff_t": "int64",
    "int8_t": "int8",
    "int16_t": "int16",
    "int32_t": "int32",
    "int64_t": "int64",
    "uint8_t": "uint8",
    "uint16_t": "uint16",
    "uint32_t": "uint32",
    "uint64_t": "uint64",
    "float": "float32",
    "float32_t": "float32",
    "double": "float64",
    "half": "float16",
    "__half": "float16",
    "Half": "float16",
    "bfloat16": "bfloat16",
    "BFloat16": "bfloat16",
    "__nv_bfloat16": "bfloat16",
    "nv_bfloat16": "bfloat16",
}


def dtype_of_cxx(spelling: str) -> str | None:
    """The MLX dtype of a C++ scalar type ("const at::Half", "unsigned int"), None for anything else."""
    words = re.sub(r"\b(const|volatile|struct)\b|\b\w+::", " ", spelling).split()
    return _CXX_TYPES.get(" ".join(words))


def sizeof_cxx(spelling: str) -> int | None:
    """Bytes of a C++ scalar, built-in vector (float4, half2) or pointer type; None for anything else."""
    if spelling.rstrip().endswith("*"):
        return 8
    dtype = dtype_of_cxx(spelling)
    if dtype is not None:
        return ITEM_SIZE[dtype]
    vector = re.fullmatch(r"(u?)(char|short|int|long|longlong|float|double|half)([1234])", spelling.strip())
    if vector is None:
        return None
    element = {"long": "int64_t", "longlong": "int64_t"}.get(vector[2], vector[2])
    return ITEM_SIZE[_CXX_TYPES[element]] * int(vector[3])
