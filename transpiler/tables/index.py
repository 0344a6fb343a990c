"""Where a thread is: CUDA's index variables, Metal's kernel attributes.

In Metal these are arguments of the kernel, so a helper that uses one is handed it by its caller.
"""

from typing import NamedTuple


class Index(NamedTuple):
    """One value of a thread's place. `placeholder` is what table spellings call it: `{lane}`."""

    cuda: str
    placeholder: str
    msl: str
    msl_type: str


INDEX = (
    Index("threadIdx", "thread", "thread_position_in_threadgroup", "uint3"),
    Index("blockIdx", "group", "threadgroup_position_in_grid", "uint3"),
    Index("blockDim", "block", "threads_per_threadgroup", "uint3"),
    Index("gridDim", "grid", "threadgroups_per_grid", "uint3"),
    Index("%laneid", "lane", "thread_index_in_simdgroup", "uint"),
    Index("%warpid", "simdgroup", "simdgroup_index_in_threadgroup", "uint"),
)

BY_CUDA = {index.cuda: index for index in INDEX}
HANDED = {index.placeholder: index.msl for index in INDEX}
