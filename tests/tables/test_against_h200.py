"""Metal spellings on the CPU machine against what CUDA's functions returned on an NVIDIA H200.

h200.npz holds the operands and CUDA's results, see record_h200.py. Everything is compared bit by bit (any NaN
equals any NaN) but what CUDA itself computes with an error.
"""

from pathlib import Path

import numpy as np
import pytest
from record_h200 import TITLES
from twins import COUNT, Twin, Words, metal_kernel, twins, values

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
# Undefined for a base above 31, which most operands are.
UNDEFINED = ("__fns",)
# CUDA promises an absolute error where these are near zero.
BESSEL = ("j0", "j1", "jn", "y0", "y1", "yn")
ULP = 16.0
ABSOLUTE = 4e-6


def run(chosen: list[Twin]) -> Words:
    out = np.zeros((len(chosen), COUNT), np.uint64)
    kernel = CpuExecutor(threads=2).load(KernelText("msl", metal_kernel(chosen), "k"))
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
    with np.errstate(invalid="ignore"):
        spacing = np.spacing(np.abs(exact)).astype(float)
    if twin.types[-1].startswith("__nv_bfloat"):
        spacing = spacing * 65536
    if "rounded once" in row.accuracy:
        return spacing
    if row.accuracy in ("exact", "correctly rounded") or row in EXACT_GROUPS:
        return -1.0
    if row.name.rstrip("f") in BESSEL:
        return np.maximum(ULP * spacing, ABSOLUTE)
    return ULP * spacing


EXACT_GROUPS = frozenset(row for title in TITLES[1:] for row in GROUPS[title] if "complex" not in row.caveat)


@pytest.mark.parametrize("title", TITLES)
def test_results_are_cudas(title: str) -> None:
    chosen = [
        twin
        for twin in twins(GROUPS[title])
        if twin.row.accuracy != "fast" and twin.row.name not in UNDEFINED and twin.row.signature in RESULTS
    ]
    assert len(chosen) >= 0.9 * len(twins(GROUPS[title]))
    wrong = []
    for twin, got in zip(chosen, run(chosen), strict=True):
        want = RESULTS[twin.row.signature]
        bad = np.flatnonzero(differences(twin, got, want))
        if len(bad):
            first = bad[0]
            wrong.append(
                f"{twin.row.signature}: {len(bad)} differ, {int(got[first]):#x} != {int(want[first]):#x}"
            )
    assert wrong == []


def test_fast_functions_are_near_on_moderate_operands() -> None:
    chosen = [twin for twin in twins(GROUPS["Single-precision math"]) if twin.row.accuracy == "fast"]
    for twin, got in zip(chosen, run(chosen), strict=True):
        x = values(ORACLE["operands"][0], "float")
        ours, theirs = values(got, "float"), values(RESULTS[twin.row.signature], "float")
        assert x is not None and ours is not None and theirs is not None
        moderate = (x > 0.1) & (x < 3.0) & np.isfinite(theirs)
        assert moderate.sum() > 30
        assert np.allclose(ours[moderate], theirs[moderate], rtol=1e-4, atol=1e-5), twin.row.name
