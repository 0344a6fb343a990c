"""Original CUDA and translated MSL on an NVIDIA GPU, and both against the CPU machine.

python bench/device/verify_seeds.py SPEC.toml… [--root FOLDER] [--out FOLDER] [--jobs N]

Each case of each spec runs three times: original and translation on the GPU; original on the CPU machine,
translation on the GPU; original on the GPU, translation on the CPU machine. `--root`: where the sources lie
that a spec names (beside the spec by default). Writes verify.json and verify.md to `--out`.
"""

import argparse
import json
import platform
import sys
import time
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from cu2mlx.runtime.cuda import nvrtc
from cu2mlx.runtime.cuda.driver import open_driver
from cu2mlx.runtime.cuda.executor import CudaExecutor
from cu2mlx.runtime.spec import load_spec
from cu2mlx.runtime.verify import KernelResult, Target, verify_kernel
from cu2mlx.transpiler.source import read_source

CPU = "cu2mlx.runtime.cpu.executor:CpuExecutor"
CUDA = "cu2mlx.runtime.cuda.executor:CudaExecutor"
PAIRS = (
    Target("gpu original, gpu translation", CUDA, CUDA),
    Target("cpu original, gpu translation", CPU, CUDA),
    Target("gpu original, cpu translation", CUDA, CPU),
)


def verify(path: Path, root: Path | None) -> list[KernelResult]:
    """One spec on all pairs; one result a pair."""
    spec = load_spec(path)
    assert spec.source is not None, f"{path} names no source"
    source = read_source((root or path.parent) / spec.source)
    short = replace(spec, path="/".join(path.parts[-2:]))
    include = [(root or path.parent) / folder for folder in spec.includes]
    return [verify_kernel(source, short, include=include, targets=[pair], timeout=20.0) for pair in PAIRS]


def device() -> dict[str, Any]:
    """What the numbers were measured on."""
    driver = open_driver()
    return {
        "device": driver.name,
        "architecture": driver.architecture,
        "nvrtc": ".".join(map(str, nvrtc.version())),
        "python": platform.python_version(),
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
    }


def markdown(results: Sequence[Sequence[KernelResult]], facts: dict[str, Any], command: str) -> str:
    """A table with one row a kernel, and each difference in full below it."""
    lines = ["# Original and translation on the GPU and on the CPU machine", "", f"`{command}`", ""]
    lines += [f"- {name}: {value}" for name, value in facts.items()]
    lines += ["", f"| kernel | cases | {' | '.join(pair.name for pair in PAIRS)} | largest ulp, GPU to GPU |"]
    lines.append("|" + "---|" * (len(PAIRS) + 3))
    details: list[str] = []
    for row in results:
        outputs = [o for c in row[0].cases if c.comparison is not None for o in c.comparison.outputs]
        largest = max((o.max_ulp for o in outputs), default=float("nan"))
        verdicts = " | ".join(str(each.verdict) for each in row)
        lines.append(
            f"| {row[0].spec} `{row[0].kernel}` | {len(row[0].cases)} | {verdicts} | {largest:.3g} |"
        )
        for pair, each in zip(PAIRS, row, strict=True):
            details += [
                f"- `{each.kernel}`, {pair.name}, {case.case}: {case.verdict}. {_why(case.as_json())}"
                for case in each.cases
                if case.verdict not in ("same",)
            ]
            details += [f"- `{each.kernel}`, refused: {text}" for text in each.diagnostics[:1]]
    totals = Counter(str(row[0].verdict) for row in results)
    lines += [
        "",
        "Totals, GPU to GPU: " + ", ".join(f"{count} {verdict}" for verdict, count in totals.items()),
    ]
    return "\n".join([*lines, "", "## What is not the same", "", *details, ""])


def _why(case: dict[str, Any]) -> str:
    """One line."""
    bad = [
        f"{o['name']}: {o['mismatches']} of {o['count']}, largest {o['max_abs']:.3g}"
        for o in case["outputs"]
        if not o["same"]
    ]
    return "; ".join([" ".join(case["message"].split())[:300], *bad])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("specs", nargs="+", type=Path)
    parser.add_argument("--root", type=Path)
    parser.add_argument("--out", type=Path, default=Path("bench/results"))
    parser.add_argument("--name", default="verify")
    parser.add_argument("--jobs", type=int, default=4)
    options = parser.parse_args()
    facts = {**device(), "kernels run": CudaExecutor().device()}
    started = time.monotonic()
    with ProcessPoolExecutor(options.jobs) as pool:
        results = list(pool.map(verify, options.specs, [options.root] * len(options.specs)))
    facts["seconds"] = round(time.monotonic() - started, 1)
    options.out.mkdir(parents=True, exist_ok=True)
    shown = "python bench/device/verify_seeds.py " + " ".join(sys.argv[1:])
    record = {"command": shown[:300], **facts, "pairs": [pair.name for pair in PAIRS]}
    record["kernels"] = [[each.as_json() for each in row] for row in results]
    (options.out / f"{options.name}.json").write_text(json.dumps(record, indent=1) + "\n")
    (options.out / f"{options.name}.md").write_text(markdown(results, facts, shown[:300]))
    print((options.out / f"{options.name}.md").read_text())
    return int(not all(each.same for row in results for each in row))


if __name__ == "__main__":
    sys.exit(main())
