"""A finished search with every kind of outcome, and its page."""

from pathlib import Path
from typing import Any

from test_loop import STORY, Machine, Script, search

from cu2mlx.refine.budget import Options
from cu2mlx.refine.loop import Search
from cu2mlx.refine.parts import Measured
from cu2mlx.refine.report.page import page
from cu2mlx.refine.settings import Settings


def finished(path: Path, story: list[str] | None = None, *, is_timed: bool = True) -> Search:
    options = Options(rounds=99, stagnation=3)
    script = Script(list(STORY if story is None else story))
    run = search(path / "j", script, machine=Machine(is_timed=is_timed), options=options)
    run.run()
    return run


def row(name: str, seconds: float, ratio: float, spread: float = 0.01) -> dict[str, Any]:
    low, high = ratio * (1 - spread), ratio * (1 + spread)
    return {
        "name": name, "seconds": seconds, "ratio": ratio, "low": low, "high": high, "peak_bytes": 140_000_000,
    }  # fmt: skip


def shapes() -> list[dict[str, Any]]:
    """Two shapes as refine.measure writes them: faster, slower and even."""
    device = "NVIDIA H200 (a made-up measurement)"
    return [
        {
            "case": "long cache", "device": device, "bytes": 134_238_208, "peak_bytes": 140_000_000,
            "copy_bandwidth": 4.1e12, "roofline_share": 0.61, "noise": 0.004,
            "limits": [
                {"what": "bytes", "amount": 134_238_208.0, "rate": 4.1e12},
                {"what": "exponentials", "amount": 1_048_576.0, "rate": 2.1e12},
            ],
            "rows": [
                row("candidate", 54e-6, 1.0, 0.002),
                row("naive translation", 679e-6, 12.57),
                row("CUDA original", 55e-6, 1.005, 0.02),
                row("mx.fast.scaled_dot_product_attention", 41e-6, 0.76),
            ],
            "skipped": [],
        },
        {
            "case": "short", "device": device, "bytes": 40_960, "peak_bytes": None, "copy_bandwidth": 4.1e12,
            "roofline_share": 0.003, "noise": 0.02, "limits": [{"what": "bytes", "amount": 40_960.0, "rate": 4.1e12}],
            "rows": [row("candidate", 3.2e-6, 1.0), row("naive translation", 4.1e-6, 1.28, 0.05)],
            "skipped": ["mx.fast.scaled_dot_product_attention: MLX has no GPU back end here"],
        },
    ]  # fmt: skip


def written(path: Path, *, is_timed: bool = True) -> str:
    """The page of such a search."""
    measured = Measured(tuple(shapes())) if is_timed else None
    run = finished(path, is_timed=is_timed)
    return page(run, Settings("softmax", "openai", ("big@3:2.5:10",)), "the script is over", measured)
