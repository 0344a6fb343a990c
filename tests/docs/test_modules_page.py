"""docs/modules.md: its kernel translates, its Python runs as printed, and what it lists as comparisons counts as one."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from cu2mlx.cli import main
from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.transpiler.pipeline import translate
from cu2mlx.transpiler.source import SourceFile

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/modules.md").read_text(encoding="utf-8")
SHOWN = dict(re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.M | re.S))
COMPARISONS = re.findall(r"`([^`]+)`", PAGE.partition("What counts as a comparison: ")[2].partition(";")[0])
# How each stands in a kernel whose pointer is p.
AROUND = {"p ? a : b": "y[0] = p ? *p : 2.0f;", "if (p)": "if (p) y[0] = *p;", "while (p)": "while (p) y[0] = *p;",
          "bool b = p": "bool b = p; if (b) y[0] = *p;"}  # fmt: skip


@pytest.mark.skipif(CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine")
def test_the_example_runs(tmp_path: Path) -> None:
    pytest.importorskip("mlx.core")
    source = tmp_path / "linear.cu"
    source.write_text(SHOWN["cuda"], encoding="utf-8")
    translated = CliRunner().invoke(main, ["translate", str(source), "-o", str(tmp_path)])
    assert translated.exit_code == 0, translated.output
    environment = {**os.environ, "CU2MLX_DEVICE": "cpu", "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-c", SHOWN["python"]], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("comparison", COMPARISONS)
def test_what_counts_as_a_comparison(comparison: str) -> None:
    statement = AROUND.get(comparison, f"const bool q = n > 0; if ({comparison}) y[0] = 1.0f;")
    text = f"__global__ void k(const float* p, float* y, int n) {{ {statement} }}"
    (kernel,) = translate(SourceFile("k.cu", text)).kernels
    assert kernel.interface is not None, [d.message for d in kernel.diagnostics]
    assert [p.name for p in kernel.interface.parameters if p.nullable] == ["p"]
