"""The kind of arithmetic that a guess reads from a kernel's text: it sets how far two results may be apart."""

import pytest

from cu2mlx.runtime.verify.operation import operation_of

LOOP = "for (int i = threadIdx.x; i < n; i += blockDim.x)"


@pytest.mark.parametrize(
    ("text", "operation"),
    [
        ("y[i] = x[i] + b[i];", "arithmetic"),
        (f"{LOOP} y[i] = 2.0f * x[i];", "arithmetic"),
        ("x[i] *= a;", "arithmetic"),
        ("x[i] *= expf(a);", "transcendental"),
        ("y[i] = x[i] * (1.0f + tanhf(x[i]));", "transcendental"),
        (f"{LOOP} {{ y[i] = expf(x[i]); }}", "transcendental"),  # the loop's step is no sum
        (f"{LOOP} sum += x[i];", "reduction"),
        (f"{LOOP} sum += expf(x[i] - m);", "reduction"),
        ("v += __shfl_down_sync(~0u, v, 1); y[0] = rsqrtf(v / n);", "reduction"),
        ("v = warp_sum(v); y[0] += rsqrtf(v / n);", "reduction"),
        ("h = a * h + b;", "reduction"),
        ("h = expf(d * a) * h + b; y[t] = h;", "recurrence"),
        ("state[k] = fmaf(expf(d), state[k], b);", "recurrence"),
        ("l *= expf(old - m); l += expf(x[i] - m);", "recurrence"),
    ],
)
def test_operation(text: str, operation: str) -> None:
    assert operation_of(text) == operation
