"""Time of the translated MSL over time of the original CUDA, both compiled by NVRTC, on one NVIDIA GPU.

python bench/device/speed.py [--table seeds|specs] [--root FOLDER] [--rounds N] [--out FOLDER]

Sizes come from large.toml. Each round times original, translation, translation, original (by CUDA events, each
long enough to hide a launch) and gives one ratio; reported are the median ratio and its bootstrap interval at 95%.

Arrays of MLX never change, so a translation reads a buffer that CUDA changes in place from one array and writes
another; a CUDA kernel needs a copy of it first to be an MLX operation. `as_operation` is the ratio with the time
of that copy added to the original.
"""

import argparse
import json
import math
import statistics
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from verify_seeds import device

from cu2mlx.runtime.cuda.compile import compile_kernel
from cu2mlx.runtime.cuda.driver import Argument, CudaError, Driver, open_driver
from cu2mlx.runtime.cuda.executor import values
from cu2mlx.runtime.emulate import PREAMBLE
from cu2mlx.runtime.inputs import make_inputs
from cu2mlx.runtime.protocol import CompileError, KernelText, Launch, Value
from cu2mlx.runtime.spec import Case, Spec, load_spec
from cu2mlx.runtime.verify.kernel import kernel_of, translation_of
from cu2mlx.runtime.verify.original import original_call
from cu2mlx.runtime.verify.packing import UnfitError, instance_of, pack
from cu2mlx.transpiler.binding.signature import CHANGED_ROLES
from cu2mlx.transpiler.source import read_source

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = 1e-3  # seconds that one sample lasts at least


@dataclass(frozen=True, slots=True)
class Prepared:
    """A kernel at a large size: both texts and their arguments."""

    label: str
    size: dict[str, Any]
    launch: Launch
    texts: tuple[KernelText, KernelText]
    arguments: tuple[tuple[Any, ...], tuple[Any, ...]]
    in_place: int  # bytes of the buffers that CUDA's kernel changes


def prepare(label: str, path: Path, size: dict[str, Any], root: Path | None) -> Prepared | str:
    """Inputs and texts, or why there are none."""
    spec = load_spec(path)
    case = large_case(spec, size)
    assert spec.source is not None
    source = read_source((root or path.parent) / spec.source)
    include = tuple((root or path.parent) / folder for folder in spec.includes)
    asked = tuple((n, str(v).lower() if isinstance(v, bool) else str(v)) for n, v in case.template)
    translation = translation_of(source, spec.kernel, include, tuple(case.defines), "refuse", asked)
    kernel = kernel_of(translation, spec.kernel)
    if kernel is None or kernel.interface is None:
        return "not translated"
    inputs = make_inputs(spec, case)
    try:
        instance = instance_of(kernel.interface, inputs.resolved, kernel.original, narrow=False)
        packed = pack(kernel.interface, instance, inputs)
        call = original_call(kernel, inputs)
    except UnfitError as error:
        return str(error)
    texts = (call.text, KernelText("msl", PREAMBLE + packed.text, packed.entry))
    x, y, z = (*size["grid"], 1, 1)[:3] if "grid" in size else inputs.launch.grid
    launch = replace(inputs.launch, grid=(x, y, z))
    changed = [p.name for p in kernel.interface.parameters if p.role in CHANGED_ROLES]
    in_place = sum(inputs.buffers[name].nbytes for name in changed)
    return Prepared(label, size, launch, texts, (call.arguments, packed.arguments), in_place)


def large_case(spec: Spec, size: dict[str, Any]) -> Case:
    """A case of the table; what it leaves out is as in the spec's first case."""
    first = spec.cases[0]
    numbers = {**dict(first.sizes), **{k: v for k, v in size.items() if k not in ("template", "grid")}}
    template = {**dict(first.template), **size.get("template", {})}
    return Case("large", tuple(numbers.items()), tuple(template.items()), first.defines)


def upload(driver: Driver, text: KernelText, arguments: tuple[Any, ...]) -> list[Argument]:
    by_value = values(text) if text.language == "msl" else frozenset()
    made: list[Argument] = []
    for index, each in enumerate(arguments):
        data = each.data if isinstance(each, Value) else np.ascontiguousarray(each).tobytes()
        is_value = index in by_value or (isinstance(each, Value) and text.language == "cuda")
        made.append(data if is_value else driver.upload(data))
    return made


def measure(driver: Driver, prepared: Prepared, rounds: int, *, swap: bool) -> dict[str, Any]:
    functions = [driver.function(compile_kernel(text, driver.architecture)) for text in prepared.texts]
    arguments: list[list[Argument]] = [[], []]
    for side in (1, 0) if swap else (0, 1):
        arguments[side] = upload(driver, prepared.texts[side], prepared.arguments[side])
    launch = prepared.launch

    def sample(side: int, count: int) -> float:
        return driver.seconds(functions[side], launch, arguments[side], count)

    for side in (0, 1):
        sample(side, 3)
    counts = [max(1, min(500, math.ceil(SAMPLE / sample(side, 3)))) for side in (0, 1)]
    ratios, times = [], ([], [])  # type: ignore[var-annotated]
    for _ in range(rounds):
        order = [(side, sample(side, counts[side])) for side in (0, 1, 1, 0)]
        for side, seconds in order:
            times[side].append(seconds)
        ratios.append((order[1][1] + order[2][1]) / (order[0][1] + order[3][1]))
    for given in arguments:
        for each in given:
            if not isinstance(each, bytes):
                driver.free(each)
    low, high = interval(ratios)
    copy = copy_seconds(driver, prepared.in_place)
    return {
        "original_us": statistics.median(times[0]) * 1e6,
        "translation_us": statistics.median(times[1]) * 1e6,
        "ratio": statistics.median(ratios),
        "low": low,
        "high": high,
        "copy_us": copy * 1e6,
        "as_operation": statistics.median(times[1]) / (statistics.median(times[0]) + copy),
    }


