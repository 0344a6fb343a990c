"""One search at a time uses this machine's device; others wait."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cu2mlx.runtime.cpu.compiler import cache_folder


@contextmanager
def device_lock(folder: Path | None = None) -> Iterator[None]:
    """Holds `device.lock` in the cache folder, across processes; the system frees it when its holder dies."""
    path = (folder or cache_folder()) / "device.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
