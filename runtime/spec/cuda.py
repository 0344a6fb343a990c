"""The original CUDA kernel as an executor gets it: instantiated, and taking the arguments that a spec lists.

A kernel that takes a record with pointers inside (PyTorch's TensorInfo, a params struct) is called through a
kernel of ours, whose parameters are the record's members, as the translation's are.
"""

import re

from cu2mlx.runtime.protocol import KernelText
from cu2mlx.runtime.spec.resolve import Resolved, ResolvedBuffer, ResolvedScalar

# A type named in a template argument → the header that declares it; the kernel's own text may not name it.
HEADERS = {
    r"\b__half2?\b|\bhalf2?\b|\bat::Half\b|\bc10::Half\b": "#include <cuda_fp16.h>",
    r"\b(__)?nv_bfloat162?\b|\bat::BFloat16\b|\bc10::BFloat16\b": "#include <cuda_bf16.h>",
}

FLAT = "cu2mlx_flat"

_HELPERS = """
struct cu2mlx_pointer {
  char* bytes;
  template <typename T> __device__ operator T*() const { return (T*)bytes; }
};
template <typename T> __device__ void cu2mlx_set(T*& member, char* bytes, long) { member = (T*)bytes; }
template <typename T> __device__ void cu2mlx_set(T* __restrict__& member, char* bytes, long) { member = (T*)bytes; }
template <typename T> __device__ void cu2mlx_set(T& member, char* bytes, long) {
  for (unsigned i = 0; i < sizeof(T); ++i) ((char*)&member)[i] = bytes[i];
}
template <typename T, int N> __device__ void cu2mlx_set(T (&member)[N], char* bytes, long size) {
  for (long i = 0; i < N && i < size; ++i) member[i] = ((const T*)bytes)[i];
}
"""

CUDA_SPELLING = {
    "bool": "bool",
    "int8": "signed char",
    "int16": "short",
    "int32": "int",
    "int64": "long long",
    "uint8": "unsigned char",
    "uint16": "unsigned short",
    "uint32": "unsigned int",
    "uint64": "unsigned long long",
    "float16": "__half",
    "bfloat16": "__nv_bfloat16",
    "float32": "float",
    "float64": "double",
}


def cuda_kernel(resolved: Resolved, original: str) -> KernelText:
    """What to load for a case. `original`: all CUDA text the kernel reaches, without host code."""
    records = resolved.spec.records
    flat = _flattened(resolved) if records else ""
    heads = [line for pattern, line in HEADERS.items() if re.search(pattern, resolved.entry + flat)]
    text = "\n".join([*heads, original])
    if not records:
        return KernelText("cuda", text, resolved.entry)
    return KernelText("cuda", _opened(re.sub(r"\b__global__\b", "__device__", text)) + _HELPERS + flat, FLAT)


def _opened(text: str) -> str:
    """The same with all members public: our kernel sets them."""
    text = re.sub(r"\b(?:private|protected)(?=\s*:)", "public", text)
    return re.sub(r"\bclass(?=\s+\w+[^;{}<>()]*\{)", "struct", text)


def _flattened(resolved: Resolved) -> str:
    """A kernel that puts each record together from its members and calls the original."""
    parameters, statements, passed = [], [], []
    for each in resolved.arguments:
        parameters.append(_parameter(each))
        record = _record(each.name, resolved)
        if record is None:
            passed.append(f"cu2mlx_pointer{{{each.name}}}" if isinstance(each, ResolvedBuffer) else each.name)
            continue
        if record not in passed:
            passed.append(record)
            statements.append(f"  {dict(resolved.spec.records)[record]} {record};")
        member = f"{record}.{each.name.removeprefix(record + '_')}"
        if isinstance(each, ResolvedBuffer):
            statements.append(f"  cu2mlx_set({member}, {each.name}, {each.shape[0] if each.shape else 1});")
        else:
            statements.append(f"  {member} = {each.name};")
    body = "\n".join([*statements, f"  {resolved.entry}({', '.join(passed)});"])
    return f"__global__ void {FLAT}({', '.join(parameters)}) {{\n{body}\n}}\n"


def _parameter(argument: ResolvedScalar | ResolvedBuffer) -> str:
    if isinstance(argument, ResolvedBuffer):
        return f"char* {argument.name}"
    return f"{CUDA_SPELLING[argument.dtype]} {argument.name}"


def _record(name: str, resolved: Resolved) -> str | None:
    for record, _ in resolved.spec.records:
        if name.startswith(f"{record}_"):
            return record
    return None
