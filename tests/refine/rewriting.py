"""What the tests of rewrites share."""

import pytest

from cu2mlx.refine.candidate import Candidate
from cu2mlx.refine.propose.rewrites import Rewrite
from cu2mlx.runtime.cpu.executor import CpuExecutor

needs_compiler = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)
T = "thread_position_in_threadgroup.x"
SIZE = "threads_per_threadgroup.x"
BARRIER = "threadgroup_barrier(mem_flags::mem_threadgroup);"


def changed(rewrite: Rewrite, body: str, header: str = "") -> str:
    """A body after a rewrite."""
    return rewrite.apply(Candidate(header, body)).body


def words(text: str) -> str:
    return "".join(text.split())
