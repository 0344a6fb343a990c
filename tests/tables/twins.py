"""Twin kernels: for many rows at once, CUDA's function and its Metal spelling on the same bits.

Each argument and result travels as the low bits of a 64-bit word. Row r of n words of `out` is its result.
"""

import re
from typing import Any, NamedTuple

import numpy as np

from cu2mlx.transpiler.prelude import assemble
from cu2mlx.transpiler.tables import Builtin
from cu2mlx.transpiler.tables.signature import parameters, result_type
from cu2mlx.transpiler.tables.spell import spell
from cu2mlx.transpiler.tables.types import TYPES, TypeRow

Words = np.ndarray[Any, Any]
COUNT = 256
COLUMNS = 3
BESSEL = ("jn", "jnf", "yn", "ynf")
KINDS = ("float", "float2", "half", "half2", "bfloat", "bfloat2", "integer")


class Twin(NamedTuple):
    """One row that can be run on scalars; `types` are CUDA's, the result last."""

    row: Builtin
    types: tuple[str, ...]


def twins(rows: tuple[Builtin, ...]) -> list[Twin]:
    """The supported rows whose arguments and result are plain values of at most 64 bits."""
    found = []
    for row in rows:
        types = (*row.parameter_types, result_type(row.signature))
        plain = [t for t in types if t in TYPES and _is_plain(TYPES[t])]
        if (
            row.spelling is not None
            and len(plain) == len(types) <= COLUMNS + 1
            and row.spelling != "((void)0)"
        ):
            found.append(Twin(row, types))
    return found


def _is_plain(row: TypeRow) -> bool:
    return row.metal is not None and row.size in (1, 2, 4, 8) and not row.metal.startswith("cu::")


def cuda_kernel(all_twins: list[Twin]) -> str:
    lines = [
        "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cuComplex.h>",
        "template <class T> __device__ T from(unsigned long long w)"
        " { T t; memcpy(&t, &w, sizeof t); return t; }",
        "template <class T> __device__ unsigned long long bits(T t)"
        " { unsigned long long w = 0; memcpy(&w, &t, sizeof t); return w; }",
        "__global__ void k(const unsigned long long* in, unsigned long long* out, int n) {",
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;",
    ]
    for position, twin in enumerate(all_twins):
        arguments = [f"from<{t}>({_word(twin, c)})" for c, t in enumerate(twin.types[:-1])]
        call = f"{twin.row.name}({', '.join(arguments)})"
        lines.append(f"  out[{position} * n + i] = bits<{twin.types[-1]}>({call});")
    return "\n".join([*lines, "}", ""])


def metal_kernel(all_twins: list[Twin]) -> str:
    names = {name for twin in all_twins for name in re.findall(r"\bcu::(\w+)", twin.row.spelling or "")}
    lines = [
        "#include <metal_stdlib>\nusing namespace metal;",
        assemble(names),
        "kernel void k(device const ulong* in [[buffer(0)]], device ulong* out [[buffer(1)]],",
        "              constant int& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {",
    ]
    for position, twin in enumerate(all_twins):
        *given, result = [TYPES[t] for t in twin.types]
        for c, row in enumerate(given):
            lines.append(f"  {row.metal} a{position}_{c} = {_from(row, _word(twin, c))};")
        text = spell(twin.row, [f"a{position}_{c}" for c in range(len(given))])
        lines.append(f"  {result.metal} r{position} = {text};")
        lines.append(f"  out[{position} * n + i] = {_bits(result, f'r{position}')};")
    return "\n".join([*lines, "}", ""])


def _word(twin: Twin, position: int) -> str:
    """Where an argument's bits are. The order of a Bessel function stays small: its time grows with it."""
    column = KINDS.index(kind_of(twin.types[position])) * COLUMNS + position
    order = twin.row.name in BESSEL and parameters(twin.row.signature)[position].name == "n"
    return f"in[{column} * n + i] & 15" if order else f"in[{column} * n + i]"


def _from(row: TypeRow, word: str) -> str:
    if row.lanes == 1 and row.dtype not in ("float32", "float16", "bfloat16"):
        return f"({word} & 1) != 0" if row.metal == "bool" else f"{row.metal}({word})"
    carrier = {2: "ushort", 4: "uint", 8: "ulong"}[row.size]
    return f"as_type<{row.metal}>({carrier}({word}))"


def _bits(row: TypeRow, value: str) -> str:
    if row.metal == "bool":
        return f"ulong({value})"
    carrier = {1: "uchar", 2: "ushort", 4: "uint", 8: "ulong"}[row.size]
    if row.lanes == 1 and row.dtype not in ("float32", "float16", "bfloat16"):
        return f"ulong({carrier}({value}))"
    return f"ulong(as_type<{carrier}>({value}))"


def kind_of(cuda: str) -> str:
    """Which operands a parameter of this type gets."""
    row = TYPES[cuda]
    name = (row.metal or "").rstrip("1234")
    return (
        f"{name}2" if name in ("float", "half", "bfloat") and row.lanes == 2 else _KINDS.get(name, "integer")
    )


_KINDS = {name: name for name in ("float", "half", "bfloat")}


def values(words: Words, cuda: str) -> Words | None:
    """Words as (n, lanes) floats of the type's own precision (bfloat16 as float32); None for integers."""
    row = TYPES[cuda]
    raw = np.ascontiguousarray(words.astype(np.uint64)).view(np.uint8).reshape(len(words), 8)
    lanes = np.ascontiguousarray(raw[:, : row.size])
    if row.dtype == "bfloat16":
        return (lanes.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
    formats = {"float32": np.float32, "float16": np.float16}
    return lanes.view(formats[row.dtype]) if row.dtype in formats else None
