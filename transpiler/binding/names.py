"""Python names of a kernel's parameters in the emitted module: CUDA's own, unless they are taken."""

import keyword
from dataclasses import dataclass

from cu2mlx.transpiler.binding.interface import KernelInterface, Role

# What the emitted functions use themselves.
_RESERVED = frozenset(
    {"mx", "math", "grid", "block", "shared_bytes", "init_value", "stream", "results"}
) | frozenset({"int", "float", "bool", "min", "max", "len", "tuple"})


# What a kernel's function must not hide: the module calls Python's own functions, and what it imports.
_MODULE_NAMES = frozenset(
    {"mx", "math", "os", "cache", "import_module", "Any", "NamedTuple", "Sequence", "Scalar", "Size", "Stream"}
) | frozenset(
    {"NotImplementedError", "ValueError", "all", "any", "bool", "dict", "enumerate", "float", "getattr", "int",
     "isinstance", "len", "list", "map", "max", "min", "property", "range", "str", "sum", "tuple", "type", "zip"}
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class PythonNames:
    """`parameters`: CUDA name → Python name, template ones included; `shapes`: pure output → keyword; `given`: nullable
    parameter → what says whether it is given, for a pure output the keyword with which it is asked for."""

    function: str
    parameters: dict[str, str]
    shapes: dict[str, str]
    given: dict[str, str]


def python_names(interface: KernelInterface) -> PythonNames:
    taken: set[str] = set(_RESERVED)
    named = [parameter.name for parameter in interface.parameters]
    named += [parameter.name for parameter in interface.template]
    parameters = {name: _free(name, taken) for name in named}
    shapes = {
        parameter.name: _free(f"{parameter.name}_shape", taken)
        for parameter in interface.parameters
        if parameter.role is Role.OUT
    }
    given = {
        each.name: parameters[each.name] if each.role is Role.OUT else _free(f"has_{each.name}", taken)
        for each in interface.parameters
        if each.nullable
    }
    function = _free(interface.name.replace("::", "_"), set(_MODULE_NAMES))
    return PythonNames(function, parameters, shapes, given)


def _free(name: str, taken: set[str]) -> str:
    """`name`, with underscores appended until Python and the names in `taken` (extended) leave it free.

    A leading underscore is the module's own namespace, so such names lose it.
    """
    name = name.lstrip("_") or "value"
    while keyword.iskeyword(name) or name in taken:
        name += "_"
    taken.add(name)
    return name
