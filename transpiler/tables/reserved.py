"""Names that CUDA source may use freely and Metal takes: keywords, types, functions, MLX's helpers."""

_QUALIFIERS = (
    *("kernel", "vertex", "fragment", "device", "constant", "thread", "threadgroup"),
    *("threadgroup_imageblock", "ray_data", "object_data"),
)
_ATTRIBUTES = (
    *("thread_position_in_grid", "thread_position_in_threadgroup", "thread_index_in_threadgroup"),
    *("thread_index_in_simdgroup", "thread_index_in_quadgroup", "simdgroup_index_in_threadgroup"),
    *("threadgroup_position_in_grid", "threadgroups_per_grid", "threads_per_threadgroup"),
    *("threads_per_grid", "threads_per_simdgroup", "simdgroups_per_threadgroup", "grid_size", "grid_origin"),
    *("dispatch_threads_per_threadgroup", "dispatch_simdgroups_per_threadgroup"),
    *("quadgroups_per_threadgroup", "quadgroup_index_in_threadgroup"),
)
_SCALARS = (
    *("bool", "char", "uchar", "short", "ushort", "int", "uint", "long", "ulong"),
    *("half", "bfloat", "float"),
)
_LANES = ("2", "3", "4")

# Macros of Metal's headers that CUDA's do not have.
_MACROS = (
    *(
        f"M_{constant}_{type_}"
        for constant in (
            *("E", "LOG2E", "LOG10E", "LN2", "LN10", "PI", "PI_2", "PI_4", "1_PI", "2_PI", "2_SQRTPI"),
            *("SQRT2", "SQRT1_2"),
        )
        for type_ in ("F", "H", "BF")
    ),
    *(
        f"HALF_{limit}"
        for limit in ("DIG", "EPSILON", "MANT_DIG", "MAX", "MAX_EXP", "MIN", "MIN_EXP", "RADIX")
    ),
)

# Words of the language and of its types, and names the translator gives: nothing can be called so.
KEYWORDS = frozenset(
    (
        *_QUALIFIERS,
        *_ATTRIBUTES,
        *_MACROS,
        *("half", "bfloat", "uchar", "ushort", "uint", "ulong", "metal", "cu", "as_type", "dynamic_shared"),
        *(f"{scalar}{lanes}" for scalar in _SCALARS for lanes in _LANES),
        *(f"packed_{scalar}{lanes}" for scalar in _SCALARS for lanes in _LANES),
        *(
            f"{scalar}{columns}x{rows}"
            for scalar in ("half", "float")
            for columns in _LANES
            for rows in _LANES
        ),
    )
)

_MATH = (
    *(
        "abs",
        "degrees",
        "radians",
        "determinant",
        "transpose",
        "acos",
        "acosh",
        "asin",
        "asinh",
        "atan",
        "atan2",
        "atanh",
        "ceil",
        "clamp",
        "copysign",
        "cos",
    ),
    *(
        "cosh",
        "cospi",
        "cross",
        "distance",
        "distance_squared",
        "divide",
        "dot",
        "exp",
        "exp10",
        "exp2",
        "fabs",
    ),
    *("faceforward", "fdim", "floor", "fma", "fmax", "fmedian3", "fmax3", "fmin", "fmin3", "fmod", "fract"),
    *(
        "frexp",
        "ilogb",
        "isfinite",
        "isinf",
        "isnan",
        "isnormal",
        "isordered",
        "isunordered",
        "ldexp",
        "length",
    ),
    *("length_squared", "log", "log10", "log2", "max", "max3", "median3", "min", "min3", "mix", "modf"),
    *("nextafter", "normalize", "pow", "powr", "reflect", "refract", "rint", "round", "rsqrt", "saturate"),
    *("sign", "signbit", "sin", "sincos", "sinh", "sinpi", "smoothstep", "sqrt", "step", "tan", "tanh"),
    *("tanpi", "trunc"),
)
_INTEGER = (
    *("absdiff", "addsat", "clz", "ctz", "extract_bits", "hadd", "insert_bits", "mad24", "madhi", "madsat"),
    *("mul24", "mulhi", "popcount", "reverse_bits", "rhadd", "rotate", "subsat"),
)
_PARALLEL = (
    *("simd_sum", "simd_product", "simd_min", "simd_max", "simd_and", "simd_or", "simd_xor", "simd_all"),
    *("simd_any", "simd_ballot", "simd_broadcast", "simd_broadcast_first", "simd_is_first"),
    *("simd_is_helper_thread", "simd_active_threads_mask", "simd_prefix_inclusive_sum"),
    *(
        "simd_prefix_exclusive_sum",
        "simd_shuffle",
        "simd_shuffle_up",
        "simd_shuffle_down",
        "simd_shuffle_xor",
    ),
    *("simd_shuffle_and_fill_up", "simd_shuffle_and_fill_down", "simd_shuffle_rotate_up"),
    *("simd_shuffle_rotate_down", "simdgroup_barrier", "threadgroup_barrier", "atomic_thread_fence"),
    *("quad_sum", "quad_broadcast", "quad_shuffle", "quad_shuffle_xor", "quad_all", "quad_any"),
)
_TYPES = (
    *(
        "array",
        "array_ref",
        "sampler",
        "vec",
        "access",
        "coord",
        "atomic",
        "atomic_int",
        "atomic_uint",
        "atomic_float",
        "atomic_bool",
    ),
    *("atomic_ulong", "buffer", "depth2d", "matrix", "numeric_limits", "patch", "simd_vote"),
    *("simdgroup_matrix", "texture1d", "texture2d", "texture3d", "texturecube", "tensor", "uniform"),
    *("make_filled_simdgroup_matrix", "mem_flags", "memory_order", "thread_scope", "os_log"),
)
_TRAITS = (
    *("is_same", "is_same_v", "is_integral", "is_floating_point", "is_signed", "is_unsigned", "is_void"),
    *("is_pointer", "is_const", "is_arithmetic", "is_convertible", "is_constructible", "enable_if"),
    *("enable_if_t", "conditional", "conditional_t", "remove_const", "remove_cv", "remove_cv_t", "decay"),
    *("remove_reference", "remove_reference_t", "remove_pointer", "make_signed", "make_unsigned"),
    *("integral_constant", "bool_constant", "true_type", "false_type", "declval", "conjunction", "negation"),
)
_VOTES = ("all", "any", "select", "fast", "precise", "as_type")
# Names that MLX puts in front of every kernel.
_MLX = (
    *("float16_t", "bfloat16_t", "complex64_t", "complex_t", "WorkPerThread", "Limits", "elem_to_loc"),
    *("elem_to_loc_1", "elem_to_loc_2", "elem_to_loc_3", "elem_to_loc_2_nd", "elem_to_loc_3_nd"),
    *("LoopedElemToLoc", "ceildiv", "log1p", "hypot", "ConditionalType", "cast_to", "schedule_row_tile"),
    *("bfloat16_to_uint16", "uint16_to_bfloat16"),
)

# Names of functions and class templates in scope: a variable may hide one, but a function or type of the
# user's called so would be ambiguous with it.
FUNCTIONS = frozenset((*_MATH, *_INTEGER, *_PARALLEL, *_TYPES, *_TRAITS, *_VOTES, *_MLX))
TAKEN = KEYWORDS | FUNCTIONS

# What the generated text is made of, so that no macro may mean anything else by it.
WORDS = frozenset((*_QUALIFIERS, *_ATTRIBUTES, "metal", "cu", "buffer", "host_name", "as_type"))
