"""What CONTRIBUTING.md tells to run."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_tree_is_printed(tmp_path: Path) -> None:
    command = "-m cu2mlx.transpiler.syntax"
    assert command in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    file = tmp_path / "k.cu"
    file.write_text("// größer\n__global__ void k(float* x) { x[0] = 1; }\n", encoding="utf-8")
    ran = subprocess.run(
        [sys.executable, *command.split(), str(file)], capture_output=True, text=True, check=True
    )
    assert "left: subscript_expression  x[0]" in [line.strip() for line in ran.stdout.splitlines()]
