"""What no honest kernel is faster than: the time that moving its data takes."""

from cu2mlx.refine.evaluate.device import TimedDevice
from cu2mlx.refine.task import Task
from cu2mlx.runtime.spec import resolve

UNCACHED = 128 << 20  # bytes of a case that no cache holds, so that its data comes from memory
MARGIN = 1.5  # times a copy's bandwidth: reading alone is faster than reading and writing


def least_seconds(task: Task, device: TimedDevice, uncached: int = UNCACHED) -> float:
    """Over the cases that are timed there, 0 where all of them fit a cache, or where the task says with
    `reads_all = false` that its kernel need not read every input. A copy is measured for it."""
    from cu2mlx.refine.arena import arena
    from cu2mlx.refine.roofline import moved_bytes

    if task.spec.optimize.get("reads_all", True) is not True:
        return 0.0
    moved = [moved_bytes(task, resolve(task.spec, case)) for case in task.timed or task.shown]
    large = sum(each for each in moved if each >= uncached)
    return large / (MARGIN * arena(device).copy_bandwidth()) if large else 0.0
