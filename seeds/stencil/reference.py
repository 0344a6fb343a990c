"""float64 reference of the heat step."""

import numpy as np


def reference(cur, alpha, **_):
    if cur.size == 0:
        return {"next": cur}
    padded = np.pad(cur, 1, mode="edge")
    around = padded[:-2, 1:-1] + padded[2:, 1:-1] + padded[1:-1, :-2] + padded[1:-1, 2:]
    return {"next": cur + alpha * (around - 4.0 * cur)}
