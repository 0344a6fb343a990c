"""How deep the text of a kernel may nest: `a + b + …` and `else if` chains that a generator wrote, helpers that call
helpers. Python's own limit, which is for runaway recursion, is reached by a few hundred."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager

_CALLS = 6000  # within the smallest stack that a main thread has, 8 MB


@contextmanager
def deep() -> Iterator[None]:
    """Lets what is inside, or a function so decorated, recurse deeper."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _CALLS))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
