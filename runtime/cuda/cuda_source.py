"""An original kernel's text as NVRTC takes it: host headers left out, the C++ library from libcu++, and
stand-ins for the few names of PyTorch that kernels use."""

import re

from cu2mlx.runtime.cpu.cuda_text import without_comments
from cu2mlx.runtime.msl.tokens import Edit, apply

HEADER = "cu2mlx/torch_types.h"

# Header → what in a text asks for it beside its own inclusion.
_DEVICE_HEADERS: dict[str, str] = {
    "cuda_fp16.h": r"half2?|__half\w*|nv_half2?|(c10|at)::Half|__float2half\w*",
    "cuda_bf16.h": r"(__)?nv_bfloat16\w*|(c10|at)::BFloat16|__float2bfloat16\w*",
    "cuda_fp8.h": r"__nv_fp8\w*",
    "cooperative_groups.h": r"cooperative_groups",
    "cooperative_groups/reduce.h": r"(cg|cooperative_groups)::reduce",
    "cooperative_groups/scan.h": r"(cg|cooperative_groups)::(in|ex)clusive_scan",
    "mma.h": r"nvcuda|wmma::\w+",
}
# The parts of CUB that blocks and warps use; the whole of it is host code too, which NVRTC refuses.
_CUB = tuple(
    f"cub/{part}.cuh"
    for part in (
        "block/block_reduce", "block/block_scan", "block/block_load", "block/block_store",
        "block/block_radix_sort", "warp/warp_reduce", "warp/warp_scan",
    )
)  # fmt: skip
_ON_DEVICE_FUNCTION = re.compile(r"(__device__[^;{}()]*?)__launch_bounds__\s*\((?:[^()]|\([^()]*\))*\)")
_LIBRARY = ("limits", "type_traits", "utility", "cmath", "tuple", "array", "functional", "initializer_list")
_LIBRARY_WORD = r"std::\w+"
_INTEGERS = "\n".join(
    f"using {sign}int{bits}_t = {'unsigned ' if sign else 'signed ' if bits == 8 else ''}{name};"
    for bits, name in (
        (8, "char"),
        (16, "short"),
        (32, "int"),
        (64, "long long"),
    )  # as libcu++ says it for NVRTC
    for sign in ("", "u")
)
# libcu++ keeps <algorithm> to itself.
_ALGORITHM = """namespace std {
template <class T> constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> constexpr T min(initializer_list<T> all) {
  T least = *all.begin();
  for (const T& each : all) least = min(least, each);
  return least;
}
template <class T> constexpr T max(initializer_list<T> all) {
  T greatest = *all.begin();
  for (const T& each : all) greatest = max(greatest, each);
  return greatest;
}
template <class T> constexpr const T& clamp(const T& x, const T& a, const T& b) { return x < a ? a : b < x ? b : x; }
}"""
_TORCH_WORD = r"(c10|at|torch)::\w+|C10_\w+|CUDA_KERNEL_\w+|gpuAtomicAdd\w*|opmath_type|acc_type"
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"][^\n]*", re.MULTILINE)
_LIMITS = """#define FLT_MAX 3.402823466e+38f
#define FLT_MIN 1.175494351e-38f
#define FLT_EPSILON 1.192092896e-07f
#define DBL_MAX 1.7976931348623157e+308
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 4294967295u
#define M_PI 3.14159265358979323846
#define M_SQRT1_2 0.70710678118654752440
#define M_SQRT2 1.41421356237309504880
#define M_2_SQRTPI 1.12837916709551257390
#define INFINITY __int_as_float(0x7f800000)
#define NAN __int_as_float(0x7fffffff)
"""


def translation_unit(text: str) -> str:
    """CUDA C++ for NVRTC. The text's lines keep their numbers under the name "kernel.cu"."""
    words = without_comments(text)
    included = set(_INCLUDE.findall(text))
    heads = [
        f"#include <{header}>"
        for header, word in _DEVICE_HEADERS.items()
        if any(each == header or each.startswith(header.split(".")[0] + "/") for each in included)
        or re.search(rf"\b({word})\b", words)
    ]
    if re.search(r"\bcub::", words):
        heads += [f"#include <{part}>" for part in _CUB]
    if re.search(rf"\b({_LIBRARY_WORD})\b", words):
        heads += [f"#include <cuda/std/{part}>" for part in _LIBRARY]
        heads += ["namespace std { using namespace cuda::std; }", _ALGORITHM]
    heads.append(_INTEGERS)
    defined = set(re.findall(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", text, re.MULTILINE))
    heads += [line for line in _LIMITS.splitlines() if line.split()[1].split("(")[0] not in defined]
    if re.search(rf"\b({_TORCH_WORD})\b", words):
        heads += ["#define CU2MLX_NO_TENSOR_INFO"] if re.search(r"struct\s+TensorInfo\b", words) else []
        heads.append(f'#include "{HEADER}"')
    text = _ON_DEVICE_FUNCTION.sub(_without_bounds, text)
    left_out = [Edit(match.start(), match.end(), "") for match in _INCLUDE.finditer(text)]
    return "\n".join([*heads, '#line 1 "kernel.cu"', apply(text, left_out), ""])


def _without_bounds(match: re.Match[str]) -> str:
    """A kernel that another one calls is a device function, which takes no launch bounds."""
    return match[1] + "\n" * match[0].count("\n", len(match[1]))
