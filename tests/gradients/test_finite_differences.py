"""Gradients of the seeds' emitted functions on the CPU machine, against finite differences in float64."""

from collections.abc import Callable, Sequence

import numpy as np
import pytest

mx = pytest.importorskip("mlx.core")

from cu2mlx.runtime.cpu.executor import CpuExecutor  # noqa: E402
from tests.gradients.finite import SEEDS, Array, Loss, Trial, wrong  # noqa: E402

pytestmark = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)

TRIALS = [Trial(seed, sizes) for seed in SEEDS for sizes in seed.sizes]
TRIALS += [Trial(seed, seed.sizes[0], mixed=True) for seed in SEEDS]


def by_grad(loss: Loss, arrays: Sequence["mx.array"]) -> Sequence["mx.array"]:
    return mx.grad(loss, argnums=list(range(len(arrays))))(*arrays)


def by_value_and_grad(loss: Loss, arrays: Sequence["mx.array"]) -> Sequence["mx.array"]:
    return mx.value_and_grad(loss, argnums=list(range(len(arrays))))(*arrays)[1]


def by_vjp(loss: Loss, arrays: Sequence["mx.array"]) -> Sequence["mx.array"]:
    return mx.vjp(loss, list(arrays), [mx.array(1.0)])[1]


def one_by_one(loss: Loss, arrays: Sequence["mx.array"]) -> Sequence["mx.array"]:
    return [mx.grad(loss, argnums=place)(*arrays) for place in range(len(arrays))]


@pytest.fixture(autouse=True)
def _on_cpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CU2MLX_DEVICE", "cpu")


def label(item: object) -> str:
    if not isinstance(item, Trial):
        return getattr(item, "__name__", "")
    sizes = ",".join(f"{name}{value}" for name, value in {**item.sizes, **item.seed.template}.items())
    return f"{item.seed.family}-{sizes}{'-mixed' if item.mixed else ''}"


def check(trial: Trial, way: Callable[..., Sequence["mx.array"]], expected: Sequence[Array]) -> None:
    arrays = [mx.array(array.astype(np.float32)) for array in trial.start()]
    for name, gradient, right in zip(trial.names, way(trial.loss(), arrays), expected, strict=True):
        assert wrong(right, np.array(gradient, np.float64)) is None, name


@pytest.mark.parametrize("trial", TRIALS, ids=label)
def test_gradient(trial: Trial) -> None:
    expected = list(trial.differences())
    assert all(np.abs(array).max() > 0.01 for array in expected)
    check(trial, by_grad, expected)


@pytest.mark.parametrize("way", [by_value_and_grad, by_vjp, one_by_one])
@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.family)
def test_ways(seed: object, way: Callable[..., Sequence["mx.array"]]) -> None:
    trial = next(each for each in TRIALS if each.seed is seed)
    check(trial, way, list(trial.differences()))


@pytest.mark.parametrize("seed", SEEDS, ids=lambda seed: seed.family)
def test_the_backward_reference_agrees(seed: object) -> None:
    """What the device run compares large sizes with."""
    trial = next(each for each in TRIALS if each.seed is seed)
    for analytic, difference in zip(trial.analytic(), trial.differences(), strict=True):
        np.testing.assert_allclose(analytic, difference, rtol=1e-6, atol=1e-7)


def test_the_value_is_the_kernel_s() -> None:
    for trial in TRIALS:
        arrays = [mx.array(array.astype(np.float32)) for array in trial.start()]
        assert np.isclose(trial.loss()(*arrays).item(), trial.value(trial.start()), rtol=1e-4, atol=1e-4)
