"""Pairs of kernels of the development set as differentiable functions, on the CPU machine.

python bench/gradient_corpus.py --root DEVSET [--out FOLDER]

Each gradient against central differences of the function itself, in float32: exact but for rounding where the
function is linear between the two points, else off by about STEP². Writes gradients_corpus.md.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import mlx.core as mx
import numpy as np

from cu2mlx.transpiler.binding.gradient import Gradient, GradientRequest
from cu2mlx.transpiler.binding.gradient_match import match
from cu2mlx.transpiler.binding.module import emit_module
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import read_source

ROOT = Path(__file__).resolve().parents[1]
MMCV = "mmcv-2.2.0/mmcv-2.2.0/mmcv/ops/csrc"
GSPLAT = "gsplat-1.5.3/gsplat-1.5.3/gsplat/cuda"
Function = Callable[..., Any]
Result = tuple[mx.array, ...]


class Pair(NamedTuple):
    """A source below the development set, what is asked for, and the arrays to differentiate by, with the function
    that takes them."""

    source: str
    includes: tuple[str, ...]
    request: GradientRequest
    make: Callable[[Function, np.random.Generator], tuple[Function, list[mx.array]]]
    step: float


ASSIGN = GradientRequest(
    "assign_score_withk_forward_cuda_kernel",
    ("assign_score_withk_points_backward_cuda_kernel", "assign_score_withk_scores_backward_cuda_kernel"),
    parameters={"N": "N1"},
    constants=frozenset({"output"}),
)


def floats(rng: np.random.Generator, *shape: int) -> mx.array:
    return mx.array(rng.normal(size=shape).astype(np.float32))


def whole(rng: np.random.Generator, high: int, *shape: int) -> mx.array:
    return mx.array(rng.integers(0, high, shape).astype(np.int32))


def launch(*grid: int) -> dict[str, Any]:
    return {"grid": grid, "block": 256, "backward_grid": grid, "backward_block": 256}


def gather(f: Function, rng: np.random.Generator) -> tuple[Function, list[mx.array]]:
    idx = whole(rng, 7, 2, 5)
    return lambda points: f(2, 3, 7, 5, points, idx, out_shape=(2, 3, 5), **launch(1, 3, 2)), [
        floats(rng, 2, 3, 7)
    ]


def group(f: Function, rng: np.random.Generator) -> tuple[Function, list[mx.array]]:
    idx = whole(rng, 7, 2, 5, 4)
    shape = (2, 3, 5, 4)
    return lambda points: f(2, 3, 7, 5, 4, points, idx, out_shape=shape, **launch(1, 3, 2)), [
        floats(rng, 2, 3, 7)
    ]


def interpolate(f: Function, rng: np.random.Generator) -> tuple[Function, list[mx.array]]:
    idx, weight = whole(rng, 5, 2, 7, 3), floats(rng, 2, 7, 3)
    shape = (2, 3, 7)
    return lambda p: f(2, 3, 5, 7, p, idx, weight, out_shape=shape, **launch(1, 3, 2)), [floats(rng, 2, 3, 5)]


BOXES = mx.array(
    [[0, 1, 1, 5, 6], [1, 1.5, 2, 6.2, 6], [0, 2, 1.2, 6, 4]], mx.float32
)  # away from the border
POOLED = (3, 2, 2, 2)  # boxes, channels, rows, columns


def align(mode: int, f: Function, rng: np.random.Generator) -> tuple[Function, list[mx.array]]:
    shapes = {f"{name}_shape": POOLED for name in ("output", "argmax_y", "argmax_x")}
    numbers = (2, 2, 1.0, 2, mode, True, 2, 8, 8)
    return lambda x: f(24, x, BOXES, *numbers, **shapes, **launch(1)), [floats(rng, 2, 2, 8, 8)]


def deform(f: Function, rng: np.random.Generator) -> tuple[Function, list[mx.array]]:
    numbers = (2, 2, 1.0, 2, 0.1, 2, 8, 8)
    arrays = [floats(rng, 2, 2, 8, 8), floats(rng, 3, 2, 2, 2)]
    return lambda x, offset: f(24, x, BOXES, offset, *numbers, output_shape=POOLED, **launch(1)), arrays


def assign(f: Function, rng: np.random.Generator) -> tuple[Function, list[mx.array]]:
    batch, n0, n1, m, k, o = 2, 5, 4, 3, 2, 3
    idx = whole(rng, n0, batch, n1, k).astype(mx.int64)
    start = mx.zeros((batch, o, n1, k))  # the kernel adds to it
    run = {"grid": 2, "block": 256}
    for kernel in ASSIGN.backward:
        run |= {f"{kernel}_grid": 2, f"{kernel}_block": 256}
    arrays = [floats(rng, batch, n0, m, o), floats(rng, batch, n0, m, o), floats(rng, batch, n1, k, m)]
    return lambda p, c, s: f(batch, n0, n1, m, k, o, 0, p, c, s, idx, start, **run), arrays


def covariance(f: Function, rng: np.random.Generator) -> tuple[Function, list[mx.array]]:
    shapes = {
        "covars_shape": (3, 3, 3),
        "precis_shape": (3, 3, 3),
        "v_quats_shape": (3, 4),
        "v_scales_shape": (3, 3),
    }
    scales = mx.array(rng.uniform(0.7, 1.5, (3, 3)).astype(np.float32))
    return lambda quats, scales: f(3, quats, scales, False, **shapes, **launch(1)), [
        floats(rng, 3, 4),
        scales,
    ]


def mmcv(name: str, make: Any, step: float, **asked: Any) -> Pair:
    forward, backward = f"{name}_forward_cuda_kernel", f"{name}_backward_cuda_kernel"
    includes = (f"{MMCV}/common/cuda", f"{MMCV}/common")
    return Pair(
        f"{MMCV}/pytorch/cuda/{name}_cuda.cu",
        includes,
        GradientRequest(forward, (backward,), **asked),
        make,
        step,
    )


PAIRS = {
    "mmcv gather_points": mmcv("gather_points", gather, 0.1),
    "mmcv group_points": mmcv("group_points", group, 0.1),
    "mmcv three_interpolate": mmcv("three_interpolate", interpolate, 0.1, constants=frozenset({"weight"})),
    "mmcv roi_align, average": mmcv("roi_align", partial(align, 1), 0.01, constants=frozenset({"rois"})),
    "mmcv roi_align, maximum": mmcv("roi_align", partial(align, 0), 0.01, constants=frozenset({"rois"})),
    "mmcv deform_roi_pool": mmcv("deform_roi_pool", deform, 0.01, constants=frozenset({"rois"})),
    "mmcv assign_score_withk, two backward kernels": Pair(
        f"{MMCV}/pytorch/cuda/assign_score_withk_cuda.cu",
        (f"{MMCV}/common/cuda", f"{MMCV}/common"),
        ASSIGN,
        assign,
        0.02,
    ),
    "gsplat quat_scale_to_covar_preci": Pair(
        f"{GSPLAT}/csrc/QuatScaleToCovarCUDA.cu",
        (f"{GSPLAT}/include",),
        GradientRequest("quat_scale_to_covar_preci_fwd_kernel", ("quat_scale_to_covar_preci_bwd_kernel",)),
        covariance,
        0.002,
    ),
}
TOLERANCE = 1e-3  # of a gradient's largest element: float32 differences


def function_of(asked: Pair, root: Path) -> Function:
    """The differentiable function of the emitted module."""
    source = read_source(root / asked.source)
    found = translate(source, include_directories=[root / each for each in asked.includes])
    interfaces = {k.interface.name: k.interface for k in found.kernels if k.interface is not None}
    backward = [interfaces[name] for name in asked.request.backward]
    made = match(interfaces[asked.request.forward], backward, asked.request)
    assert isinstance(made, Gradient), made
    module = ModuleType("emitted")
    exec(
        compile(emit_module(list(interfaces.values()), source.path, [made]), "emitted", "exec"),
        module.__dict__,
    )
    function: Function = getattr(module, made.function)
    return function


def errors(function: Function, arrays: Sequence[mx.array], step: float) -> Iterator[float]:
    """By array, how far the gradient is from central differences, in units of its largest element."""

    def outputs(*given: mx.array) -> Result:
        made = function(*given)
        return made if isinstance(made, tuple) else (made,)

    rng = np.random.default_rng(1)
    weights = [floats(rng, *made.shape) for made in outputs(*arrays)]

    def loss(*given: mx.array) -> mx.array:
        return sum(((w * y).sum() for w, y in zip(weights, outputs(*given), strict=True)), mx.array(0.0))

    for place, array in enumerate(arrays):
        gradient = np.array(mx.grad(loss, argnums=place)(*arrays))
        differences = np.zeros(array.shape)
        for index in np.ndindex(array.shape):
            ends = []
            for move in (step, -step):
                moved = np.array(array)
                moved[index] += move
                ends.append(np.array(loss(*arrays[:place], mx.array(moved), *arrays[place + 1 :])))
            differences[index] = (ends[0] - ends[1]) / (2 * step)
        yield float(np.abs(gradient - differences).max() / np.abs(differences).max())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=ROOT / "bench" / "results")
    options = parser.parse_args()
    os.environ["CU2MLX_DEVICE"] = "cpu"
    lines = [
        "# Gradients of pairs of the development set",
        "",
        "- command: python bench/gradient_corpus.py --root DEVSET",
        f"- date: {time.strftime('%Y-%m-%d %H:%M UTC', time.gmtime())}",
        f"- device: CPU machine; mlx {version('mlx')}",
        "",
        "| pair | largest error by array, in units of the gradient's largest element |",
        "|---|---|",
    ]
    worst = 0.0
    for name, asked in PAIRS.items():
        function, arrays = asked.make(function_of(asked, options.root), np.random.default_rng(0))
        found = list(errors(function, arrays, asked.step))
        worst = max(worst, *found)
        lines.append(f"| {name} | {', '.join(f'{error:.0e}' for error in found)} |")
        print(lines[-1], flush=True)
    (options.out / "gradients_corpus.md").write_text("\n".join([*lines, ""]))
    return int(worst > TOLERANCE)


if __name__ == "__main__":
    sys.exit(main())
