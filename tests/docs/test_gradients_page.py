"""docs/gradients.md: its commands, run as printed, its Python against MLX's own layer norm, its table."""

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.transpiler.binding.gradient_table import gradient_request

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "gradients.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(found)


def translated(folder: Path) -> tuple[str, str]:
    """What the command printed, and what the page shows."""
    (folder / "seeds").symlink_to(ROOT / "seeds")
    command, _, shown = block("console").removeprefix("$ ").partition("\n")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    run = subprocess.run(
        command.split(),
        cwd=folder,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    return run.stdout, shown


def test_command_prints_what_is_shown(tmp_path: Path) -> None:
    printed, shown = translated(tmp_path)
    assert printed == shown


@pytest.mark.skipif(CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine")
def test_python_gives_the_gradient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mx = pytest.importorskip("mlx.core")
    translated(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("CU2MLX_DEVICE", "cpu")
    names: dict[str, Any] = {}
    exec(compile(block("python"), "gradients.md", "exec"), names)

    def loss(x: Any, weight: Any, bias: Any) -> Any:
        return mx.square(mx.fast.layer_norm(x, weight, bias, 1e-5) - names["target"]).mean()

    expected = mx.grad(loss, argnums=(0, 1, 2))(names["x"], names["weight"], names["bias"])
    for name, right in zip(("dx", "dweight", "dbias"), expected, strict=True):
        assert mx.allclose(names[name], right, rtol=1e-4, atol=1e-6), name


def test_the_table_is_one(tmp_path: Path) -> None:
    (tmp_path / "g.toml").write_text(block("toml"))
    request = gradient_request("g.toml", tmp_path)
    assert request.name == "gelu"
    assert set(tomllib.loads(block("toml"))["gradient"]) == {
        "forward",
        "backward",
        "name",
        "constants",
        "parameters",
        "defaults",
    }
