"""float64 reference of the tanh-approximated GELU."""

import numpy as np


def reference(x, **_):
    inner = np.sqrt(2.0 / np.pi) * (x + 0.044715 * x**3)
    return {"y": 0.5 * x * (1.0 + np.tanh(inner))}
