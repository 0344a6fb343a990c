"""Chooses the template values under which a kernel is checked: asked for, launched with, or plain defaults."""

from cu2mlx.transpiler.binding.generator import Instance
from cu2mlx.transpiler.binding.interface import KernelInterface, TemplateParameter
from cu2mlx.transpiler.binding.signature import nullable_constants
from cu2mlx.transpiler.tables.types import TYPES

_DEFAULT_INT = 4
_DEFAULT_SHARED_BYTES = 4096


def default_instance(interface: KernelInterface, asked: tuple[str, ...] = ()) -> Instance:
    """Values for every template parameter: `asked` (CUDA spellings, in order), then what the file gives it, then
    the parameter's own default, then float32, 4 or false. Arrays that may be left out are given."""
    template: dict[str, str | int | bool] = {}
    asked = tuple(each for place, each in enumerate(asked) if place not in interface.fixed)
    for index, parameter in enumerate(interface.template):
        spellings = [asked[index]] if index < len(asked) else []
        spellings.extend(each for each in (parameter.example, parameter.default) if each is not None)
        template[parameter.name] = _value(parameter, spellings)
    if interface.dynamic_shared:
        template["dynamic_shared_bytes"] = _DEFAULT_SHARED_BYTES
    return Instance(template | nullable_constants(interface.parameters))


def _value(parameter: TemplateParameter, spellings: list[str]) -> str | int | bool:
    for spelling in spellings:
        if parameter.kind == "type":
            row = TYPES.get(spelling.strip())
            dtype = row.dtype if row is not None and row.lanes == 1 else None
            if dtype is None and row is not None and row.narrowed == "float":
                dtype = "float32"
            if dtype is not None:
                return dtype
        elif spelling.strip() in ("true", "false"):
            return spelling.strip() == "true"
        elif spelling.strip().lstrip("-").isdigit():
            return int(spelling)
    if parameter.kind == "type":
        return "float32"
    return False if parameter.kind == "bool" else _DEFAULT_INT
