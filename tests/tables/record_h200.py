"""How h200.npz was made: what CUDA's functions return on an NVIDIA H200, for the operands made here.

python tests/tables/record_h200.py write DIR     # DIR/<group>.cu and DIR/in.bin
nvcc -arch=sm_90 -o DIR/<group>.exe DIR/<group>.cu && DIR/<group>.exe DIR/in.bin DIR/<group>.bin
python tests/tables/record_h200.py pack DIR      # DIR/<group>.bin into h200.npz
"""

import sys
from pathlib import Path

import numpy as np
from twins import COLUMNS, COUNT, KINDS, Twin, Words, cuda_kernel, twins

from cu2mlx.transpiler.tables import GROUPS
from cu2mlx.transpiler.tables.types import TYPES

# Rows that can be run thread by thread on values alone.
TITLES = (
    *("Single-precision math", "Half precision", "Bfloat16", "Integers", "SIMD in a word", "Conversion"),
    "Vectors and complex numbers",
)
_MAIN = """
#include <cstdio>
#include <vector>
int main(int, char** names) {
  std::vector<unsigned long long> in(COLUMNS * COUNT), out(ROWS * COUNT);
  FILE* file = fopen(names[1], "rb");
  if (fread(in.data(), 8, in.size(), file) != in.size()) return 1;
  unsigned long long *from, *to;
  cudaMalloc(&from, in.size() * 8), cudaMalloc(&to, out.size() * 8);
  cudaMemcpy(from, in.data(), in.size() * 8, cudaMemcpyHostToDevice);
  k<<<COUNT / 64, 64>>>(from, to, COUNT);
  if (cudaMemcpy(out.data(), to, out.size() * 8, cudaMemcpyDeviceToHost) != cudaSuccess) return 2;
  return fwrite(out.data(), 8, out.size(), fopen(names[2], "wb")) != out.size();
}
"""


def main(verb: str, folder: Path) -> None:
    if verb == "write":
        operands().tofile(folder / "in.bin")
        for title in TITLES:
            found = twins(GROUPS[title])
            main_ = _MAIN.replace("COUNT", str(COUNT)).replace("ROWS", f"{len(found)}ull")
            main_ = main_.replace("COLUMNS", str(len(KINDS) * COLUMNS))
            (folder / f"{file_name(title)}.cu").write_text(cuda_kernel(found) + main_)
    else:
        pack(folder)


def pack(folder: Path) -> None:
    narrow: list[tuple[Twin, Words]] = []
    wide: list[tuple[Twin, Words]] = []
    for title in TITLES:
        found = twins(GROUPS[title])
        words = np.fromfile(folder / f"{file_name(title)}.bin", np.uint64).reshape(len(found), COUNT)
        for twin, result in zip(found, words, strict=True):
            (wide if TYPES[twin.types[-1]].size == 8 else narrow).append((twin, result))
    np.savez_compressed(
        Path(__file__).with_name("h200.npz"),
        operands=np.fromfile(folder / "in.bin", np.uint64).reshape(-1, COUNT),
        names=np.array([twin.row.signature for twin, _ in narrow]),
        words=np.array([result for _, result in narrow]).astype(np.uint32),
        wide_names=np.array([twin.row.signature for twin, _ in wide]),
        wide_words=np.array([result for _, result in wide]),
    )


def file_name(title: str) -> str:
    return title.split()[0].lower()


def operands() -> Words:
    """(KINDS × COLUMNS) rows of COUNT words: special values against each other, then random ones."""
    random = np.random.default_rng(20)
    half = COUNT // 2
    rows = []
    for kind in KINDS:
        special = _SPECIAL[kind]
        grid = [special[(i * stride) % len(special)] for stride in (1, 7, 11) for i in range(half)]
        chosen = np.array(grid, np.uint64).reshape(COLUMNS, half)
        rows.append(np.concatenate([chosen, _random(kind, random, COUNT - half)], axis=1))
    return np.concatenate(rows)


def _floats(*values: float) -> list[int]:
    return [int(word) for word in np.array(values, np.float32).view(np.uint32)]


def _halves(*values: float) -> list[int]:
    return [int(word) for word in np.array(values, np.float16).view(np.uint16)]


_VALUES = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 7.75, -100.25, 1e-3, 0.333, 1e4, -3e4),
    *(np.inf, -np.inf, np.nan),
)
_EDGES = (3.0e9, -3.0e9, 2147483648.0, 1e20, -1e20, 3e38, 1.2e-38)
_PAIR = 0x10001
_INTEGERS = (
    *(0, 1, 2, 3, 5, 31, 32, 33, 64, 255, 256, 0x7F, 0x80, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0xFFFFFF),
    *(0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 0x7F80FF01, 0x80007FFF, 0x0180FE7F, 0x5410),
    *(0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0xFFFFFFFFFFFFFFFF, 0x123456789ABCDEF0),
)
_FLOATS = _floats(*_VALUES, *_EDGES)
_BFLOATS = [word >> 16 for word in _floats(*_VALUES, *_EDGES)]
_SPECIAL: dict[str, list[int]] = {
    "float": _FLOATS,
    "float2": [a | b << 32 for a, b in zip(_FLOATS, _FLOATS[::-1], strict=True)],
    "half": _halves(*_VALUES, 65504.0, -65504.0, 6e-5),
    "half2": [word * _PAIR ^ (word << 18 & 0xFFFF0000) for word in _halves(*_VALUES, 65504.0)],
    "bfloat": _BFLOATS,
    "bfloat2": [a | b << 16 for a, b in zip(_BFLOATS, _BFLOATS[::-1], strict=True)],
    "integer": list(_INTEGERS),
}


def _random(kind: str, random: np.random.Generator, count: int) -> Words:
    if kind == "integer":
        return random.integers(0, 2**64, (COLUMNS, count), np.uint64, endpoint=False)
    values = random.normal(0, 4, (2, COLUMNS, count)).astype(np.float32)
    bits = values.astype(np.float16).view(np.uint16) if kind.startswith("half") else values.view(np.uint32)
    low, high = (bits >> 16 if kind.startswith("bfloat") else bits).astype(np.uint64)
    width = np.uint64(32 if kind.startswith("float") else 16)
    return low | high << width if kind.endswith("2") else low


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
