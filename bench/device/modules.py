"""Each seed's emitted module on MLX's CUDA back end, unmodified: python bench/device/modules.py [--out FOLDER]

Every case of every spec: lazily, in mx.compile among other operations, with non-contiguous arrays, on two streams
at once; zero-size cases are among the specs' own; kernels with a type parameter twice in one graph with different
dtypes. What must come out is the seed's float64 reference in numpy. Each spec runs in a process of its own, so
that a crash is one run's result. Writes modules.json and modules.md.
With CU2MLX_DEVICE=cpu it runs on the CPU machine, except what needs a graph.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import mlx.core as mx
import numpy as np
from calls import EmittedCall, call_of, emitted

from cu2mlx.runtime.compare import compare_outputs, render, tolerances
from cu2mlx.runtime.spec import Spec, load_reference, load_spec

ROOT = Path(__file__).resolve().parents[2]
Arrays = list[mx.array]


def lazily(call: EmittedCall) -> Arrays:
    return call()


def compiled(call: EmittedCall) -> Arrays:
    """The kernel between MLX's own operations, all in one compiled function."""
    places = [i for i, each in enumerate(call.positional) if isinstance(each, mx.array)]

    def body(*arrays: mx.array) -> Arrays:
        positional = list(call.positional)
        for place, array in zip(places, arrays, strict=True):
            positional[place] = kept(array)
        return [kept(each) for each in call.run(positional)]

    return list(mx.compile(body)(*(call.positional[place] for place in places)))


def kept(array: mx.array) -> mx.array:
    """The same array from an operation of MLX's; not for a zero-size one, see zero_size.py."""
    return mx.where(mx.array(True), array, mx.zeros_like(array)) if array.size else array


def strided(call: EmittedCall) -> Arrays:
    """Array arguments that are every other element of something larger."""

    def prepare(array: mx.array) -> mx.array:
        if array.size == 0 or array.ndim == 0:
            return array
        return mx.stack([array, mx.zeros_like(array)], axis=-1)[..., 0]

    return call(prepare)


def two_streams(call: EmittedCall) -> Arrays:
    """Twice at once, on two streams of the device."""
    device = mx.default_device()
    first = call(stream=mx.new_stream(device))
    second = call(stream=mx.new_stream(device))
    mx.eval(first, second)
    for one, other in zip(first, second, strict=True):
        if bits(one) != bits(other) and not mx.allclose(one, other, rtol=1e-5, atol=1e-5, equal_nan=True):
            raise AssertionError("the two streams differ")
    return second


WAYS: Mapping[str, Callable[[EmittedCall], Arrays]] = {
    "lazy": lazily,
    "compile": compiled,
    "non-contiguous": strided,
    "two streams": two_streams,
}


def bits(array: mx.array) -> bytes:
    return to_numpy(array).tobytes()


def to_numpy(array: mx.array) -> "np.ndarray[Any, Any]":
    return np.array(array.view(mx.uint16) if array.dtype == mx.bfloat16 else array)


def problem(spec: Spec, call: EmittedCall, made: Arrays) -> str | None:
    """How the outputs differ from the reference; None where they do not."""
    reference = load_reference(spec)
    assert reference is not None
    expected = reference(**call.inputs.numbers())
    shapes = {name: call.inputs.buffers[name].shape for name in call.outputs}
    got = {
        name: to_numpy(array).reshape(shapes[name]) for name, array in zip(call.outputs, made, strict=True)
    }
    dtypes = call.inputs.dtypes
    comparison = compare_outputs(expected, got, dtypes, tolerances(spec, dtypes))
    return None if comparison.same else render(comparison)


def plans(spec: Spec, ways: Sequence[str]) -> Iterator[tuple[str, str, Callable[[], str | None]]]:
    """Case, way, and what runs it and says how it went wrong."""
    module, interface = emitted(spec)
    calls = {case.name: call_of(spec, case, module, interface) for case in spec.cases}
    for case, call in calls.items():
        for way in ways:
            yield case, way, partial(problem_of, spec, call, way)
    types = [each.name for each in interface.template if each.kind == "type"]
    kinds = {tuple(str(c.keywords[t]) for t in types): c for c in calls.values() if types}
    if len(kinds) > 1:
        yield "two dtypes in one graph", "lazy", partial(mixed, spec, list(kinds.values()))


