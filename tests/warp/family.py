"""Families of rows: one CUDA kernel for many expressions, each with the value that CUDA defines for it.

Every thread has a value `v`, a lane of its own choice `a`, a segment width `w` and its warp's member mask `m`.
Row r of `out` holds the 32-bit results of expression r in every thread.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from cu2mlx.runtime.protocol import Executor
from tests.translated import CPU, Both, run_both

Array = np.ndarray[Any, Any]
LANES = 32


class Threads(NamedTuple):
    """The inputs as (blocks, threads of a block)."""

    v: Array
    a: Array
    w: Array
    m: Array

    @property
    def rank(self) -> Array:
        return np.broadcast_to(np.arange(self.v.shape[1]), self.v.shape)

    @property
    def lane(self) -> Array:
        return self.rank % LANES

    @property
    def member(self) -> Array:
        """Whether a thread is in its mask."""
        found: Array = (self.m >> self.lane) & 1 != 0
        return found


Truth = Callable[[Threads], Array]


class Family(NamedTuple):
    """`rows`: CUDA expression → its true value. `before` stands in front of them, `helpers` before the kernel.
    `only_members`: the rows stand in a branch that the lanes of the mask take; the others' results stay 0."""

    name: str
    threads: Threads
    rows: Mapping[str, Truth]
    before: str = ""
    helpers: str = ""
    only_members: bool = False


_KERNEL = """{helpers}
__global__ void k(const int *value, const int *choice, const int *width, const unsigned int *mask, unsigned int *out) {{
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  const int v = value[i], a = choice[i], w = width[i], lane = threadIdx.x & 31;
  const unsigned int m = mask[i];
  {branch}{{
{body}
  }}
}}
"""


def kernel(family: Family) -> str:
    """The CUDA text of a family."""
    lines = [f"    out[{row} * n + i] = {text};" for row, text in enumerate(family.rows)]
    return _KERNEL.format(
        helpers=family.helpers,
        branch="if (m >> lane & 1) " if family.only_members else "",
        body="\n".join([family.before, *lines]),
    )


def run(family: Family, on: tuple[Executor, Executor] = (CPU, CPU)) -> Both:
    """The original's and the translation's results, in `out`."""
    blocks, threads = family.threads.v.shape
    arguments = {
        "value": family.threads.v.astype(np.int32).ravel(),
        "choice": family.threads.a.astype(np.int32).ravel(),
        "width": family.threads.w.astype(np.int32).ravel(),
        "mask": family.threads.m.astype(np.uint32).ravel(),
        "out": np.zeros((len(family.rows), blocks * threads), np.uint32),
    }
    return run_both(kernel(family), arguments, threads, blocks, on=on)


def truths(family: Family) -> Array:
    """What `out` must hold."""
    expected = np.zeros((len(family.rows), *family.threads.v.shape), np.uint32)
    for row, truth in enumerate(family.rows.values()):
        expected[row] = bits(truth(family.threads))
    if family.only_members:
        expected[:, ~family.threads.member] = 0
    return expected.reshape(len(family.rows), -1)


def bits(values: Array) -> Array:
    """32-bit results as unsigned words."""
    if values.dtype == np.float32:
        return values.view(np.uint32)
    return (values.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)


def wrong(family: Family, found: Array) -> list[str]:
    """The rows whose results are not the true ones, with the first difference."""
    expected = truths(family)
    lines = []
    for text, ours, theirs in zip(family.rows, found, expected, strict=True):
        bad = np.flatnonzero(ours != theirs)
        if len(bad):
            first = bad[0]
            block, thread = divmod(int(first), family.threads.v.shape[1])
            lines.append(
                f"{text}: {len(bad)} wrong, first in block {block} thread {thread}: "
                f"{ours[first]:#x}, not {theirs[first]:#x}"
            )
    return lines


def masked_words(flags: Array) -> Array:
    """Flags (blocks, 32) as one word for each warp, in every lane."""
    words = (flags.astype(np.int64) << np.arange(LANES)).sum(1, keepdims=True)
    return np.broadcast_to(words, flags.shape)


def some_masks(count: int, seed: int) -> Array:
    """Member masks: full, single lanes, neighbours, both halves, every other, and random ones."""
    random = np.random.default_rng(seed)
    listed = [0xFFFFFFFF, 1, 1 << 31, 3, 0xC0000000, 0xFFFF, 0xFFFF0000, 0x55555555, 0xAAAAAAAA, 0x7FFFFFFF]
    listed += [int(word) for word in random.integers(1, 1 << 32, count - len(listed))]
    return np.array(listed, np.int64)


def warps(count: int, seed: int, a: Array | None = None, w: Array | None = None) -> Threads:
    """`count` warps, one a block, with random values, masks of `some_masks`, and `a` and `w` where given."""
    random = np.random.default_rng(seed)
    shape = (count, LANES)
    v = random.integers(-250, 250, shape)  # exact in every type
    masks = np.broadcast_to(some_masks(max(count, 10), seed)[:count, None], shape)
    filled = np.zeros(shape, int)
    return Threads(v, filled if a is None else a, filled + LANES if w is None else w, masks)
