"""What the emitted launcher can compute by itself, as Python expressions over the kernel's own parameters."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class LaunchDefaults:
    """Defaults found in host code; what is None or missing has to be passed by the caller, by name.

    `grid` and `block` are tuples of three, `shapes` (pure output → its shape) tuples, as Python text; `grid`
    may use `block` (a tuple) and the shape keywords of pure outputs. `grid_needs_block`: the grid was written
    for the default block: no default once the caller passes another one. `zeroed`: host code hands the
    pure outputs over filled with zeros. `template`: parameter → its value.
    """

    grid: str | None = None
    block: str | None = None
    shared: str | None = None
    grid_needs_block: bool = True
    shapes: Mapping[str, str] = field(default_factory=dict)
    zeroed: bool = False
    template: Mapping[str, str] = field(default_factory=dict)
