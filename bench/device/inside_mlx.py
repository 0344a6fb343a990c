"""Originals and translations as operations inside MLX: python bench/device/inside_mlx.py [--out FOLDER] [SPEC.toml…]

Both texts of each case of each seed, compiled by NVRTC, in one lazy graph of MLX's: their inputs come out of an
operation of MLX's, and what they make goes into one; once evaluated as it is, once as an mx.compile'd function.
Each side must give what the seed's float64 reference gives in numpy. Then a product of simdgroup matrices in half,
bfloat16 and float. Writes inside_mlx.json and inside_mlx.md.
"""

import argparse
import json
import multiprocessing
import platform
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np
from calls import array_of

from cu2mlx.runtime.compare import compare_outputs, render, tolerances
from cu2mlx.runtime.cuda.mlx_operation import Changed, Fresh, MlxOperation, unavailable
from cu2mlx.runtime.emulate import PREAMBLE
from cu2mlx.runtime.inputs import Inputs, make_inputs
from cu2mlx.runtime.protocol import KernelText, Launch, Value
from cu2mlx.runtime.spec import Case, Spec, load_reference, load_spec
from cu2mlx.runtime.verify.kernel import emitted_kernel, translation_of
from cu2mlx.runtime.verify.original import original_call
from cu2mlx.runtime.verify.packing import instance_of, pack, results
from cu2mlx.transpiler.source import read_source

ROOT = Path(__file__).resolve().parents[2]
Arrays = list[mx.array]
Graph = Callable[[Arrays], Arrays]
MATMUL = """#include <metal_simdgroup_matrix>
[[kernel]] void product(const device T* a [[buffer(0)]], const device T* b [[buffer(1)]],
                        device float* c [[buffer(2)]], uint3 group [[threadgroup_position_in_grid]]) {
  simdgroup_matrix<float, 8, 8> sum(0.0f);
  simdgroup_matrix<T, 8, 8> x, y;
  for (int k = 0; k < SIZE; k += 8) {
    simdgroup_load(x, a + group.y * 8 * SIZE + k, SIZE);
    simdgroup_load(y, b + k * SIZE + group.x * 8, SIZE);
    simdgroup_multiply_accumulate(sum, x, y, sum);
  }
  simdgroup_store(sum, c + group.y * 8 * SIZE + group.x * 8, SIZE);
}
"""


def passed_on(array: mx.array) -> mx.array:
    """The same elements out of an operation of MLX's own."""
    return mx.where(mx.array(True), array, mx.zeros_like(array)) if array.size else array


def original_graph(
    spec: Spec, inputs: Inputs, kernel: Any
) -> tuple[Graph, Arrays, Callable[[Arrays], dict[str, Any]]]:
    """The CUDA text as a graph of its buffers; what it takes; how to read what it makes."""
    call = original_call(kernel, inputs)
    names = {id(array): name for name, array in inputs.buffers.items()}
    buffers = [array_of(inputs, names[id(each)]) for each in call.arguments if not isinstance(each, Value)]

    def graph(arrays: Arrays) -> Arrays:
        given = iter(arrays)
        arguments = [each if isinstance(each, Value) else Changed(next(given)) for each in call.arguments]
        return MlxOperation(call.text)(arguments, inputs.launch)

    order = [names[id(each)] for each in call.arguments if not isinstance(each, Value)]

    def read(made: Arrays) -> dict[str, Any]:
        found = dict(zip(order, made, strict=True))
        return {
            name: _numpy(found[name]).reshape(inputs.buffers[name].shape)
            for name in spec.outputs
            if name in found
        }

    return graph, buffers, read


def translated_graph(
    spec: Spec, inputs: Inputs, kernel: Any, cuda: str
) -> tuple[Graph, Arrays, Callable[[Arrays], dict[str, Any]]]:
    """The same for the Metal text; buffers that it only writes are MLX's to allocate."""
    packed = pack(
        kernel.interface, instance_of(kernel.interface, inputs.resolved, cuda, narrow=False), inputs
    )
    fresh = {id(array) for buffer, array in packed.outputs.values() if buffer.parameter.role == "out"}
    buffers = [
        mx.array(each) for each in packed.arguments if not isinstance(each, Value) and id(each) not in fresh
    ]

    def graph(arrays: Arrays) -> Arrays:
        given = iter(arrays)
        arguments: list[Any] = []
        for each in packed.arguments:
            if isinstance(each, Value):
                arguments.append(each)
            elif id(each) in fresh:
                arguments.append(Fresh(each.shape, mx.uint8))
            else:
                arguments.append(Changed(next(given)) if each.flags.writeable else next(given))
        text = KernelText("msl", PREAMBLE + packed.text, packed.entry)
        return MlxOperation(text)(arguments, Launch(inputs.launch.grid, inputs.launch.block))

    def read(made: Arrays) -> dict[str, Any]:
        for (_, array), output in zip(packed.outputs.values(), made, strict=True):
            array[...] = _numpy(output)
        return results(packed, inputs, True)[0]

    return graph, buffers, read


def _numpy(array: mx.array) -> "np.ndarray[Any, Any]":
    return np.array(array.view(mx.uint16) if array.dtype == mx.bfloat16 else array)