def problem_of(spec: Spec, call: EmittedCall, way: str) -> str | None:
    return problem(spec, call, WAYS[way](call))


def serve(path: Path, ways: Sequence[str], skip: int) -> None:
    """In the child: a line before each run, and one after it."""
    for case, way, run in list(plans(load_spec(path), ways))[skip:]:
        print(json.dumps({"case": case, "way": way}), flush=True)
        print(json.dumps(attempt(run)), flush=True)


def runs(path: Path) -> list[dict[str, Any]]:
    """All runs of a spec; the child is started again behind a run that it did not survive."""
    found: list[dict[str, Any]] = []
    while True:
        command = [sys.executable, __file__, "--serve", str(path), "--skip", str(len(found))]
        ended = subprocess.run(command, capture_output=True, text=True, check=False)
        lines = [json.loads(line) for line in ended.stdout.splitlines() if line.startswith("{")]
        found += [{**before, **after} for before, after in zip(lines[::2], lines[1::2], strict=False)]
        if ended.returncode == 0:
            return found
        if len(lines) % 2 == 0:
            raise RuntimeError(f"{path}: {ended.stderr[-2000:]}")
        found.append({**lines[-1], "right": False, "message": f"the process ended with {ended.returncode}"})


def mixed(spec: Spec, calls: list[EmittedCall]) -> str | None:
    """All instances unevaluated first, then evaluated at once."""
    made = [(call, call()) for call in calls]
    mx.eval([arrays for _, arrays in made])
    problems = [text for call, arrays in made if (text := problem(spec, call, arrays)) is not None]
    return "\n".join(problems) or None


def attempt(run: Callable[[], str | None]) -> dict[str, Any]:
    try:
        text = run()
    except (AssertionError, RuntimeError, ValueError, TypeError) as error:
        return {"right": False, "message": f"{type(error).__name__}: {error}"[:600]}
    return {"right": text is None, "message": text or ""}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "bench" / "results")
    parser.add_argument("--only", default="*")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--serve", type=Path, help="one spec, in this process")
    parser.add_argument("--skip", type=int, default=0)
    options = parser.parse_args()
    emulated = os.environ.get("CU2MLX_DEVICE") == "cpu"
    if options.serve:
        serve(options.serve, ["lazy", "non-contiguous"] if emulated else list(WAYS), options.skip)
        return 0
    record: dict[str, Any] = {
        "command": f"python bench/device/modules.py {' '.join(sys.argv[1:])}".strip(),
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "device": "CPU machine"
        if emulated
        else str(mx.device_info().get("device_name", mx.default_device())),
        "mlx": version("mlx"),
        "python": platform.python_version(),
    }
    started = time.monotonic()
    paths = sorted((ROOT / "seeds").glob(f"{options.only}/*.toml"))
    rows: list[dict[str, Any]] = []
    with ThreadPoolExecutor(options.jobs) as pool:
        for path, found in zip(paths, pool.map(runs, paths), strict=True):
            wrong = [each for each in found if not each["right"]]
            name = f"{path.parent.name}/{path.name}"
            rows.append({"spec": name, "kernel": load_spec(path).kernel, "runs": found})
            print(f"{name}: {len(found) - len(wrong)} of {len(found)} right", flush=True)
            for each in wrong[:3]:
                print(f"  {each['case']}, {each['way']}: {each['message'][:500]}", flush=True)
    record["seconds"] = round(time.monotonic() - started, 1)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "modules.json").write_text(json.dumps({**record, "kernels": rows}, indent=1) + "\n")
    (options.out / "modules.md").write_text(markdown(record, rows))
    return int(any(not run["right"] for row in rows for run in row["runs"]))


def markdown(record: Mapping[str, Any], rows: Sequence[Mapping[str, Any]]) -> str:
    lines = ["# Emitted modules on MLX against numpy", ""]
    lines += [f"- {name}: {value}" for name, value in record.items()]
    lines += ["", "| spec | runs | right |", "|---|---|---|"]
    lines += [f"| {r['spec']} | {len(r['runs'])} | {sum(x['right'] for x in r['runs'])} |" for r in rows]
    lines += ["", "## What is not right", ""]
    for row in rows:
        for run in row["runs"]:
            if not run["right"]:
                text = " ".join(run["message"].split())[:300]
                lines.append(f"- {row['spec']}, {run['case']}, {run['way']}: {text}")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    sys.exit(main())
