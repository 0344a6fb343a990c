"""float64 references of decode attention: whole, split and combined."""

import numpy as np


def _partial(query, keys, values, scale):
    """Maximum, sum and unnormalised value of one head over some keys (-inf, 0 and 0 without any)."""
    if len(keys) == 0:
        return -np.inf, 0.0, np.zeros(query.shape)
    scores = scale * keys @ query
    weights = np.exp(scores - scores.max())
    return scores.max(), weights.sum(), weights @ values


def reference(q, k, v, lengths, scale, **_):
    out = np.zeros(q.shape)
    group = q.shape[1] // k.shape[1]
    for b, h in np.ndindex(q.shape[:2]):
        n = lengths[b]
        _, total, acc = _partial(q[b, h], k[b, h // group, :n], v[b, h // group, :n], scale)
        out[b, h] = acc / total if total > 0 else 0.0
    return {"out": out}


def split(q, k, v, partial_acc, lengths, scale, **_):
    splits, group = partial_acc.shape[2], q.shape[1] // k.shape[1]
    acc, ml = np.zeros(partial_acc.shape), np.zeros((*partial_acc.shape[:3], 2))
    for b, h, s in np.ndindex(partial_acc.shape[:3]):
        each = -(-lengths[b] // splits)
        keys = slice(min(s * each, lengths[b]), min((s + 1) * each, lengths[b]))
        m, total, value = _partial(q[b, h], k[b, h // group, keys], v[b, h // group, keys], scale)
        acc[b, h, s], ml[b, h, s] = value, (m, total)
    return {"partial_acc": acc, "partial_ml": ml}


def combine(partial_acc, partial_ml, **_):
    m, total = partial_ml[..., 0], partial_ml[..., 1]
    weight = np.exp(m - m.max(axis=1, keepdims=True))
    out = (weight[..., None] * partial_acc).sum(axis=1) / (weight * total).sum(axis=1)[:, None]
    return {"out": out}
