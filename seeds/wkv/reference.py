"""float64 references of the RWKV-4 time mixing, forward and backward."""

import numpy as np


def forward(_w, _u, _k, _v, **_):
    batch, steps, channels = _k.shape
    num, den = np.zeros((batch, channels)), np.zeros((batch, channels))
    exponent = np.full((batch, channels), np.float64(np.float32(-1e38)))
    y, saved = np.zeros(_k.shape), np.zeros((*_k.shape, 3))
    for t in range(steps):
        k, v = _k[:, t], _v[:, t]
        saved[:, t] = np.stack([num, den, exponent], axis=-1)
        top = np.maximum(exponent, _u + k)
        past, now = np.exp(exponent - top), np.exp(_u + k - top)
        y[:, t] = (past * num + now * v) / (past * den + now)
        top = np.maximum(_w + exponent, k)
        past, now = np.exp(_w + exponent - top), np.exp(k - top)
        num, den, exponent = past * num + now * v, past * den + now, top
    return {"_y": y, "_saved": saved}


def backward(_w, _u, _k, _v, _y, _saved, _gy, **_):
    """The chain rule on plain (unscaled) states; float64 has room for the exponentials of the test sizes."""
    batch, steps, channels = _k.shape
    scale = np.exp(_saved[..., 2])
    num, den = _saved[..., 0] * scale, _saved[..., 1] * scale
    gw, gu = np.zeros((batch, channels)), np.zeros((batch, channels))
    gk, gv = np.zeros(_k.shape), np.zeros(_k.shape)
    g_num, g_den = np.zeros((batch, channels)), np.zeros((batch, channels))
    for t in reversed(range(steps)):
        k, v, y = _k[:, t], _v[:, t], _y[:, t]
        gw += np.exp(_w) * (g_num * num[:, t] + g_den * den[:, t])
        q = _gy[:, t] / (den[:, t] + np.exp(_u + k))
        bonus = q * np.exp(_u + k) * (v - y)
        gu += bonus
        gk[:, t] = np.exp(k) * (g_num * v + g_den) + bonus
        gv[:, t] = np.exp(k) * g_num + q * np.exp(_u + k)
        g_num = np.exp(_w) * g_num + q
        g_den = np.exp(_w) * g_den - q * y
    return {"_gw": gw, "_gu": gu, "_gk": gk, "_gv": gv}
