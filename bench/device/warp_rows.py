"""Warp and group operations on an NVIDIA GPU: original and translation against CUDA's definition, row by row.

python -m bench.device.warp_rows [--out FOLDER] [--jobs N]

The rows are those of tests/warp. Writes warp_rows.json and warp_rows.md; ends with 1 where a result is wrong.
"""

import argparse
import json
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from bench.device.verify_seeds import device
from cu2mlx.runtime.cuda.executor import CudaExecutor
from cu2mlx.runtime.protocol import CompileError
from tests.warp import blocks, groups, shuffles, votes
from tests.warp.family import run, wrong

FAMILIES = (*shuffles.FAMILIES, *votes.FAMILIES, *groups.FAMILIES, *blocks.FAMILIES)


def measured(place: int) -> dict[str, Any]:
    """One family on the GPU: the rows that came out wrong, or why it did not run."""
    family = FAMILIES[place]
    executor = CudaExecutor()
    facts: dict[str, Any] = {"name": family.name, "rows": len(family.rows), "threads": family.threads.v.size}
    try:
        both = run(family, on=(executor, executor))
    except (CompileError, AssertionError) as error:
        return {**facts, "failed": str(error)[:2000]}
    return {
        **facts,
        "original": wrong(family, both.original["out"]),
        "translation": wrong(family, both.translated["out"]),
    }


def markdown(results: list[dict[str, Any]], facts: dict[str, Any]) -> str:
    lines = ["# Warp and group operations on a GPU against CUDA's definition", ""]
    lines += [f"- {name}: {value}" for name, value in facts.items()]
    lines += ["", "| family | rows | threads | wrong in the original | wrong in the translation |"]
    lines.append("|---|---|---|---|---|")
    details = []
    for each in results:
        counts = [
            str(len(each[side])) if side in each else "did not run" for side in ("original", "translation")
        ]
        lines.append(f"| {each['name']} | {each['rows']} | {each['threads']} | {' | '.join(counts)} |")
        details += [f"- {each['name']}: {' '.join(each['failed'].split())[:500]}"] if "failed" in each else []
        for side in ("original", "translation"):
            details += [f"- {each['name']}, {side}: `{text}`" for text in each.get(side, ())]
    return "\n".join([*lines, "", *details, ""]).rstrip("\n") + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("bench/results"))
    parser.add_argument("--jobs", type=int, default=8)
    options = parser.parse_args()
    facts = {"command": "python -m bench.device.warp_rows", **device()}
    started = time.monotonic()
    with ProcessPoolExecutor(options.jobs) as pool:
        results = list(pool.map(measured, range(len(FAMILIES))))
    facts["seconds"] = round(time.monotonic() - started, 1)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "warp_rows.json").write_text(json.dumps({**facts, "families": results}, indent=1) + "\n")
    (options.out / "warp_rows.md").write_text(markdown(results, facts), encoding="utf-8")
    print(markdown(results, facts))
    return int(any("failed" in each or each["original"] or each["translation"] for each in results))


if __name__ == "__main__":
    sys.exit(main())
