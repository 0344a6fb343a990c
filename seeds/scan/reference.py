"""References of the block scan and of the offset pass."""

import numpy as np

BLOCK = 256


def reference(**args):
    values = args["in"]
    blocks = -(-values.size // BLOCK)
    padded = np.zeros(blocks * BLOCK, values.dtype)
    padded[: values.size] = values
    scanned = np.cumsum(padded.reshape(blocks, BLOCK), axis=1, dtype=values.dtype)
    found = {"out": scanned.reshape(-1)[: values.size], "block_sums": scanned[:, -1]}
    return found if args["block_sums"] is not None else {"out": found["out"]}


def offsets(data, scanned_sums, **_):
    block = np.arange(data.size) // BLOCK
    return {"data": data + np.where(block > 0, scanned_sums[block - 1], 0).astype(data.dtype)}
