"""float64 references of the selective scan and of one step."""

import numpy as np


def _softplus(x):
    return np.logaddexp(0.0, x)


def _silu(x):
    return x / (1.0 + np.exp(-x))


def _advance(h, u, dt, A, B):  # noqa: N803
    """h: [batch, channels, states]; u, dt: [batch, channels]; B: [batch, states]."""
    return np.exp(dt[..., None] * A) * h + (dt * u)[..., None] * B[:, None, :]


def reference(u, delta, A, B, C, D, z, delta_bias, **_):  # noqa: N803
    batch, length, channels = u.shape
    h = np.zeros((batch, channels, A.shape[1]))
    y = np.zeros(u.shape)
    dt = _softplus(delta if delta_bias is None else delta + delta_bias)
    for t in range(length):
        h = _advance(h, u[:, t], dt[:, t], A, B[:, t])
        y[:, t] = (h * C[:, t][:, None, :]).sum(axis=-1) + D * u[:, t]
    return {"y": y if z is None else y * _silu(z), "last_state": h}


def step(state, u, delta, A, B, C, D, z, delta_bias, **_):  # noqa: N803
    h = _advance(state, u, _softplus(delta + delta_bias), A, B)
    y = (h * C[:, None, :]).sum(axis=-1) + D * u
    return {"state": h, "y": y * _silu(z)}
