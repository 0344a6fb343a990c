"""The source archive and the wheel: built, installed in a fresh environment, every module imported."""

import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
IMPORT_ALL = """
import importlib, pkgutil, sys
import cu2mlx
optional = {"openai", "mlx"}
names = [m.name for m in pkgutil.walk_packages(cu2mlx.__path__, "cu2mlx.")]
for name in names:
    try:
        importlib.import_module(name)
    except ModuleNotFoundError as error:
        assert error.name and error.name.split(".")[0] in optional, (name, error)
print(len(names))
"""


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run([str(c) for c in command], cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the sdist of this tree and the wheel built from that sdist."""
    folder = tmp_path_factory.mktemp("archives")
    tree = folder / "tree"
    files = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT).split("\0")
    for name in filter(None, files):
        source, target = ROOT / name, tree / name
        if source.is_symlink() or source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
    run(sys.executable, "-m", "build", "--outdir", folder / "dist", tree, cwd=folder)
    return folder / "dist"


def test_wheel_installs_and_imports_everywhere(archives: Path, tmp_path: Path) -> None:
    wheel = next(archives.glob("*.whl"))
    assert list(archives.glob("*.tar.gz"))
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel, cwd=tmp_path)
    assert int(run(python, "-c", IMPORT_ALL, cwd=tmp_path)) > 50
    seed = ROOT / "seeds" / "saxpy" / "saxpy.cu"
    output = run(
        tmp_path / "venv" / "bin" / "cu2mlx", "translate", seed, "-o", tmp_path / "out", cwd=tmp_path
    )
    assert "translated, type-checked" in output
    assert (tmp_path / "out" / "saxpy_mlx.py").exists()


def test_rooms_refuse_their_bare_names() -> None:
    for room in ("transpiler", "runtime", "refine", "grammars", "seeds"):
        done = subprocess.run(
            [sys.executable, "-c", f"import {room}"], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode != 0
        assert f"import cu2mlx.{room}" in done.stderr


def test_imports_without_links(tmp_path: Path) -> None:
    """A copy made by a tool that drops links still finds the rooms beside the package."""
    for room in ("transpiler", "runtime", "refine", "grammars", "seeds"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    package = tmp_path / "cu2mlx"
    package.mkdir()
    shutil.copy(ROOT / "cu2mlx" / "__init__.py", package)
    shutil.copytree(ROOT / "cu2mlx" / "cli", package / "cli", ignore=shutil.ignore_patterns("__pycache__"))
    code = "import cu2mlx.transpiler.pipeline as p; print(p.__file__)"
    assert str(tmp_path) in run(sys.executable, "-c", code, cwd=tmp_path)
