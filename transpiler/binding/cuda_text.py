"""The body that mx.fast.cuda_kernel gets: MLX's pointers become CUDA's parameters, then the original runs."""

import re

from cu2mlx.transpiler.binding.interface import KernelInterface, Parameter, Role
from cu2mlx.transpiler.binding.signature import CHANGED_ROLES, ascii_source, signature

_LAUNCH_BOUNDS = r"\b__(launch_bounds|maxnreg|block_size)__\s*\((?:[^()]|\([^()]*\))*\)\s*"
# The driver's interface: of no use to a kernel, and it needs the host compiler's headers.
_HOST_ONLY = frozenset({"<cuda.h>", '"cuda.h"', "<cudaTypedefs.h>"})
# libcu++ as `std`. Its <algorithm> is missing from MLX's copy, so min and max stand here.
_STD = (
    "#include <cuda/std/type_traits>",
    "namespace std {",
    "using namespace cuda::std;",
    "template <typename T>",
    "__device__ constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }",
    "template <typename T>",
    "__device__ constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }",
    "}  // namespace std",
)
# MLX's name for the array of a parameter on its CUDA back end: every argument arrives as a pointer.
_BOUND = "{}_argument"


def declared_type(parameter: Parameter) -> str:
    """The parameter's CUDA type without its name: "const float*" of "const float* __restrict__ x"."""
    written = parameter.name.rstrip("_")  # one called like a word of Metal's got an underscore
    named = rf"\b{re.escape(written)}_*\s*"
    rows = re.fullmatch(
        rf"(.*?)\s*(?:\(\s*\*[\w\s]*{named}\)|{named}\[[^\]]*\])\s*(\[.*)", parameter.cuda_type
    )
    if rows is not None:
        return f"{rows[1].strip()} (*){rows[2]}"
    text = re.sub(rf"{named}((\[[^\]]*\])?)\s*$", r"\1", parameter.cuda_type.strip())
    text = re.sub(r"\b(__restrict__|__restrict|restrict|__grid_constant__)\b", "", text)
    text = re.sub(r"\[[^\]]*\]", "*", text).replace("&", "")
    return re.sub(r"\s+(?=\*)|(?<=\*)\s*\b(const|volatile)\b", "", " ".join(text.split()))


def cuda_header(interface: KernelInterface) -> str:
    """`interface.cuda_header` as NVRTC takes it, inside MLX's own file.

    NVRTC has CUDA's headers but not the host compiler's: those come from libcu++ where it has them. The
    kernels are device functions here, which cannot have launch bounds.
    """
    text = re.sub(_LAUNCH_BOUNDS, "", ascii_source(interface.cuda_header))
    named = re.findall(r"^[ \t]*#[ \t]*include[ \t]*([<\"][^>\"]+[>\"])", text, re.M)
    includes = [file for file in dict.fromkeys(named) if file not in _HOST_ONLY]
    text = re.sub(r"^[ \t]*#[ \t]*include\b.*\n?", "", text, flags=re.M)
    lines = []
    for file in includes:
        lines += [f"#if __has_include({file})", f"#include {file}"]
        if re.fullmatch(r"<\w+>", file):
            lines += [f"#elif __has_include(<cuda/std/{file[1:]})", f"#include <cuda/std/{file[1:]}"]
        lines.append("#endif")
    if re.search(r"(?<!cuda::)\bstd::", text):
        lines += _STD
    return "".join(f"{line}\n" for line in lines) + text


def cuda_body(interface: KernelInterface) -> str:
    """Declarations of CUDA's parameters, then `interface.cuda_body`; empty where there is no such text."""
    if not interface.cuda_body:
        return ""
    inputs = signature(interface).inputs
    packed = {
        scalar.name: f"{_BOUND.format(buffer.name)}[{place}]"
        for buffer in inputs
        for place, scalar in enumerate(buffer.packed)
    }
    declarations = []
    for parameter in interface.parameters:
        type_ = declared_type(parameter)
        bound = _BOUND.format(f"{parameter.name}_in" if parameter.role in CHANGED_ROLES else parameter.name)
        if type_.endswith("*") or "(*)" in type_:
            value = f"({type_}){bound}"
            if parameter.nullable:
                value = f"{parameter.given} ? {value} : nullptr"
        elif parameter.array:
            value = packed[parameter.name]
        elif parameter.role is Role.SCALAR and parameter.lanes == 1:
            value = f"*{bound}"
        else:
            value = f"*(const {type_.removeprefix('const ')}*){bound}"
        head = "auto" if "(*)" in type_ else type_  # C++ has the name of a pointer to rows inside of its type
        declarations.append(f"{head} {parameter.name} = {value};\n")
        if parameter.role in CHANGED_ROLES and re.search(rf"\b{parameter.name}_in\b", interface.cuda_body):
            declarations.append(f"const auto {parameter.name}_in = {parameter.name};\n")
    sizes = [buffer.name for buffer in inputs if buffer.is_size]
    declarations += [f"const auto {size} = *{_BOUND.format(size)};\n" for size in sizes]
    return "".join(declarations) + ascii_source(interface.cuda_body)
