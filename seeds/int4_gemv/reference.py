"""float64 reference of the 4-bit matrix-vector product."""

import numpy as np


def reference(qweight, scales, zeros, x, group_size, **_):
    nibbles = (qweight[:, :, None] >> (4 * np.arange(8, dtype=np.uint32))) & 0xF
    q = nibbles.reshape(len(qweight), x.size).astype(np.float64)
    zero = np.repeat(zeros.astype(np.float64), group_size, axis=1)
    return {"y": ((q - zero) * np.repeat(scales, group_size, axis=1)) @ x}