def copy_seconds(driver: Driver, size: int) -> float:
    """The GPU's time to copy that many bytes within its memory."""
    if not size:
        return 0.0
    pointers = [driver.upload(bytes(size)) for _ in range(2)]
    taken = [driver.copy_seconds(pointers[0], pointers[1], size, 20) for _ in range(5)]
    for each in pointers:
        driver.free(each)
    return statistics.median(taken)


def interval(ratios: list[float]) -> tuple[float, float]:
    """95% bootstrap interval of the median."""
    rng = np.random.default_rng(0)
    medians = np.median(rng.choice(ratios, (2000, len(ratios))), axis=1)
    return float(np.quantile(medians, 0.025)), float(np.quantile(medians, 0.975))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--table", choices=("seeds", "specs"), default="seeds")
    parser.add_argument("--root", type=Path)
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--out", type=Path, default=Path("bench/results"))
    parser.add_argument("--only", default="", help="kernels whose spec's name has this in it")
    parser.add_argument("--swap", action="store_true", help="give the translation its memory first")
    parser.add_argument(
        "--prepare-only", action="store_true", help="no GPU: say whether all inputs can be made"
    )
    options = parser.parse_args()
    folder = ROOT / ("seeds" if options.table == "seeds" else "bench/specs")
    table = tomllib.loads((Path(__file__).parent / "large.toml").read_text())[options.table]
    table = {name: size for name, size in table.items() if options.only in name}
    with ThreadPoolExecutor(6) as pool:
        waiting = [
            pool.submit(prepare, name, folder / name, size, options.root) for name, size in table.items()
        ]
        if options.prepare_only:
            for name, each in zip(table, waiting, strict=True):
                print(name, each.result() if isinstance(each.result(), str) else each.result().launch)
            return 0
        driver = open_driver()
        rows: list[dict[str, Any]] = []
        for name, future in zip(table, waiting, strict=True):
            row: dict[str, Any] = {"kernel": name, "size": table[name]}
            prepared = future.result()
            try:
                if isinstance(prepared, str):
                    row["not_measured"] = prepared
                else:
                    row.update(measure(driver, prepared, options.rounds, swap=options.swap))
            except (CompileError, CudaError) as error:
                row["not_measured"] = " ".join(str(error).split())[:300]
            rows.append(row)
            print(json.dumps(row), flush=True)
    write(options.out, options.table, rows)
    return 0


def geometric_mean(ratios: list[float]) -> float:
    return math.exp(statistics.fmean(map(math.log, ratios))) if ratios else float("nan")


def write(out: Path, table: str, rows: list[dict[str, Any]]) -> None:
    facts = {**device(), "command": f"python bench/device/speed.py {' '.join(sys.argv[1:])}"}
    ratios = [row["ratio"] for row in rows if "ratio" in row]
    operations = [row["as_operation"] for row in rows if "ratio" in row]
    mean, mean_operation = geometric_mean(ratios), geometric_mean(operations)
    out.mkdir(parents=True, exist_ok=True)
    record = {**facts, "geometric_mean": mean, "geometric_mean_as_operation": mean_operation, "kernels": rows}
    (out / f"speed_{table}.json").write_text(json.dumps(record, indent=1) + "\n")
    lines = [f"# Translated MSL / original CUDA, {table}", ""]
    lines += [f"- {name}: {value}" for name, value in facts.items()]
    worst, worst_operation = max(ratios, default=0.0), max(operations, default=0.0)
    lines += ["", f"{len(ratios)} kernels. Ratio: geometric mean {mean:.3f}, worst {worst:.3f}.", ""]
    lines.append(
        "A buffer that CUDA's kernel changes in place is read from one array and written to another by the"
    )
    lines.append(
        "translation, since arrays of MLX never change. With a copy of it added to the original's time:"
    )
    lines.append(f"geometric mean {mean_operation:.3f}, worst {worst_operation:.3f}.")
    lines += [
        "",
        "| kernel | original, µs | translation, µs | ratio | 95% interval | copy, µs | ratio with copy |",
    ]
    lines.append("|---|---|---|---|---|---|---|")
    for row in rows:
        if "ratio" in row:
            times = f"{row['original_us']:.1f} | {row['translation_us']:.1f}"
            spread = f"{row['low']:.3f} to {row['high']:.3f}"
            copy = f"{row['copy_us']:.1f} | {row['as_operation']:.3f}"
            lines.append(f"| {row['kernel']} | {times} | {row['ratio']:.3f} | {spread} | {copy} |")
        else:
            lines.append(f"| {row['kernel']} | not measured: {row['not_measured']} | | | | | |")
    (out / f"speed_{table}.md").write_text("\n".join([*lines, ""]))
    print("\n".join(lines))


if __name__ == "__main__":
    started = time.monotonic()
    code = main()
    print(f"{time.monotonic() - started:.0f} s")
    sys.exit(code)
