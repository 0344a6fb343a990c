"""The body that mx.fast.cuda_kernel gets: MLX's pointers become CUDA's parameters, then the original runs."""

import re

from cu2mlx.transpiler.binding.interface import KernelInterface, Parameter, Role
from cu2mlx.transpiler.binding.signature import CHANGED_ROLES, ascii_source, signature

# MLX's name for the array of a parameter on its CUDA back end: every argument arrives as a pointer.
_BOUND = "{}_argument"


def declared_type(parameter: Parameter) -> str:
    """The parameter's CUDA type without its name: "const float*" of "const float* __restrict__ x"."""
    text = re.sub(rf"\b{re.escape(parameter.name)}\s*((\[[^\]]*\])?)\s*$", r"\1", parameter.cuda_type.strip())
    text = re.sub(r"\b(__restrict__|__restrict|restrict|__grid_constant__)\b", "", text)
    text = re.sub(r"\[[^\]]*\]", "*", text).replace("&", "")
    return re.sub(r"\s+(?=\*)", "", " ".join(text.split()))


def cuda_body(interface: KernelInterface) -> str:
    """Declarations of CUDA's parameters, then `interface.cuda_body`; empty where there is no such text."""
    if not interface.cuda_body:
        return ""
    declarations = []
    for parameter in interface.parameters:
        type_ = declared_type(parameter)
        bound = _BOUND.format(f"{parameter.name}_in" if parameter.role in CHANGED_ROLES else parameter.name)
        if type_.endswith("*"):
            value = f"({type_}){bound}"
        elif parameter.role is Role.SCALAR and parameter.lanes == 1:
            value = f"*{bound}"
        else:
            value = f"*(const {type_.removeprefix('const ')}*){bound}"
        declarations.append(f"{type_} {parameter.name} = {value};\n")
    sizes = [buffer.name for buffer in signature(interface).inputs if buffer.is_size]
    declarations += [f"const auto {size} = *{_BOUND.format(size)};\n" for size in sizes]
    return "".join(declarations) + ascii_source(interface.cuda_body)
