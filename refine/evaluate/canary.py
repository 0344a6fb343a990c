"""Whether a device notices what it should, before anything it says is believed."""

from dataclasses import replace

from cu2mlx.refine.evaluate.cascade import Device
from cu2mlx.refine.task import Task


def ghost_passes(task: Task, device: Device) -> bool:
    """Whether a kernel that does nothing gives the right results there: then what runs is not the candidate, or what
    is compared is not what it wrote."""
    return device.check(task, replace(task.seed, body=";\n", grid=(), block=())) is None
