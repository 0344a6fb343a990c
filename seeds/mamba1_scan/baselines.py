"""The selective scan in MLX's own operations, without a kernel."""

import mlx.core as mx

CHUNK = 32  # steps that one after the other run for all chunks at once


def _softplus(x):
    return mx.logaddexp(x.astype(mx.float32), 0.0)


def _silu(x):
    x = x.astype(mx.float32)
    return x * mx.sigmoid(x)


def _advance(h, u, dt, A, B):  # noqa: N803
    """h: [..., channels, states]; u, dt: [..., channels]; B: [..., states]."""
    return mx.exp(dt[..., None] * A) * h + (dt * u)[..., None] * B[..., None, :]


_compiled_advance = mx.compile(_advance)


def time_step_loop(u, delta, A, B, C, D, z, delta_bias, **_):  # noqa: N803
    """One step of the time after the other, about a dozen operations each, as mlx-lm runs a prefill where it has
    no kernel; the state is kept in float32."""
    batch, length, channels = u.shape
    h = mx.zeros((batch, channels, A.shape[1]), mx.float32)
    outputs = []
    for t in range(length):
        dt = _softplus(delta[:, t] + delta_bias)
        h = _advance(h, u[:, t], dt, A, B[:, t])
        outputs.append((h @ C[:, t, :, None].astype(mx.float32)).squeeze(-1) + D * u[:, t])
    y = mx.stack(outputs, axis=1) * _silu(z)
    return {"y": y.astype(u.dtype), "last_state": h}


def chunked(u, delta, A, B, C, D, z, delta_bias, **_):  # noqa: N803
    """The time in chunks: all chunks advance side by side from a state of zero, their ends are carried from chunk
    to chunk, and all advance again from where they really start. Two times CHUNK steps instead of `length`."""
    batch, length, channels = u.shape
    chunks = -(-length // CHUNK)
    # a step with dt = 0 changes nothing
    dt = _split(_softplus(delta + delta_bias), chunks)
    inputs = [dt, *(_split(each.astype(mx.float32), chunks) for each in (u, B, C))]
    end, _ = _within(mx.zeros((batch, chunks, channels, A.shape[1]), mx.float32), A, *inputs)
    decay = mx.exp(dt.sum(axis=2)[..., None] * A)
    state, starts = mx.zeros_like(end[:, 0]), []
    for chunk in range(chunks):
        starts.append(state)
        state = decay[:, chunk] * state + end[:, chunk]
    _, y = _within(mx.stack(starts, axis=1), A, *inputs)
    y = y.reshape(batch, chunks * CHUNK, channels)[:, :length]
    return {"y": ((y + D * u) * _silu(z)).astype(u.dtype), "last_state": state}


def _split(x, chunks):
    """[batch, length, n] to [batch, chunks, CHUNK, n], filled up with zeros."""
    x = mx.pad(x, [(0, 0), (0, chunks * CHUNK - x.shape[1]), (0, 0)])
    return x.reshape(x.shape[0], chunks, CHUNK, x.shape[2])


def _within(h, A, dt, u, B, C):  # noqa: N803
    """CHUNK steps of every chunk: the states after them and C . h of each step."""
    outputs = []
    for t in range(CHUNK):
        h = _compiled_advance(h, u[:, :, t], dt[:, :, t], A, B[:, :, t])
        outputs.append((h @ C[:, :, t, :, None]).squeeze(-1))
    return h, mx.stack(outputs, axis=2)


def step(state, u, delta, A, B, C, D, z, delta_bias, **_):  # noqa: N803
    """One step as mlx-lm runs it where it has no kernel."""
    h = _advance(state, u, _softplus(delta + delta_bias), A, B)
    y = (h @ C[:, :, None].astype(mx.float32)).squeeze(-1) + D * u
    return {"y": (y * _silu(z)).astype(u.dtype), "next_state": h}


_compiled_step = mx.compile(step)


def compiled_step(state, u, delta, A, B, C, D, z, delta_bias, **_):  # noqa: N803
    """The same in mx.compile."""
    return _compiled_step(state, u, delta, A, B, C, D, z, delta_bias)
