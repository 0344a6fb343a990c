"""Named constants and macros of CUDA and the C library in Metal's words.

The double constants of <math.h> become Metal's float ones: Metal has no double to promote to.
"""

from typing import NamedTuple


class Constant(NamedTuple):
    """`exact` is false where CUDA's constant is a double and Metal's the nearest float."""

    spelling: str
    type: str
    exact: bool = True


# <math.h> name without M_, as Metal has it too: M_PI → M_PI_F
_MATH = (
    "E",
    "LOG2E",
    "LOG10E",
    "LN2",
    "LN10",
    "PI",
    "PI_2",
    "PI_4",
    "1_PI",
    "2_PI",
    "2_SQRTPI",
    "SQRT2",
    "SQRT1_2",
)

_FLOAT_LIMITS = (
    *("FLT_MAX", "FLT_MIN", "FLT_EPSILON", "FLT_DIG", "FLT_MANT_DIG", "FLT_RADIX"),
    *("FLT_MAX_EXP", "FLT_MIN_EXP", "FLT_MAX_10_EXP", "FLT_MIN_10_EXP"),
)

# CUDART_*_F of math_constants.h
_CUDART = {
    "INF": "INFINITY",
    "NAN": "NAN",
    "MIN_DENORM": "as_type<float>(1u)",
    "MAX_NORMAL": "FLT_MAX",
    "NEG_ZERO": "(-0.0f)",
    "ZERO": "0.0f",
    "ONE": "1.0f",
    "SQRT_HALF": "M_SQRT1_2_F",
    "SQRT_TWO": "M_SQRT2_F",
    "THIRD": "0.333333333f",
    "PIO4": "M_PI_4_F",
    "PIO2": "M_PI_2_F",
    "PI": "M_PI_F",
    "3PIO4": "2.356194490f",
    "2_OVER_PI": "M_2_PI_F",
    "L2E": "M_LOG2E_F",
    "L2T": "3.321928094f",
    "LG2": "0.301029996f",
    "LGE": "M_LOG10E_F",
    "LN2": "M_LN2_F",
    "LNT": "M_LN10_F",
    "LNPI": "1.144729886f",
    "TWO_TO_M126": "FLT_MIN",
    "TWO_TO_126": "8.507059173e37f",
    "TWO_TO_23": "8388608.0f",
    "TWO_TO_24": "16777216.0f",
    "SQRT_2OPI": "0.797884561f",
}

# prefix of the C macro → Metal type
_INTEGERS = {
    "CHAR": "char",
    "SCHAR": "char",
    "SHRT": "short",
    "INT": "int",
    "LONG": "long",
    "LLONG": "long",
    "INT8": "char",
    "INT16": "short",
    "INT32": "int",
    "INT64": "long",
}
_UNSIGNED = {
    "UCHAR": "uchar",
    "USHRT": "ushort",
    "UINT": "uint",
    "ULONG": "ulong",
    "ULLONG": "ulong",
    "UINT8": "uchar",
    "UINT16": "ushort",
    "UINT32": "uint",
    "UINT64": "ulong",
    "SIZE": "ulong",
}
# CUDART_*_FP16 / _BF16 bit patterns: name → (half, bfloat)
_SIXTEEN = {
    "INF": ("0x7c00", "0x7f80"),
    "NAN": ("0x7fff", "0x7fff"),
    "MIN_DENORM": ("0x0001", "0x0001"),
    "MAX_NORMAL": ("0x7bff", "0x7f7f"),
    "NEG_ZERO": ("0x8000", "0x8000"),
    "ZERO": ("0x0000", "0x0000"),
    "ONE": ("0x3c00", "0x3f80"),
}

CONSTANTS: dict[str, Constant] = {
    **{f"M_{name}": Constant(f"M_{name}_F", "float", exact=False) for name in _MATH},
    **{name: Constant(name, "float") for name in _FLOAT_LIMITS},
    **{f"CUDART_{name}_F": Constant(spelling, "float") for name, spelling in _CUDART.items()},
    **{
        f"{prefix}_{end.upper()}": Constant(f"numeric_limits<{msl}>::{end}()", msl)
        for prefix, msl in _INTEGERS.items()
        for end in ("min", "max")
    },
    **{f"{prefix}_MAX": Constant(f"numeric_limits<{msl}>::max()", msl) for prefix, msl in _UNSIGNED.items()},
    **{
        f"CUDART_{name}_{suffix}": Constant(f"as_type<{msl}>(ushort({bits}))", msl)
        for name, (half, bfloat) in _SIXTEEN.items()
        for suffix, msl, bits in (("FP16", "half", half), ("BF16", "bfloat", bfloat))
    },
    "CHAR_BIT": Constant("8", "int"),
    "INFINITY": Constant("INFINITY", "float"),
    "NAN": Constant("NAN", "float"),
    "HUGE_VALF": Constant("INFINITY", "float"),
    "HUGE_VAL": Constant("INFINITY", "float", exact=False),
    "DBL_MAX": Constant("FLT_MAX", "float", exact=False),
    "DBL_MIN": Constant("FLT_MIN", "float", exact=False),
    "DBL_EPSILON": Constant("FLT_EPSILON", "float", exact=False),
    "CUDART_INF": Constant("INFINITY", "float", exact=False),
    "CUDART_NAN": Constant("NAN", "float", exact=False),
    "CUDART_PI": Constant("M_PI_F", "float", exact=False),
    "NULL": Constant("nullptr", "nullptr_t"),
}
