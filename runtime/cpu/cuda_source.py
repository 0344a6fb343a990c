"""CUDA device source made C++ for the CPU machine: text in, one translation unit out, line numbers kept.

Most of CUDA is C++ with the headers in shim/cuda. Three things are not, and are rewritten here: `#include`s
of CUDA's headers, `__shared__` declarations and inline PTX.
"""

import re

from cu2mlx.runtime.cpu.cuda_shared import rewrite_shared
from cu2mlx.runtime.cpu.cuda_text import without_comments
from cu2mlx.runtime.cpu.ptx_source import rewrite_asm
from cu2mlx.runtime.msl.tokens import Edit, apply

# Part of the shim -> what in a text asks for it: a CUDA header's name, or a word of its vocabulary.
PARTS: dict[str, tuple[str, str]] = {
    "half.h": (r"cuda_fp16\.h(pp)?", r"half2?|__half\w*|nv_half2?|c10::Half|__float2half\w*|f16(x2)?"),
    "bfloat16.h": (r"cuda_bf16\.h(pp)?", r"(__)?nv_bfloat16\w*|c10::BFloat16|__float2bfloat16\w*|bf16(x2)?"),
    "complex.h": (r"cuComplex\.h", r"(make_)?cu(Float|Double)?Complex|cuC\w+f|cuConjf"),
    "fp8.h": (r"cuda_fp8\.h(pp)?", r"__nv_fp8\w*|__nv_cvt_\w*fp8\w*"),
    "groups.h": (r"cooperative_groups(/\w+)?\.h", r"cooperative_groups"),
    "cub.h": (r"cub/[\w/]+\.cuh", r"cub::\w+"),
    "mma.h": (r"mma\.h", r"nvcuda|wmma::\w+"),
    "random.h": (r"curand(_kernel|_philox4x32_x|_mtgp32_kernel)?\.h", r"curand\w+"),
    "standard.h": (r"cuda/(std/)?\w+", r"cuda::(std|atomic|atomic_ref)\w*"),
    "constants.h": (r"math_constants\.h", r"CUDART_\w+"),
    "torch_types.h": (r"(ATen|c10|torch)/.*", r"c10::\w+|at::\w+"),
    "library.h": (r"-", r"std::(max|min|clamp|swap|array|tuple|tie|get|pair|function|plus|multiplies)"),
    "ptx.h": (r"-", r"asm|__asm__|__asm"),
}

_STANDARD_HEADER = re.compile(
    r"[a-z_0-9]+|(assert|ctype|float|inttypes|limits|math|stdbool|stddef|stdint|stdio|stdlib|string|time)\.h"
)
_REPLACED_STANDARD = ("assert.h", "cassert")  # ours reports through the engine
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]([^>\"\n]+)[>\"][^\n]*", re.MULTILINE)


def translation_unit(text: str, entry: str) -> str:
    """C++ for the engine that runs `entry` (an instantiated kernel's name) of device source `text`.

    The text's lines keep their numbers under the name "kernel.cu". Raises CompileError for a `__shared__`
    declaration that cannot be read.
    """
    parts = [f'#include "cuda/{part}"' for part in required_parts(text)]
    body = rewrite_asm(rewrite_shared(_rewrite_includes(text)))
    return "\n".join([
        '#include "cuda/shim.h"', *parts, '#line 1 "kernel.cu"', body,
        '#line 1 "entry"', f"ENGINE_ENTRY({entry})", "",
    ])  # fmt: skip


def required_parts(text: str) -> list[str]:
    """The optional shim headers that a text's includes or words ask for."""
    words = without_comments(text)  # strings stay: PTX stands in them
    included = _INCLUDE.findall(text)
    return [
        part
        for part, (header, word) in PARTS.items()
        if any(re.fullmatch(header, name) for name in included) or re.search(rf"\b({word})\b", words)
    ]


def _rewrite_includes(text: str) -> str:
    """Keep the includes of standard headers; drop the others, whose content is in the shim or in the text."""
    dropped = [
        Edit(match.start(), match.end(), "")
        for match in _INCLUDE.finditer(text)
        if match[1] in _REPLACED_STANDARD or not _STANDARD_HEADER.fullmatch(match[1])
    ]
    return apply(text, dropped)
