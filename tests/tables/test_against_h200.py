"""Metal spellings, and CUDA's functions themselves, on the CPU machine against what an NVIDIA H200 returned.

h200.npz holds the operands and CUDA's results, see record_h200.py. Everything is compared bit by bit (any NaN
equals any NaN) but what CUDA itself computes with an error.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from record_h200 import TITLES
from twins import COUNT, Twin, Words, cuda_kernel, metal_kernel, twins, values

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.protocol import KernelText, Launch, Status, Value
from cu2mlx.transpiler.tables import GROUPS

ORACLE = np.load(Path(__file__).with_name("h200.npz"))
RESULTS: dict[str, Words] = dict(
    [
        *zip(ORACLE["names"].tolist(), ORACLE["words"], strict=True),
        *zip(ORACLE["wide_names"].tolist(), ORACLE["wide_words"], strict=True),
    ]
)
# __fns is undefined for a base above 31, which most operands are; CUDA's jn(n, 0) is NaN for n > 1.
UNDEFINED = ("__fns", "jn", "jnf")
# CUDA promises an absolute error where these are near zero, and no bound for lgamma between -10 and -2.26.
NEAR_ZEROS = ("j0", "j1", "y0", "y1", "yn", "lgamma")
# Exact in Metal, but not in CUDA.
INEXACT = ("rsqrtf", "rsqrt")
# Compared on moderate operands only: CUDA approximates them, or contracts their sums of products.
NEAR = ("__tanhf", "cuCabsf", "cuCmulf", "cuCfmaf", "cuCdivf")
ULP = 16.0
ABSOLUTE = 4e-6


def is_near(twin: Twin) -> bool:
    return twin.row.accuracy == "fast" or twin.row.name in NEAR


def titled(title: str) -> list[Twin]:
    return [t for t in twins(GROUPS[title]) if t.row.signature in RESULTS and t.row.name not in UNDEFINED]


def run(chosen: list[Twin]) -> Words:
    """The results of each in Metal, COUNT words a row; `expf` and `exp` are compiled once."""
    same = {(twin.row.spelling, twin.types): twin for twin in chosen}
    out = _run(KernelText("msl", metal_kernel(list(same.values())), "k"), len(same))
    position = {key: row for row, key in enumerate(same)}
    return out[[position[twin.row.spelling, twin.types] for twin in chosen]]


def run_original(chosen: list[Twin]) -> Words:
    """The same in CUDA."""
    return _run(KernelText("cuda", cuda_kernel(chosen), "k"), len(chosen))


def _run(text: KernelText, rows: int) -> Words:
    out = np.zeros((rows, COUNT), np.uint64)
    kernel = CpuExecutor(threads=2).load(text)
    arguments = [ORACLE["operands"].copy(), out, Value(np.int32(COUNT).tobytes())]
    outcome = kernel.run(arguments, Launch((COUNT // 64, 1, 1), (64, 1, 1)))
    assert outcome.status is Status.OK, outcome
    return out


def differences(twin: Twin, got: Words, want: Words) -> Words:
    """Which of the results differ by more than the row may."""
    ours, theirs = values(got, twin.types[-1]), values(want, twin.types[-1])
    if ours is None or theirs is None:
        return got != want
    same = (ours == theirs) & (np.signbit(ours) == np.signbit(theirs)) | np.isnan(ours) & np.isnan(theirs)
    allowed = tolerance(twin, theirs)
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(ours.astype(float) - theirs.astype(float)) <= allowed
    return ~(same | near).all(axis=1)


def tolerance(twin: Twin, exact: Words) -> Words | float:
    """How far a result may be from CUDA's, in absolute terms; below zero means not at all."""
    row = twin.row
    with np.errstate(invalid="ignore", over="ignore"):
        spacing = np.spacing(np.abs(exact)).astype(float)
    if twin.types[-1].startswith("__nv_bfloat"):
        spacing = spacing * 65536
    if "rounded once" in row.accuracy:
        return spacing
    exact_in_metal = row.accuracy in ("exact", "correctly rounded") or row in EXACT_GROUPS
    if exact_in_metal and row.name not in INEXACT:
        return -1.0
    if row.name.rstrip("f") in NEAR_ZEROS:
        return np.maximum(ULP * spacing, ABSOLUTE)
    return ULP * spacing


EXACT_GROUPS = frozenset(row for title in TITLES[1:] for row in GROUPS[title])


@pytest.mark.parametrize("side", (run, run_original), ids=("translation", "original"))
@pytest.mark.parametrize("title", TITLES)
def test_results_are_cudas(title: str, side: Callable[[list[Twin]], Words]) -> None:
    chosen = [twin for twin in titled(title) if not is_near(twin)]
    assert len(chosen) >= 0.9 * len(twins(GROUPS[title])) - len(NEAR)
    wrong = []
    for twin, got in zip(chosen, side(chosen), strict=True):
        want = RESULTS[twin.row.signature]
        bad = np.flatnonzero(differences(twin, got, want))
        if len(bad):
            first = bad[0]
            wrong.append(
                f"{twin.row.signature}: {len(bad)} differ, {int(got[first]):#x} != {int(want[first]):#x}"
            )
    assert wrong == []


@pytest.mark.parametrize("title", ["Single-precision math", "Vectors and complex numbers"])
def test_approximations_are_near_on_moderate_operands(title: str) -> None:
    chosen = [twin for twin in titled(title) if is_near(twin)]
    operands = values(ORACLE["operands"][0], "float")
    assert operands is not None
    positive = (operands[:, 0] > 0.1) & (operands[:, 0] < 3.0)
    random = np.arange(COUNT) >= COUNT // 2
    moderate = positive & random if title == TITLES[0] else random
    assert moderate.sum() > 30
    for twin, got in zip(chosen, run(chosen), strict=True):
        ours, theirs = (values(w, twin.types[-1]) for w in (got, RESULTS[twin.row.signature]))
        assert ours is not None and theirs is not None
        known = moderate & np.isfinite(theirs).all(axis=1)
        allowed = 1e-3 if twin.row.name == "__tanhf" else 1e-4
        assert np.allclose(ours[known], theirs[known], rtol=allowed, atol=1e-5), twin.row.signature
