"""Kernels of one name: C++ overloads them, Metal and Python do not."""

from collections.abc import Sequence

from cu2mlx.transpiler.model.declarations import Declarations, Function
from cu2mlx.transpiler.model.launches import Launch


def emitted_names(kernels: Sequence[Function]) -> dict[Function, str]:
    """What each kernel is called in Metal and Python: its own name, `scale_2` for the second `scale`."""
    taken = {kernel.name for kernel in kernels}
    names: dict[Function, str] = {}
    given: set[str] = set()
    for kernel in kernels:
        name, number = kernel.name, 1
        while name in given or (number > 1 and name in taken):
            number += 1
            name = f"{kernel.name}_{number}"
        names[kernel] = name
        given.add(name)
    return names


def launches_of(kernel: Function, declared: Declarations, launches: Sequence[Launch]) -> list[Launch]:
    """The launches of a kernel's name; where several have it, those that pass as many arguments as it takes."""
    named = [launch for launch in launches if launch.kernel == kernel.name]
    if sum(each.is_kernel for each in declared.functions[kernel.name]) == 1:
        return named
    return [launch for launch in named if len(launch.arguments) == len(kernel.parameters)]
