"""Emitted modules called with a spec's inputs: what a user would write, put together from the interface."""

import importlib.util
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from cu2mlx.runtime.inputs import Inputs, make_inputs
from cu2mlx.runtime.spec import Case, ResolvedScalar, Spec
from cu2mlx.runtime.verify.packing import instance_of
from cu2mlx.transpiler.binding.interface import KernelInterface, Role
from cu2mlx.transpiler.binding.module import emit_module
from cu2mlx.transpiler.binding.names import python_names
from cu2mlx.transpiler.binding.signature import OUTPUT_ROLES
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import read_source

if TYPE_CHECKING:
    import mlx.core as mx

Prepare = Callable[["mx.array"], "mx.array"]


@dataclass(frozen=True, slots=True)
class EmittedCall:
    """A function of an emitted module with all its arguments. `positional` may hold arrays and numbers; the
    returned arrays are those of `outputs`, in that order, without those that are null."""

    function: Callable[..., Any]
    positional: tuple[Any, ...]
    keywords: Mapping[str, Any]
    outputs: tuple[str, ...]
    inputs: Inputs

    def __call__(self, prepare: Prepare | None = None, **more: Any) -> "list[mx.array]":
        """The outputs. `prepare` changes each array argument first."""
        import mlx.core as mx

        positional = [
            prepare(each) if prepare is not None and isinstance(each, mx.array) else each
            for each in self.positional
        ]
        return self.run(positional, **more)

    def run(self, positional: "list[Any]", **more: Any) -> "list[mx.array]":
        made = self.function(*positional, **self.keywords, **more)
        return [each for each in (made if isinstance(made, tuple | list) else [made]) if each is not None]


def emitted(spec: Spec) -> tuple[ModuleType, KernelInterface]:
    """The module that `cu2mlx translate` writes for a spec's source, imported, and its kernel's interface."""
    assert spec.source is not None
    source = Path(spec.path).with_name(spec.source)
    interfaces = [k.interface for k in translate(read_source(source)).kernels if k.interface is not None]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{source.stem}_mlx.py"
        path.write_text(emit_module(interfaces, source.name), encoding="utf-8")
        found = importlib.util.spec_from_file_location(path.stem, path)
        assert found is not None and found.loader is not None
        module = importlib.util.module_from_spec(found)
        found.loader.exec_module(module)
    return module, next(each for each in interfaces if each.name == spec.kernel)


def call_of(spec: Spec, case: Case, module: ModuleType, interface: KernelInterface) -> EmittedCall:
    """One case as a call."""
    import mlx.core as mx

    inputs = make_inputs(spec, case, seed=1)
    instance = instance_of(interface, inputs.resolved, "", narrow=False)
    names = python_names(interface)
    numbers = {each.name: each for each in inputs.resolved.arguments if isinstance(each, ResolvedScalar)}
    null = inputs.resolved.null
    positional: list[Any] = []
    keywords: dict[str, Any] = {"grid": inputs.launch.grid, "block": inputs.launch.block}
    for parameter in interface.parameters:
        if parameter.name in numbers:
            positional.append(numbers[parameter.name].values[0])
        elif parameter.role is Role.OUT and parameter.name in null:
            keywords[names.given[parameter.name]] = False
        elif parameter.role is Role.OUT:
            keywords[names.shapes[parameter.name]] = _shape(inputs, parameter.name, parameter.lanes)
        else:
            positional.append(None if parameter.name in null else array_of(inputs, parameter.name))
    for each in interface.template:
        value = instance.template[each.name]
        keywords[names.parameters[each.name]] = getattr(mx, value) if isinstance(value, str) else value
    if interface.dynamic_shared:
        keywords["shared_bytes"] = inputs.launch.shared_bytes
    outputs = tuple(p.name for p in interface.parameters if p.role in OUTPUT_ROLES and p.name not in null)
    function = getattr(module, names.function)
    return EmittedCall(function, tuple(positional), keywords, outputs, inputs)


def _shape(inputs: Inputs, name: str, lanes: int) -> tuple[int, ...]:
    return inputs.buffers[name].shape


def array_of(inputs: Inputs, name: str) -> "mx.array":
    """A buffer as MLX has it."""
    import mlx.core as mx

    array = mx.array(inputs.buffers[name])
    return array.view(mx.bfloat16) if inputs.dtypes[name] == "bfloat16" else array
