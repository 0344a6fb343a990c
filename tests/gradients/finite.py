"""Differentiable functions of the seeds' emitted modules, against derivatives of the float64 references.

Used by the tests here, on the CPU machine, and by bench/device/gradients.py, on MLX's CUDA back end.
"""

import importlib.util
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from cu2mlx import seeds
from cu2mlx.runtime.inputs import Inputs, make_inputs
from cu2mlx.runtime.spec import Case, load_reference, load_spec
from cu2mlx.transpiler.binding.gradient import Gradient
from cu2mlx.transpiler.binding.gradient_match import match
from cu2mlx.transpiler.binding.gradient_table import gradient_request
from cu2mlx.transpiler.binding.interface import Role
from cu2mlx.transpiler.binding.module import emit_module
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import read_source

if TYPE_CHECKING:
    import mlx.core as mx

Array = np.ndarray[Any, np.dtype[Any]]
Arrays = Sequence[Array]
Loss = Callable[..., "mx.array"]

STEP = 1e-5  # of the central differences: they are off by about STEP², and by 1e-16 / STEP from rounding
# Against the largest element of a gradient. float32 keeps 1e-7 of each of up to a few hundred terms of a sum, and
# exponentials of the wkv states lose another digit; atomics add in any order.
TOLERANCE = 2e-5


@dataclass(frozen=True, slots=True)
class Seed:
    """A family with task.toml (forward) and backward.toml, which has the `[gradient]` table."""

    family: str
    sizes: tuple[Mapping[str, int], ...]  # few elements: each takes two runs of the reference
    large: Mapping[str, int]
    template: Mapping[str, int | bool]

    @property
    def folder(self) -> Path:
        return Path(seeds.__file__).parent / self.family


_CONV = (
    {"batch": 2, "dim": 3, "length": 7},
    {"batch": 1, "dim": 2, "length": 140},
    {"batch": 2, "dim": 1, "length": 2},
)
SEEDS = (
    Seed("layer_norm", ({"N": 3, "C": 5}, {"N": 4, "C": 33}, {"N": 2, "C": 260}), {"N": 512, "C": 1000}, {}),
    Seed("causal_conv1d", _CONV, {"batch": 4, "dim": 256, "length": 2000}, {"WIDTH": 4, "SILU": True}),
    Seed("causal_conv1d", _CONV[:1], {"batch": 4, "dim": 256, "length": 999}, {"WIDTH": 3, "SILU": False}),
    Seed("wkv", ({"B": 2, "T": 6, "C": 3}, {"B": 1, "T": 3, "C": 40}, {"B": 3, "T": 3, "C": 2}),
         {"B": 4, "T": 200, "C": 512}, {}),
)  # fmt: skip


@cache
def differentiable(folder: Path) -> tuple[Callable[..., "mx.array"], Gradient]:
    """The function that `cu2mlx translate SEED.cu --gradient backward.toml` writes, and what it is made of."""
    source = read_source(folder / f"{folder.name}.cu")
    interfaces = [k.interface for k in translate(source).kernels if k.interface is not None]
    by_name = {interface.name: interface for interface in interfaces}
    request = gradient_request("backward.toml", folder)
    gradient = match(by_name[request.forward], [by_name[name] for name in request.backward], request)
    assert isinstance(gradient, Gradient), gradient
    with tempfile.TemporaryDirectory() as made:
        path = Path(made) / f"{folder.name}_mlx.py"
        path.write_text(emit_module(interfaces, source.path, [gradient]), encoding="utf-8")
        found = importlib.util.spec_from_file_location(path.stem, path)
        assert found is not None and found.loader is not None
        module = importlib.util.module_from_spec(found)
        found.loader.exec_module(module)
    function: Callable[..., mx.array] = getattr(module, gradient.function)
    return function, gradient


