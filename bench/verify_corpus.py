"""Verify kernels of public packages: python bench/verify_corpus.py --corpus DIR [--only ggml] [--checked]

DIR holds the unpacked source distributions (default: $CU2MLX_CORPUS). Every spec under bench/specs runs original
and translation on the CPU machine. Prints a table and writes bench/results/verify_corpus.json.
"""

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

from cu2mlx.runtime.spec import Spec, load_spec
from cu2mlx.runtime.verify import KernelResult, Verdict, verify_kernel
from cu2mlx.transpiler.source import read_source

BENCH = Path(__file__).parent


def verified(spec: Spec, corpus: Path, seeds: tuple[int, ...], checked: bool) -> KernelResult:
    assert spec.source is not None
    include = [corpus / folder for folder in spec.includes]
    return verify_kernel(
        read_source(corpus / spec.source), spec, include=include, seeds=seeds, checked=checked, timeout=60
    )


def why(result: KernelResult) -> str:
    """One line: what stands in the way, or how far apart the outputs are."""
    if result.diagnostics:
        return result.diagnostics[0]
    for case in result.cases:
        if case.verdict is result.verdict and case.message:
            return f"{case.case}: {case.message.splitlines()[0]}"
        if case.verdict is result.verdict and case.faults:
            return f"{case.case}: {case.faults[0].side}: {case.faults[0].message}"
    if result.verdict is Verdict.UNUSABLE:
        return "the original writes nothing"
    outputs = [o for case in result.cases if case.comparison is not None for o in case.comparison.outputs]
    worst = max(outputs, key=lambda o: (not o.same, o.max_ulp), default=None)
    if worst is None:
        return ""
    if result.verdict is Verdict.SAME:
        return "bit for bit" if result.bitwise else f"{worst.name}: max {worst.max_ulp:.3g} ulp"
    return f"{worst.name}: {worst.mismatches} of {worst.count} elements, max abs {worst.max_abs:.3g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, default=os.environ.get("CU2MLX_CORPUS"))
    parser.add_argument("--only", default="", help="part of a spec's path")
    parser.add_argument("--checked", action="store_true")
    parser.add_argument("--seeds", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.corpus is None:
        parser.error("say where the sources are: --corpus DIR or $CU2MLX_CORPUS")
    rows: list[dict[str, Any]] = []
    for path in sorted((BENCH / "specs").glob("*/*.toml")):
        label = f"{path.parent.name}/{path.stem}"
        if arguments.only not in label:
            continue
        spec = load_spec(path)
        started = time.perf_counter()
        result = verified(spec, Path(arguments.corpus), tuple(range(arguments.seeds)), arguments.checked)
        taken = time.perf_counter() - started
        reason = why(result)
        rows.append(
            {"spec": label, "kernel": spec.kernel, "verdict": str(result.verdict), "bitwise": result.bitwise,
             "cases": len(result.cases), "why": reason, "seconds": round(taken, 2)}
        )  # fmt: skip
        print(f"{label:<44} {result.verdict:<18} {reason[:110]}", flush=True)
    counts = {str(v): sum(row["verdict"] == v for row in rows) for v in Verdict}
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count), f"of {len(rows)}")
    if not arguments.only:
        name = "verify_corpus_checked.json" if arguments.checked else "verify_corpus.json"
        text = json.dumps({"counts": counts, "kernels": rows}, indent=1) + "\n"
        (BENCH / "results" / name).write_text(text)


if __name__ == "__main__":
    main()
