"""float64 references of the causal convolution, forward and backward."""

import numpy as np


def _linear(x, weight, bias):
    width = weight.shape[1]
    padded = np.pad(x, ((0, 0), (0, 0), (width - 1, 0)))
    length = x.shape[2]
    start = 0.0 if bias is None else bias[:, None]
    return start + sum(weight[:, w, None] * padded[:, :, w : w + length] for w in range(width))


def _sigmoid(v):
    return 1.0 / (1.0 + np.exp(-v))


def forward(x, weight, bias, SILU, **_):  # noqa: N803
    v = _linear(x, weight, bias)
    return {"out": v * _sigmoid(v) if SILU else v}


def backward(x, weight, bias, dout, dweight, dbias, SILU, **_):  # noqa: N803
    width, length = weight.shape[1], x.shape[2]
    grad = dout
    if SILU:
        v = _linear(x, weight, bias)
        grad = dout * _sigmoid(v) * (1.0 + v * (1.0 - _sigmoid(v)))
    after = np.pad(grad, ((0, 0), (0, 0), (0, width - 1)))
    before = np.pad(x, ((0, 0), (0, 0), (width - 1, 0)))
    dx = np.zeros(x.shape)
    dw = np.zeros(weight.shape)
    for w in range(width):
        shift = width - 1 - w
        dx += weight[:, w, None] * after[:, :, shift : shift + length]
        dw[:, w] = (grad * before[:, :, w : w + length]).sum(axis=(0, 2))
    return {"dx": dx, "dweight": dweight + dw, "dbias": dbias + grad.sum(axis=(0, 2))}
