"""float64 reference of the rotary embedding."""

import numpy as np


def reference(positions, states, cos_sin_cache, rot_dim, NEOX, **_):  # noqa: N803
    half = rot_dim // 2
    cos = cos_sin_cache[positions][:, None, :half]
    sin = cos_sin_cache[positions][:, None, half:]
    first = np.arange(half) if NEOX else 2 * np.arange(half)
    second = first + half if NEOX else first + 1
    rotated = states.copy()
    rotated[..., first] = states[..., first] * cos - states[..., second] * sin
    rotated[..., second] = states[..., second] * cos + states[..., first] * sin
    return {"states": rotated}
