"""What the search promises of its own shape."""

import ast
from pathlib import Path

import pytest

from cu2mlx import refine

FILES = sorted(Path(refine.__file__).parent.rglob("*.py"))


def test_the_loop_fits_a_screen_or_two() -> None:
    assert len((Path(refine.__file__).parent / "loop.py").read_text().splitlines()) <= 150


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_no_broad_excepts(file: Path) -> None:
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None, f"{file}:{node.lineno}"
            names = {each.id for each in ast.walk(node.type) if isinstance(each, ast.Name)}
            assert not names & {"Exception", "BaseException"}, f"{file}:{node.lineno}"
