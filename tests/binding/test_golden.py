"""The emitted files as a whole; `pytest --bless` accepts new ones."""

from collections.abc import Callable
from pathlib import Path

import interfaces
import pytest

from cu2mlx.transpiler.binding.interface import KernelInterface
from cu2mlx.transpiler.binding.metal import emit_metal
from cu2mlx.transpiler.binding.module import emit_module

_FOLDER = Path(__file__).parents[1] / "golden" / "binding"


@pytest.mark.parametrize("interface", interfaces.ALL, ids=lambda interface: interface.name)
def test_emitted_files(golden: Callable[[Path, str], None], interface: KernelInterface) -> None:
    golden(_FOLDER / f"{interface.name}_mlx.py", emit_module([interface], f"{interface.name}.cu"))
    golden(_FOLDER / f"{interface.name}.metal", emit_metal([interface]))
