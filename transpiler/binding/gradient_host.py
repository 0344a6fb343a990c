"""What host code says of numbers that two kernels call alike: `n` may count other things in the backward kernel."""

import re
from collections.abc import Iterator

from cu2mlx.transpiler.binding.gradient_names import is_gradient_name
from cu2mlx.transpiler.binding.interface import KernelInterface

_TOKEN = re.compile(r"\w+|\S")


def is_launched_otherwise(forward: KernelInterface, backward: KernelInterface, name: str, other: str) -> bool:
    """Whether host code launches the kernels with different numbers for parameters `name` and `other`.

    It does where no two launches are given alike expressions; sizes of a gradient and of what it is the gradient
    of are alike. False where one of the kernels has no launch in the file.
    """
    ours, theirs = list(_expressions(forward, name)), list(_expressions(backward, other))
    return bool(ours and theirs) and not any(_alike(one, each) for one in ours for each in theirs)


def _expressions(interface: KernelInterface, name: str) -> Iterator[list[str]]:
    """What each launch passes for a parameter, a host variable by its initialiser, in tokens."""
    place = [parameter.name for parameter in interface.parameters].index(name)
    for site in interface.launches:
        if len(site.arguments) == len(interface.parameters):
            text = site.arguments[place].strip()
            yield _TOKEN.findall(dict(site.locals).get(text, text))


def _alike(forward: list[str], backward: list[str]) -> bool:
    return len(forward) == len(backward) and all(
        one == other or is_gradient_name(other, one) for one, other in zip(forward, backward, strict=True)
    )