def problem(spec: Spec, case: Case, *, compiled: bool) -> str | None:
    """How either side differs from the reference, both made in one graph; None where neither does."""
    inputs = make_inputs(spec, case, seed=1)
    if 0 in inputs.launch.grid:
        return None
    source = read_source(Path(spec.path).with_name(str(spec.source)))
    template = tuple((n, str(v).lower() if isinstance(v, bool) else str(v)) for n, v in case.template)
    asked = (source, spec.kernel, (), tuple(case.defines), "refuse", template)
    kernel = emitted_kernel(*asked)
    assert kernel is not None, "the seeds translate"
    sides = (
        original_graph(spec, inputs.copy(), kernel),
        translated_graph(spec, inputs, kernel, translation_of(*asked).unit.text),
    )
    counts = [len(buffers) for _, buffers, _ in sides]

    def both(*arrays: mx.array) -> list[Arrays]:
        first, second = (
            [passed_on(a) for a in arrays[: counts[0]]],
            [passed_on(a) for a in arrays[counts[0] :]],
        )
        return [
            [passed_on(a) for a in graph(given)]
            for (graph, _, _), given in zip(sides, (first, second), strict=True)
        ]

    given = [array for _, buffers, _ in sides for array in buffers]
    made = (mx.compile(both) if compiled else both)(*given)
    mx.eval(made)
    reference = load_reference(spec)
    assert reference is not None
    expected = reference(**inputs.numbers())
    allowed = tolerances(spec, inputs.dtypes)
    for side, (_, _, read), arrays in zip(("original", "translation"), sides, made, strict=True):
        comparison = compare_outputs(expected, read(arrays), inputs.dtypes, allowed)
        if not comparison.same:
            return f"{side}: {render(comparison)}"
    return None


def matrices(name: str, dtype: mx.Dtype) -> str | None:
    """simdgroup_matrix, emulated with shuffles, against float64 (MLX's own float32 product is in TF32 there)."""
    size = 64
    text = PREAMBLE + MATMUL.replace("SIZE", str(size)).replace("T*", f"{name}*").replace("<T,", f"<{name},")
    a, b = (mx.random.normal((size, size)).astype(dtype) for _ in range(2))
    launch = Launch((size // 8, size // 8, 1), (32, 1, 1))
    (c,) = MlxOperation(KernelText("msl", text, "product"))([a, b, Fresh((size, size), mx.float32)], launch)
    factors = [np.array(each.astype(mx.float32)).astype(np.float64) for each in (a, b)]
    error = mx.max(mx.abs(c - mx.array((factors[0] @ factors[1]).astype(np.float32)))).item()
    return None if isinstance(error, float) and error < 1e-3 else f"largest error {error}"


def rows_of(path: Path) -> list[dict[str, Any]]:
    """Every case of a spec, lazily and compiled."""
    spec = load_spec(path)
    return [
        {
            "spec": f"{path.parent.name}/{path.name}",
            "case": case.name,
            "way": way,
            "wrong": attempt(partial(problem, spec, case, compiled=way == "compile")),
        }
        for case in spec.cases
        for way in ("lazy", "compile")
    ]


def attempt(run: Callable[[], str | None]) -> str | None:
    try:
        return run()
    except (AssertionError, RuntimeError, ValueError, TypeError, KeyError) as error:
        return f"{type(error).__name__}: {error}"[:1500]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("specs", nargs="*", type=Path)
    parser.add_argument("--out", type=Path, default=ROOT / "bench" / "results")
    parser.add_argument("--jobs", type=int, default=4)
    options = parser.parse_args()
    reason = unavailable()
    if reason is not None:
        print(reason)
        return 3
    started = time.monotonic()
    rows: list[dict[str, Any]] = []
    paths = options.specs or sorted((ROOT / "seeds").glob("*/*.toml"))
    with ProcessPoolExecutor(options.jobs, multiprocessing.get_context("spawn")) as pool:
        for found in pool.map(rows_of, paths):
            rows += found
            for row in found:
                if row["wrong"]:
                    print(f"{row['spec']}, {row['case']}, {row['way']}: {row['wrong'][:600]}", flush=True)
    for name, dtype in (("half", mx.float16), ("bfloat", mx.bfloat16), ("float", mx.float32)):
        rows.append(
            {
                "spec": "simdgroup_matrix",
                "case": name,
                "way": "lazy",
                "wrong": attempt(partial(matrices, name, dtype)),
            }
        )
    record = {
        "command": f"python bench/device/inside_mlx.py {' '.join(sys.argv[1:])}".strip(),
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "device": str(mx.device_info().get("device_name", mx.default_device())),
        "mlx": version("mlx"),
        "python": platform.python_version(),
        "seconds": round(time.monotonic() - started, 1),
    }
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "inside_mlx.json").write_text(json.dumps({**record, "runs": rows}, indent=1) + "\n")
    (options.out / "inside_mlx.md").write_text(markdown(record, rows))
    print(f"{sum(row['wrong'] is None for row in rows)} of {len(rows)} right, {record['seconds']} s")
    return int(any(row["wrong"] for row in rows))


def markdown(record: Mapping[str, Any], rows: list[dict[str, Any]]) -> str:
    lines = ["# Both texts inside one graph of MLX's, against numpy", ""]
    lines += [f"- {name}: {value}" for name, value in record.items()]
    lines += ["", "| spec | runs | right |", "|---|---|---|"]
    for spec in dict.fromkeys(row["spec"] for row in rows):
        runs = [row for row in rows if row["spec"] == spec]
        lines.append(f"| {spec} | {len(runs)} | {sum(row['wrong'] is None for row in runs)} |")
    lines += ["", "## What is not right", ""]
    lines += [
        f"- {r['spec']}, {r['case']}, {r['way']}: {' '.join(r['wrong'].split())[:300]}"
        for r in rows
        if r["wrong"]
    ]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.exit(main())
