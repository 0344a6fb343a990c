"""A million random operands: Metal spellings against CUDA's functions, both on the CPU machine, bit by bit.

What CUDA's functions return there is compared with an NVIDIA GPU in test_against_h200.py.
"""

import numpy as np
import pytest
from test_against_h200 import UNDEFINED, differences
from twins import COLUMNS, KINDS, Twin, Words, cuda_kernel, metal_kernel, twins

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.protocol import KernelText, Launch, Loaded, Status, Value
from cu2mlx.transpiler.tables import GROUPS

AT_ONCE = 1 << 16
# Group → runs of AT_ONCE operands. The 16-bit functions have no more than 65,536 values each.
RUNS = {"Integers": 16, "SIMD in a word": 16, "Conversion": 16, "Half precision": 2, "Bfloat16": 2}


def operands(random: np.random.Generator, run: int) -> Words:
    """Random bits; of the integers a third has leading zeros. The first run counts 16-bit values up."""
    words = random.integers(0, 2**64, (len(KINDS) * COLUMNS, AT_ONCE), np.uint64)
    shift = random.integers(0, 64, AT_ONCE).astype(np.uint64)
    integers = words[KINDS.index("integer") * COLUMNS :]
    integers[...] = np.where(random.random(integers.shape) < 0.33, integers >> shift, integers)
    if run == 0:
        words[::COLUMNS] = words[::COLUMNS] & ~np.uint64(0xFFFF) | np.arange(AT_ONCE, dtype=np.uint64)
    return words


def results(kernel: Loaded, rows: int, given: Words) -> Words:
    out = np.zeros((rows, AT_ONCE), np.uint64)
    launch = Launch((AT_ONCE // 256, 1, 1), (256, 1, 1))
    outcome = kernel.run([given, out, Value(np.int32(AT_ONCE).tobytes())], launch)
    assert outcome.status is Status.OK, outcome
    return out


@pytest.mark.slow
@pytest.mark.parametrize("title", RUNS)
def test_sides_agree(title: str) -> None:
    known = [twin for twin in twins(GROUPS[title]) if twin.row.name not in UNDEFINED]
    chosen: list[Twin] = list({(twin.row.spelling, twin.types): twin for twin in known}.values())
    executor = CpuExecutor(threads=2)
    metal = executor.load(KernelText("msl", metal_kernel(chosen), "k"))
    cuda = executor.load(KernelText("cuda", cuda_kernel(chosen), "k"))
    random = np.random.default_rng(len(title))
    wrong = []
    for run in range(RUNS[title]):
        given = operands(random, run)
        ours, theirs = (results(kernel, len(chosen), given) for kernel in (metal, cuda))
        for twin, got, want in zip(chosen, ours, theirs, strict=True):
            unequal = np.flatnonzero(got != want)
            bad = unequal[differences(twin, got[unequal], want[unequal])]
            if len(bad):
                wrong.append(
                    f"{twin.row.signature}: {len(bad)}, {int(got[bad[0]]):#x} != {int(want[bad[0]]):#x}"
                )
    assert wrong == []
