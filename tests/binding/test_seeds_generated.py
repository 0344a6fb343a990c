"""Every seed's emitted module through MLX's own generator: its text is the one that we check and run."""

from functools import cache
from pathlib import Path

import pytest
from mlx_oracle import generated_by_mlx

from cu2mlx.transpiler.binding.generator import Instance, generated_source
from cu2mlx.transpiler.binding.interface import KernelInterface, Role
from cu2mlx.transpiler.binding.module import emit_module
from cu2mlx.transpiler.binding.names import python_names
from cu2mlx.transpiler.instance import default_instance
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import read_source

pytest.importorskip("mlx.core")

_SEEDS = sorted((Path(__file__).parents[2] / "seeds").glob("*/*.cu"))


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
            arguments.append(f"mx.zeros((64,), {dtype})")
    for template in interface.template:
        value = instance.template[template.name]
        arguments.append(
            f"{names.parameters[template.name]}={_dtype(value) if isinstance(value, str) else value}"
        )
    arguments += [f"{shape}=(64,)" for shape in names.shapes.values()]
    if interface.dynamic_shared:
        arguments.append(f"shared_bytes={instance.template['dynamic_shared_bytes']}")
    return f"{names.function}({', '.join([*arguments, 'grid=1', 'block=32'])})"


@cache
def _generated() -> dict[str, list[tuple[str, str]]]:
    """For each seed: (our text, MLX's text) of each kernel; MLX is asked once for all."""
    script = ""
    ours: dict[str, list[str]] = {}
    for seed in _SEEDS:
        interfaces = [k.interface for k in translate(read_source(seed)).kernels if k.interface is not None]
        script += emit_module(interfaces, seed.name)
        ours[seed.stem] = []
        for interface in interfaces:
            instance = default_instance(interface)
            script += f"\nexport(lambda _: {_call(interface, instance)}, mx.zeros(()))\n"
            ours[seed.stem].append(generated_source(interface, instance))
    theirs = iter(generated_by_mlx(script))
    return {seed: [(text, next(theirs)) for text in texts] for seed, texts in ours.items()}


@pytest.mark.parametrize("seed", _SEEDS, ids=lambda seed: seed.stem)
def test_seed(seed: Path) -> None:
    kernels = _generated()[seed.stem]
    assert kernels
    for ours, theirs in kernels:
        assert ours == theirs
