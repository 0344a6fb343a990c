"""What to write instead: CUDA names that do not exist in Metal, and conversions that need to be asked for."""

import re

_INDEX = "add the kernel parameter `{} [[{}]]`"
_CUDA: dict[str, str] = {
    "threadIdx": _INDEX.format("uint3 tid", "thread_position_in_threadgroup"),
    "blockIdx": _INDEX.format("uint3 gid", "threadgroup_position_in_grid"),
    "blockDim": _INDEX.format("uint3 size", "threads_per_threadgroup"),
    "gridDim": _INDEX.format("uint3 count", "threadgroups_per_grid"),
    "warpSize": "a simdgroup has 32 threads",
    "laneId": _INDEX.format("uint lane", "thread_index_in_simdgroup"),
    "__syncthreads": "write threadgroup_barrier(mem_flags::mem_threadgroup)",
    "__syncwarp": "write simdgroup_barrier(mem_flags::mem_threadgroup)",
    "__threadfence": "write atomic_thread_fence(mem_flags::mem_device, memory_order_seq_cst)",
    "__threadfence_block": "write atomic_thread_fence(mem_flags::mem_threadgroup, memory_order_seq_cst)",
    "__shared__": "write threadgroup, in the kernel itself",
    "__global__": "write [[kernel]]",
    "__device__": "Metal functions need no such word",
    "__host__": "Metal files have no host code",
    "__forceinline__": "write inline, or METAL_FUNC",
    "__noinline__": "drop it",
    "__constant__": "write constant at program scope, or pass a buffer",
    "__restrict__": "drop it",
    "__ldg": "read through the device pointer",
    "__float2half": "write half(x)",
    "__half2float": "write float(x)",
    "__half": "the type is half",
    "__nv_bfloat16": "the type is bfloat",
    "__float2bfloat16": "write bfloat(x)",
    "__bfloat162float": "write float(x)",
    "__popc": "write popcount(x)",
    "__clz": "write clz(x)",
    "__ffs": "write x ? ctz(x) + 1 : 0",
    "__brev": "write reverse_bits(x)",
    "__fdividef": "write fast::divide(x, y)",
    "fmaf": "write fma(x, y, z)",
    "sincosf": "write s = sincos(x, c)",
    "printf": "drop it; Metal 3.2 has os_log",
    "assert": "drop it",
    "size_type": "use uint",
}
_FLOAT_FUNCTIONS = (
    "exp exp2 exp10 log log2 log10 sin cos tan asin acos atan sinh cosh tanh pow sqrt rsqrt floor ceil round "
    "trunc rint fabs fmax fmin fmod atan2 copysign"
)
_ABSENT_FUNCTIONS = "erf erfc erfinv expm1 log1p cbrt hypot lgamma tgamma normcdf"


def _pattern(pattern: str, words: str = "") -> re.Pattern[str]:
    return re.compile(pattern.replace("WORDS", "|".join(words.split())) + "$")


_PATTERNS: tuple[tuple[re.Pattern[str], str], ...] = (
    (_pattern(r"__shfl\w*"), "write simd_shuffle, simd_shuffle_up, _down or _xor"),
    (_pattern(r"__(?:ballot|any|all|activemask)(?:_sync)?"), "write simd_ballot, simd_any or simd_all"),
    (_pattern(r"__reduce_\w+_sync"), "write simd_sum, simd_min, simd_max, simd_and, simd_or or simd_xor"),
    (
        _pattern(r"atomic(?:WORDS)", "Add Sub Min Max And Or Xor Exch CAS Inc Dec"),
        "write atomic_fetch_add_explicit and the like, on a device atomic_uint*",
    ),
    (_pattern(r"make_(?P<type>\w+[234])"), "write the vector type as a function: {type}(…)"),
    (_pattern(r"__(?P<name>WORDS)f", "exp log sin cos tan pow exp10 log2 log10"), "write fast::{name}(x)"),
    (_pattern(r"(?P<name>WORDS)f", _FLOAT_FUNCTIONS), "write precise::{name}, without the f"),
    (_pattern(r"(?:WORDS)f?", _ABSENT_FUNCTIONS), "Metal has no such function; write it out"),
    (
        _pattern(
            r"(?:simd_|simdgroup_|atomic_|quad_)\w+|threadgroup_barrier|mem_flags|vec|min|max|exp|precise"
        ),
        "is `using namespace metal;` missing?",
    ),
)


def for_name(name: str) -> str:
    """What to write instead of an unknown name; empty where nothing is known."""
    if name in _CUDA:
        return _CUDA[name]
    for pattern, hint in _PATTERNS:
        if match := pattern.match(name):
            return hint.format(**match.groupdict())
    return ""


def for_conversion(message: str) -> str:
    if "bfloat" in message:
        return "bfloat widens to float by itself; every other change needs a cast: bfloat(x), half(x)"
    if "vec<" in message:
        return "vectors of another element type need a cast, for example float4(v)"
    return ""
