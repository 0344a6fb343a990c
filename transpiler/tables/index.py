"""Where a thread is: CUDA's index variables, Metal's kernel attributes.

In Metal these are arguments of the kernel, so a helper that uses one is handed it by its caller.
"""

from typing import NamedTuple


class Index(NamedTuple):
    """`spelling` in MSL, with its MSL type; `attribute` says that only a kernel has it."""

    spelling: str
    type: str
    attribute: bool = True


INDEX: dict[str, Index] = {
    "threadIdx": Index("thread_position_in_threadgroup", "uint3"),
    "blockIdx": Index("threadgroup_position_in_grid", "uint3"),
    "blockDim": Index("threads_per_threadgroup", "uint3"),
    "gridDim": Index("threadgroups_per_grid", "uint3"),
    "warpSize": Index("32", "int", attribute=False),
}

LANE = Index("thread_index_in_simdgroup", "uint")

# What table spellings call these values: `{lane}`, `{thread}` …
HANDED: dict[str, Index] = {
    "thread": INDEX["threadIdx"],
    "group": INDEX["blockIdx"],
    "block": INDEX["blockDim"],
    "grid": INDEX["gridDim"],
    "lane": LANE,
    "index": Index("thread_index_in_threadgroup", "uint"),
    "simdgroup": Index("simdgroup_index_in_threadgroup", "uint"),
}
