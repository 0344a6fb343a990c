"""Every seed's and golden's emitted module through MLX's own generator: the text we check is the one it makes."""

import struct
from functools import cache
from pathlib import Path

import pytest
from mlx_oracle import generated_by_mlx

from cu2mlx.transpiler.binding.generator import Instance, generated_source
from cu2mlx.transpiler.binding.interface import KernelInterface, Role
from cu2mlx.transpiler.binding.module import emit_module
from cu2mlx.transpiler.binding.names import python_names
from cu2mlx.transpiler.binding.signature import signature
from cu2mlx.transpiler.instance import default_instance
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import read_source
from tests.golden.test_golden_sources import SOURCES, translated

pytest.importorskip("mlx.core")

_SEEDS = sorted((Path(__file__).parents[2] / "seeds").glob("*/*.cu"))
_GOLDENS = SOURCES


def _dtype(name: str) -> str:
    return "mx.bool_" if name == "bool" else f"mx.{name}"


def _call(interface: KernelInterface, instance: Instance) -> str:
    """A call of the emitted function with zeros, the smallest grid and the instance's template values."""
    names = python_names(interface)
    arguments = []
    for parameter in interface.parameters:
        dtype = _dtype(str(instance.template.get(parameter.dtype, parameter.dtype)))
        if parameter.role is Role.SCALAR:
            arguments.append(f"mx.zeros((), {dtype})")
        elif parameter.role is not Role.OUT:
            size = struct.calcsize(parameter.layout) if parameter.layout else 192
            arguments.append(f"mx.zeros(({size},), {dtype})")
    for template in interface.template:
        value = instance.template[template.name]
        arguments.append(
            f"{names.parameters[template.name]}={_dtype(value) if isinstance(value, str) else value}"
        )
    arguments += [f"{shape}=(192,)" for shape in names.shapes.values()]
    if interface.dynamic_shared:
        arguments.append(f"shared_bytes={instance.template['dynamic_shared_bytes']}")
    return f"module['{names.function}']({', '.join([*arguments, 'grid=1', 'block=32'])})"


def _interfaces(path: Path) -> list[KernelInterface]:
    if path in _SEEDS:
        return [k.interface for k in translate(read_source(path)).kernels if k.interface is not None]
    outcome = translated(path, check=False)
    return [i for i in outcome.interfaces if len(signature(i).inputs) + len(signature(i).outputs) <= 31]


@cache
def _generated() -> dict[Path, list[tuple[str, str]]]:
    """For each source: (our text, MLX's text) of each kernel; MLX is asked once for all."""
    script = ""
    ours: dict[Path, list[str]] = {}
    for path in [*_SEEDS, *_GOLDENS]:
        interfaces = _interfaces(path)
        ours[path] = []
        if not interfaces:
            continue
        script += (
            f"\nmodule = {{'__name__': 'module'}}\nexec({emit_module(interfaces, path.name)!r}, module)\n"
        )
        for interface in interfaces:
            instance = default_instance(interface)
            script += f"\nexport(lambda _, module=module: {_call(interface, instance)}, mx.zeros(()))\n"
            ours[path].append(generated_source(interface, instance))
    theirs = iter(generated_by_mlx(script))
    return {path: [(text, next(theirs)) for text in texts] for path, texts in ours.items()}


@pytest.mark.parametrize("path", [*_SEEDS, *_GOLDENS], ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_mlx_generates_what_is_checked(path: Path) -> None:
    kernels = _generated()[path]
    assert kernels or path in _GOLDENS  # a golden may show refusals only
    differing = [
        ours for ours, theirs in kernels if ours != theirs
    ]  # pytest's diff of long texts takes minutes
    assert not differing, f"MLX generates another text than ours:\n{differing[0]}"
