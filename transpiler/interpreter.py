"""What a translation asks of Python: to recurse as deep as a text nests, and not to look for garbage meanwhile."""

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# Python's own limit, which is for runaway recursion, is reached by a few hundred terms of `a + b + …`, branches of an
# `else if` chain or helpers that call helpers. This one keeps within 8 MB, the smallest stack that a main thread has.
_CALLS = 6000


@contextmanager
def translating() -> Iterator[None]:
    """Around a translation, also as a decorator of what translates.

    The nodes of a tree hold each other: the garbage collector would go through all of them several times while
    they are made, and find nothing.
    """
    limit, collects = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(max(limit, _CALLS))
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if collects:
            gc.enable()
