"""Gradients of the seeds' emitted functions on MLX's CUDA back end: python -m bench.device.gradients [--out FOLDER]

Each seed with a `[gradient]` table: small sizes against central differences of its float64 reference, by mx.grad
and by mx.grad inside mx.compile, alone and among MLX's own operations; a large size against the float64 reference of
the backward kernel; mx.vjp; and that mx.jvp, which no kernel has, says so. Writes gradients.json and gradients.md.
With CU2MLX_DEVICE=cpu it runs on the CPU machine, except what needs a graph.
"""

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np

from tests.gradients.finite import SEEDS, TOLERANCE, Array, Loss, Trial, wrong

ROOT = Path(__file__).resolve().parents[2]
Arrays = Sequence[mx.array]
Way = Callable[[Loss, Arrays], Arrays]


def by_grad(loss: Loss, arrays: Arrays) -> Arrays:
    return list(mx.grad(loss, argnums=list(range(len(arrays))))(*arrays))


def compiled(loss: Loss, arrays: Arrays) -> Arrays:
    return list(mx.compile(mx.grad(loss, argnums=list(range(len(arrays)))))(*arrays))


def by_vjp(loss: Loss, arrays: Arrays) -> Arrays:
    return list(mx.vjp(loss, list(arrays), [mx.array(1.0)])[1])


def runs(emulated: bool) -> Iterator[tuple[Trial, str, Way, Callable[[Trial], Iterator[Array]]]]:
    """Trial, what it is, how the gradient is asked for, and what it must be."""
    for seed in SEEDS:
        for sizes in seed.sizes:
            yield Trial(seed, sizes), "grad", by_grad, Trial.differences
        yield Trial(seed, seed.sizes[0]), "vjp", by_vjp, Trial.differences
        yield Trial(seed, seed.sizes[0], mixed=True), "grad among operations", by_grad, Trial.differences
        if not emulated:
            yield Trial(seed, seed.sizes[0]), "compile", compiled, Trial.differences
            yield (
                Trial(seed, seed.sizes[0], mixed=True),
                "compile among operations",
                compiled,
                Trial.differences,
            )
            yield Trial(seed, seed.large), "large, grad", by_grad, Trial.analytic
            yield Trial(seed, seed.large), "large, compile", compiled, Trial.analytic


def attempt(trial: Trial, way: Way, truth: Callable[[Trial], Iterator[Array]]) -> dict[str, Any]:
    """Whether every gradient is right; the worst error, and what is wrong."""
    arrays = [mx.array(array.astype(np.float32)) for array in trial.start()]
    try:
        made = [np.array(array, np.float64) for array in way(trial.loss(), arrays)]
    except (RuntimeError, ValueError, TypeError) as error:
        return {"right": False, "message": f"{type(error).__name__}: {error}"[:600]}
    problems = [
        f"{name} {text}"
        for name, got, expected in zip(trial.names, made, truth(trial), strict=True)
        if (text := wrong(expected, got)) is not None
    ]
    return {"right": not problems, "message": "; ".join(problems)}


def jvp_refuses(trial: Trial) -> dict[str, Any]:
    arrays = [mx.array(array.astype(np.float32)) for array in trial.start()]
    try:
        mx.eval(mx.jvp(trial.loss(), arrays, [mx.ones_like(array) for array in arrays]))
    except (RuntimeError, ValueError, NotImplementedError) as error:
        return {"right": True, "message": f"{type(error).__name__}: {error}"[:200]}
    return {"right": False, "message": "forward mode gave numbers without a rule for it"}


def row(trial: Trial, what: str, found: Mapping[str, Any]) -> dict[str, Any]:
    sizes = {**trial.sizes, **trial.seed.template}
    mark = "right" if found["right"] else f"WRONG: {found['message']}"
    print(f"{trial.seed.family} {sizes}, {what}: {mark}", flush=True)
    return {"seed": trial.seed.family, "sizes": sizes, "way": what, **found}


def markdown(record: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str:
    lines = ["# Gradients of emitted functions", ""]
    lines += [f"- {name}: {value}" for name, value in record.items()]
    lines += ["", "| seed | sizes | way | |", "|---|---|---|---|"]
    for each in rows:
        sizes = ", ".join(f"{name} {value}" for name, value in each["sizes"].items())
        mark = "right" if each["right"] else f"wrong: {each['message']}"
        lines.append(f"| {each['seed']} | {sizes} | {each['way']} | {mark} |")
    return "\n".join([*lines, ""])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "bench" / "results")
    options = parser.parse_args()
    emulated = os.environ.get("CU2MLX_DEVICE") == "cpu"
    name = "CPU machine" if emulated else str(mx.device_info().get("device_name", mx.default_device()))
    started = time.monotonic()
    rows = [row(t, what, attempt(t, way, truth)) for t, what, way, truth in runs(emulated)]
    if not emulated:
        first = [Trial(seed, seed.sizes[0]) for seed in SEEDS]
        rows += [row(trial, "jvp is refused", jvp_refuses(trial)) for trial in first]
    record: dict[str, Any] = {
        "command": f"python -m bench.device.gradients {' '.join(sys.argv[1:])}".strip(),
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "device": name,
        "mlx": version("mlx"),
        "python": platform.python_version(),
        "tolerance": f"{TOLERANCE} of a gradient's largest element",
        "right": f"{sum(each['right'] for each in rows)} of {len(rows)}",
        "seconds": round(time.monotonic() - started, 1),
    }
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "gradients.json").write_text(json.dumps({**record, "runs": rows}, indent=1) + "\n")
    (options.out / "gradients.md").write_text(markdown(record, rows))
    return int(not all(each["right"] for each in rows))


if __name__ == "__main__":
    sys.exit(main())
