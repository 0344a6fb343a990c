"""Which of refine/prompts/hardware describes the device at hand."""

import re
import sys

# What a prompt says of the hardware; the first is taken where nothing is known.
HARDWARE = ("apple-m1-m2", "apple-m3-m4", "apple-m5", "h200", "nvidia")
_OF_GENERATION = {1: HARDWARE[0], 2: HARDWARE[0], 3: HARDWARE[1], 4: HARDWARE[1], 5: HARDWARE[2]}


def document_for(device: str) -> str | None:
    """The document for a device's name ("Apple M3 Pro", "NVIDIA H200"), None for an unknown one.

    An Apple GPU that is newer than all documents gets the newest.
    """
    if match := re.match(r"Apple M(\d+)", device):
        return _OF_GENERATION.get(int(match[1]), HARDWARE[2])
    if "H200" in device:
        return "h200"
    return "nvidia" if "NVIDIA" in device or "GeForce" in device else None


def hardware_here() -> str:
    """For this machine's GPU, HARDWARE[0] where there is none."""
    name = _apple_gpu() if sys.platform == "darwin" else _nvidia_gpu()
    return (name and document_for(name)) or HARDWARE[0]


def _apple_gpu() -> str | None:
    import mlx.core as mx

    return str(mx.device_info().get("device_name", "")) if mx.metal.is_available() else None


def _nvidia_gpu() -> str | None:
    from cu2mlx.runtime.cuda.driver import NoDriverError, open_driver

    try:
        return open_driver().name
    except NoDriverError:
        return None
