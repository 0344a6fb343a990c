"""The backward references are the derivatives of the forward ones: checked by central differences."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from cu2mlx import seeds
from cu2mlx.runtime.spec import load_reference, load_spec

Arrays = dict[str, Any]
Function = Callable[..., Mapping[str, np.ndarray]]


def reference_of(family: str, spec: str) -> Function:
    found = load_reference(load_spec(Path(seeds.__file__).parent / family / spec))
    assert found is not None
    return found


def numeric(forward: Function, output: str, inputs: Arrays, name: str, weight: np.ndarray) -> np.ndarray:
    """d sum(weight * output) / d inputs[name]."""
    gradient = np.zeros(inputs[name].shape)
    for index in np.ndindex(gradient.shape):
        ends = []
        for step in (1e-5, -1e-5):
            moved = inputs[name].copy()
            moved[index] += step
            ends.append((weight * forward(**(inputs | {name: moved}))[output]).sum())
        gradient[index] = (ends[0] - ends[1]) / 2e-5
    return gradient


@pytest.mark.parametrize("silu", [True, False])
def test_causal_conv1d(silu: bool) -> None:
    rng = np.random.default_rng(0)
    shapes = {"x": (2, 3, 6), "weight": (3, 4), "bias": (3,)}
    inputs: Arrays = {name: rng.normal(size=shape) for name, shape in shapes.items()} | {"SILU": silu}
    dout = rng.normal(size=(2, 3, 6))
    zeros = {"dweight": np.zeros((3, 4)), "dbias": np.zeros(3)}
    got = reference_of("causal_conv1d", "backward.toml")(**inputs, **zeros, dout=dout)
    forward = reference_of("causal_conv1d", "task.toml")
    for name in shapes:
        np.testing.assert_allclose(got[f"d{name}"], numeric(forward, "out", inputs, name, dout), atol=1e-8)


def test_layer_norm() -> None:
    rng = np.random.default_rng(0)
    inputs: Arrays = {
        "inp": rng.normal(size=(3, 5)),
        "weight": rng.normal(size=5),
        "bias": rng.normal(size=5),
    }
    inputs["eps"] = 1e-5
    forward = reference_of("layer_norm", "task.toml")
    dout, saved = rng.normal(size=(3, 5)), forward(**inputs)
    got = reference_of("layer_norm", "backward.toml")(
        **inputs, dout=dout, mean=saved["mean"], rstd=saved["rstd"], dweight=np.zeros(5), dbias=np.zeros(5)
    )
    for name in ("inp", "weight", "bias"):
        np.testing.assert_allclose(got[f"d{name}"], numeric(forward, "out", inputs, name, dout), atol=1e-8)


def test_wkv() -> None:
    rng = np.random.default_rng(0)
    inputs: Arrays = {"_k": rng.normal(size=(2, 5, 3)), "_v": rng.normal(size=(2, 5, 3))}
    inputs |= {"_w": -rng.uniform(0.1, 2, 3), "_u": rng.normal(size=3)}
    forward = reference_of("wkv", "task.toml")
    saved, gy = forward(**inputs), rng.normal(size=(2, 5, 3))
    with np.errstate(under="ignore"):
        got = reference_of("wkv", "backward.toml")(**inputs, **saved, _gy=gy)
    for name in ("_k", "_v", "_w", "_u"):
        analytic = got[f"_g{name[1:]}"]
        expected = numeric(forward, "_y", inputs, name, gy)
        np.testing.assert_allclose(
            analytic.sum(axis=0) if expected.ndim == 1 else analytic, expected, atol=1e-8
        )
