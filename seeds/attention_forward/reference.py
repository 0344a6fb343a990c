"""float64 reference of attention forward."""

import numpy as np


def reference(Q, K, V, q_len, k_len, scale, CAUSAL, **_):  # noqa: N803
    scores = scale * Q @ K.transpose(0, 2, 1)
    if CAUSAL:
        last = np.arange(q_len)[:, None] + (k_len - q_len)
        scores = np.where(np.arange(k_len) <= last, scores, -np.inf)
    largest = scores.max(axis=-1, keepdims=True, initial=-np.inf)
    keys = np.isfinite(largest)  # a causal row may have none: it gives 0
    weights = np.exp(scores - np.where(keys, largest, 0.0))
    total = np.where(keys, weights.sum(axis=-1, keepdims=True), 1.0)
    return {"O": weights / total @ V, "lse": (largest + np.log(total))[..., 0]}