@dataclass(frozen=True)
class Trial:
    """A loss of one seed at one size: sum(weight * output), or the same among MLX's own operations (`mixed`)."""

    seed: Seed
    sizes: Mapping[str, int]
    mixed: bool = False

    @cached_property
    def inputs(self) -> Inputs:
        spec = load_spec(self.seed.folder / "task.toml")
        return make_inputs(
            spec, Case("", tuple(self.sizes.items()), tuple(self.seed.template.items()), ()), seed=3
        )

    @property
    def gradient(self) -> Gradient:
        return differentiable(self.seed.folder)[1]

    @property
    def names(self) -> list[str]:
        """What is differentiated by."""
        return [parameter.name for parameter in self.gradient.differentiated]

    def start(self) -> list[Array]:
        """Where the gradient is taken: float32 numbers, as float64."""
        inputs = self.inputs
        return [inputs.buffers[name].astype(np.float64) for name in self.names]

    @cached_property
    def weight(self) -> Array:
        (output,) = self.gradient.returned
        shape = self.inputs.buffers[output.name].shape
        weight: Array = np.asarray(np.random.default_rng(5).normal(size=shape))
        return weight.astype(np.float32).astype(np.float64)

    def loss(self) -> Loss:
        """On MLX, of the differentiable function's array arguments."""
        import mlx.core as mx

        function, gradient = differentiable(self.seed.folder)
        scalars, weight = self.inputs.scalars, mx.array(self.weight.astype(np.float32))

        def loss(*arrays: mx.array) -> mx.array:
            given = dict(zip(self.names, self._before(arrays), strict=True)) | dict(scalars)
            order = [p.name for p in gradient.forward.parameters if p.role is not Role.OUT]
            made = function(*(given[name] for name in order), **self.seed.template)
            total: mx.array = self._after(mx, made, weight, arrays)
            return total

        return loss

    @cached_property
    def reference(self) -> Callable[..., Mapping[str, Array]]:
        found = load_reference(load_spec(self.seed.folder / "task.toml"))
        assert found is not None
        return found

    def value(self, arrays: Arrays) -> float:
        """The loss in float64, by the forward kernel's reference."""
        inputs = self.inputs.numbers() | dict(zip(self.names, self._before(arrays), strict=True))
        (output,) = self.gradient.returned
        return float(self._after(np, self.reference(**inputs)[output.name], self.weight, arrays))

    def _before(self, arrays: Sequence[Any]) -> list[Any]:
        return [0.9 * array for array in arrays] if self.mixed else list(arrays)

    def _after(self, library: Any, output: Any, weight: Any, arrays: Sequence[Any]) -> Any:
        if not self.mixed:
            return (weight * output).sum()
        return (weight * library.tanh(output)).sum() + sum((array * array).sum() for array in arrays)

    def differences(self) -> Iterator[Array]:
        """The gradient by each array, by central differences of `value`."""
        start = self.start()
        for place, array in enumerate(start):
            found = np.zeros(array.shape)
            for index in np.ndindex(array.shape):
                ends = []
                for step in (STEP, -STEP):
                    moved = array.copy()
                    moved[index] += step
                    ends.append(self.value([*start[:place], moved, *start[place + 1 :]]))
                found[index] = (ends[0] - ends[1]) / (2 * STEP)
            yield found

    def analytic(self) -> Iterator[Array]:
        """The same for large sizes, by the backward kernel's reference; not for `mixed`."""
        backward = load_reference(load_spec(self.seed.folder / "backward.toml"))
        assert backward is not None
        numbers = self.inputs.numbers()
        numbers.update(self.reference(**numbers))
        by_array = {use.gradient_of.name: use.parameter for use in self.gradient.uses if use.gradient_of}
        for use in self.gradient.uses:
            if use.cotangent_of:
                numbers[use.parameter.name] = self.weight
            elif use.gradient_of and use.parameter.role is not Role.OUT:
                numbers[use.parameter.name] = np.zeros(numbers[use.gradient_of.name].shape)
        found = backward(**numbers)
        for name, array in zip(self.names, self.start(), strict=True):
            made = found[by_array[name].name]
            yield made.sum(axis=tuple(range(made.ndim - array.ndim)))


def wrong(expected: Array, got: Array) -> str | None:
    """How a gradient differs; None where it does not."""
    if got.shape != expected.shape:
        return f"has shape {got.shape}, not {expected.shape}"
    error = float(np.abs(got - expected).max(initial=0.0)) / max(
        float(np.abs(expected).max(initial=0.0)), 1e-3
    )
    return None if error <= TOLERANCE else f"is off by {error:.1e} of its largest element"
