"""float64 references of Mamba-1's scan and of one step."""

import numpy as np


def _silu(x):
    return x / (1.0 + np.exp(-x))


def _advance(h, u, dt, A, B):  # noqa: N803
    """h: [batch, channels, states]; u, dt: [batch, channels]; B: [batch, states]."""
    return np.exp(dt[..., None] * A) * h + (dt * u)[..., None] * B[:, None, :]


def reference(u, delta, A, B, C, D, z, delta_bias, **_):  # noqa: N803
    batch, length, channels = u.shape
    h = np.zeros((batch, channels, A.shape[1]))
    y = np.zeros(u.shape)
    dt = np.logaddexp(0.0, delta + delta_bias)
    for t in range(length):
        h = _advance(h, u[:, t], dt[:, t], A, B[:, t])
        y[:, t] = np.einsum("bcn,bn->bc", h, C[:, t])
    return {"y": (y + D * u) * _silu(z), "last_state": h}


def step(state, u, delta, A, B, C, D, z, delta_bias, **_):  # noqa: N803
    h = _advance(state, u, np.logaddexp(0.0, delta + delta_bias), A, B)
    y = np.einsum("bcn,bn->bc", h, C) + D * u
    return {"y": y * _silu(z), "next_state": h}
