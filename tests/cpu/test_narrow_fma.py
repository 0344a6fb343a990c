"""16-bit a * b + c is rounded once, in Metal and in CUDA: against exact rational arithmetic."""

from fractions import Fraction

import numpy as np
import pytest

from tests.translated import Array, run_both

COUNT = 4096
_TEXT = """
#include <cuda_fp16.h>
#include <cuda_bf16.h>
__global__ void k(const {type}* a, const {type}* b, const {type}* c, {type}* out) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __hfma(a[i], b[i], c[i]);
}}
"""


def _halves(random: np.random.Generator) -> list[Array]:
    """Ordinary operands, and sums that lie close to the middle between two halves."""
    a, b = random.normal(0, 4, (2, COUNT)).astype(np.float16)
    c = random.normal(0, 4, COUNT).astype(np.float16)
    k = random.integers(1, 30, COUNT // 2) / 1024
    a[::2], b[::2], c[::2] = 1 + k, (1 - k) / 2, random.integers(1024, 2048, COUNT // 2)  # c + 1/2 - k^2 / 2
    return [a, b, c]


def _exact(a: Array, b: Array, c: Array, digits: int, least: int) -> list[Fraction]:
    """The sums, rounded to nearest even: `digits` significant bits, multiples of 2^least."""
    rounded = []
    for x, y, z in zip(a.tolist(), b.tolist(), c.tolist(), strict=True):
        total = Fraction(x) * Fraction(y) + Fraction(z)
        if total == 0:
            rounded.append(total)
            continue
        magnitude = abs(total)
        exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
        exponent -= magnitude < Fraction(2) ** exponent
        unit = Fraction(2) ** max(exponent - digits + 1, least)
        rounded.append(round(total / unit) * unit)  # Python rounds a Fraction to even
    return rounded


def test_half() -> None:
    operands = _halves(np.random.default_rng(6))
    given = dict(zip("abc", operands, strict=True)) | {"out": np.zeros(COUNT, np.float16)}
    both = run_both(_TEXT.format(type="__half"), given, 256, COUNT // 256)
    expected = _exact(*(x.astype(np.float64) for x in operands), digits=11, least=-24)
    in_float = (operands[0].astype(np.float32) * operands[1] + operands[2].astype(np.float32)).astype(
        np.float16
    )
    assert (in_float.astype(float) != [float(x) for x in expected]).any()  # two roundings show
    for side in both:
        assert [Fraction(x) for x in side["out"].astype(float).tolist()] == expected


@pytest.mark.parametrize("seed", (1, 2))
def test_bfloat(seed: int) -> None:
    random = np.random.default_rng(seed)
    values = random.normal(0, 4, (3, COUNT)).astype(np.float32)
    values[1, ::2] *= np.float32(2.0**-16)
    # The product lies in the middle between two bfloats, and the sum just beside; then products past the largest.
    values[0, ::4], values[1, ::4] = 3, 2 * random.integers(43, 85, COUNT // 4) + 1
    values[2, ::4] = np.float32(2.0**-20) * random.choice([-1, 1], COUNT // 4)
    values[0, 1::4] = random.uniform(1, 1.1, COUNT // 4) * 2.0**64
    values[1, 1::4] = random.uniform(0.95, 1, COUNT // 4) * 2.0**64
    values[2, 1::4] = -random.uniform(1, 1.9, COUNT // 4) * 2.0**127
    stored = (values.view(np.uint32) >> 16).astype(np.uint16)
    a, b, c = (stored.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    given = dict(zip("abc", stored, strict=True)) | {"out": np.zeros(COUNT, np.uint16)}
    dtypes = dict.fromkeys(given, "bfloat16")
    both = run_both(_TEXT.format(type="__nv_bfloat16"), given, 256, COUNT // 256, dtypes=dtypes)
    expected = _exact(a, b, c, digits=8, least=-133)
    for side in both:
        found = (side["out"].astype(np.uint32) << 16).view(np.float32)
        assert [Fraction(x) for x in found.astype(float).tolist()] == expected
