"""python -m cu2mlx.refine.simulate SWEEP… [--seeds N] [--share X] [--json]

Evaluations that each strategy needs on recorded sweeps (bench/results/sweeps) until it has found a share of the
best known speed; after how many the tuner would take its best point for the optimum, and how good that one is.
Exit code 2: unusable input.
"""

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

from cu2mlx.refine.propose.tune import STRATEGIES
from cu2mlx.refine.simulate.runner import SEEDS, SHARE, Row, compare
from cu2mlx.refine.simulate.sweep import Sweep, SweepError, read_sweep

UNUSABLE = 2


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m cu2mlx.refine.simulate", description=__doc__)
    parser.add_argument("sweeps", nargs="+", type=Path, metavar="SWEEP")
    parser.add_argument("--seeds", type=int, default=SEEDS, help=f"runs of each strategy ({SEEDS})")
    parser.add_argument("--share", type=float, default=SHARE, help=f"of the best known speed ({SHARE})")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    try:
        sweeps = [read_sweep(path) for path in options.sweeps]
    except SweepError as error:
        print(f"error: {error}", file=sys.stderr)
        return UNUSABLE
    tables = [(sweep, list(compare(sweep, STRATEGIES, options.seeds, options.share))) for sweep in sweeps]
    if options.json:
        print(json.dumps([_as_json(sweep, rows) for sweep, rows in tables], indent=1))
        return 0
    for sweep, rows in tables:
        print("\n".join(_lines(sweep, rows, options.seeds, options.share)))
    return 0


def _lines(sweep: Sweep, rows: list[Row], seeds: int, share: float) -> list[str]:
    timed = [each.seconds for each in sweep.results.values() if each.seconds is not None]
    good = sum(seconds <= sweep.best / share for seconds in timed)
    return [
        f"{sweep.task} on {sweep.device}: {len(sweep.results)} points, {len(sweep.results) - len(timed)} of them "
        f"failed, {good} within {share:.0%} of the best ({sweep.best * 1e6:.1f} µs)",
        f"  evaluations, median (quartiles) over {seeds} seeds; the tuner's stop, its share of the best (least)",
        *(
            f"  {row.strategy:<10} {f'{row.median:g} ({row.lower:g} to {row.upper:g})':<24} "
            f"{row.stopped:g}, {row.reached:.1%} ({row.least:.1%})"
            for row in rows
        ),
    ]


def _as_json(sweep: Sweep, rows: list[Row]) -> dict[str, object]:
    return {
        "task": sweep.task,
        "device": sweep.device,
        "points": len(sweep.results),
        "best_seconds": sweep.best,
        "strategies": [asdict(row) for row in rows],
    }


if __name__ == "__main__":
    sys.exit(main())
