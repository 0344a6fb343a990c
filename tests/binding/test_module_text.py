"""The emitted module as text: clean, formatted, documented."""

import ast
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import interfaces
import pytest

from cu2mlx.transpiler.binding.interface import Parameter, Role
from cu2mlx.transpiler.binding.module import emit_module


def test_emitted_text_is_clean(tmp_path: Path) -> None:
    record = Parameter("p", "Params p", Role.IN, "uint8", 0, layout="if0i", members=("n", "s"))
    with_record = replace(
        interfaces.VECTOR_ADD, name="packed", parameters=(record, *interfaces.VECTOR_ADD.parameters)
    )
    text = emit_module([*interfaces.ALL, with_record], "größe.cu")
    assert text.isascii() and "_record(" in text
    imported = {
        a.name for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import) for a in node.names
    }
    assert imported == {"math", "os", "mlx.core"}
    path = tmp_path / "emitted.py"
    path.write_text(text)
    for command in (
        ["ruff", "check", "--no-cache"],
        ["ruff", "format", "--check", "--no-cache", "--line-length", "110"],
        ["mypy", "--strict", "--cache-dir", str(tmp_path)],
    ):
        run = subprocess.run(
            [sys.executable, "-m", *command, str(path)], capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stdout + run.stderr
    for subset in interfaces.ALL:
        path.write_text(emit_module([subset], "one.cu"))
        run = subprocess.run(
            [sys.executable, "-m", "ruff", "check", "--no-cache", str(path)],
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout + run.stderr


def test_records_are_said_to_be_bytes() -> None:
    parameters = [
        Parameter("blocks", "const block_q4_0* blocks", Role.IN, "uint8", 0),
        Parameter("camera", "Camera camera", Role.IN, "uint8", 0),
        *interfaces.VECTOR_ADD.parameters,
    ]
    text = emit_module([replace(interfaces.VECTOR_ADD, parameters=tuple(parameters))], "kernels.cu")
    assert "blocks: `const block_q4_0*` (uint8: each record's bytes), read" in text
    assert "camera: `Camera` (uint8: its bytes), read" in text


def test_a_kernel_without_output_is_refused() -> None:
    with pytest.raises(ValueError, match="writes no buffer"):
        emit_module([replace(interfaces.VECTOR_ADD, parameters=interfaces.VECTOR_ADD.parameters[:2])], "x.cu")
