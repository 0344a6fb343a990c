"""README's commands, run as printed, and its Python calls, against what the commands wrote."""

import ast
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cu2mlx.runtime.cpu.executor import CpuExecutor

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
NOT_RUN = ("pip", "make")  # CI installs and checks by itself


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands() -> list[tuple[str, str]]:
    """Every command of the console blocks with the output shown behind it."""
    found: list[tuple[str, str]] = []
    for block in blocks("console"):
        for part in block.split("$ ")[1:]:
            line, _, output = part.partition("\n")
            steps = [s for s in line.split(" && ") if s.split()[0] not in NOT_RUN]
            if steps:
                found.append((" && ".join(steps), output))
    return found


def run(command: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """In a shell, in a folder that holds the seeds as a clone does."""
    if not (folder / "seeds").exists():
        (folder / "seeds").symlink_to(ROOT / "seeds")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return subprocess.run(
        command,
        shell=True,
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=120,
        check=False,
    )


def test_there_is_a_command_to_run() -> None:
    assert any(command.startswith("cu2mlx translate") for command, _ in commands())


@pytest.mark.parametrize(("command", "output"), commands())
def test_command_prints_what_is_shown(command: str, output: str, tmp_path: Path) -> None:
    done = run(command, tmp_path)
    assert done.stdout == output
    assert done.returncode == 0


def test_python_calls_fit_the_emitted_functions(tmp_path: Path) -> None:
    for command, _ in commands():
        run(command, tmp_path)
    modules = {p.stem: ast.parse(p.read_text(encoding="utf-8")) for p in tmp_path.glob("*_mlx.py")}
    fitted = 0
    for tree in map(ast.parse, blocks("python")):
        imported = [n for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module in modules]
        named = {alias.name: modules[str(n.module)] for n in imported for alias in n.names}
        for call in (n for n in ast.walk(tree) if isinstance(n, ast.Call)):
            if isinstance(call.func, ast.Name) and call.func.id in named:
                keywords = {str(k.arg): k.value for k in call.keywords}
                _signature(named[call.func.id], call.func.id).bind(*call.args, **keywords)
                fitted += 1
    assert fitted


@pytest.mark.skipif(CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine")
def test_python_runs_as_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mx = pytest.importorskip("mlx.core")
    for command, _ in commands():
        run(command, tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("CU2MLX_DEVICE", "cpu")
    names: dict[str, Any] = {}
    exec(compile("\n".join(blocks("python")), "README.md", "exec"), names)
    assert mx.array_equal(names["y"], 4 * mx.arange(1000, dtype=mx.float32) + 1)


def _signature(module: ast.Module, name: str) -> inspect.Signature:
    function = next(n for n in module.body if isinstance(n, ast.FunctionDef) and n.name == name)
    given = function.args
    first_default = len(given.args) - len(given.defaults)
    parameters = [
        inspect.Parameter(
            a.arg,
            inspect.Parameter.POSITIONAL_OR_KEYWORD,
            default=None if i >= first_default else inspect.Parameter.empty,
        )
        for i, a in enumerate(given.args)
    ]
    parameters += [
        inspect.Parameter(
            a.arg, inspect.Parameter.KEYWORD_ONLY, default=inspect.Parameter.empty if d is None else None
        )
        for a, d in zip(given.kwonlyargs, given.kw_defaults, strict=True)
    ]
    return inspect.Signature(parameters)


VERBS = re.findall(r"^\| `cu2mlx (\w+) ", README, re.MULTILINE)


@pytest.mark.parametrize("verb", sorted(set(VERBS)))
def test_each_verb_of_the_table_has_the_options_shown(verb: str, tmp_path: Path) -> None:
    row = next(line for line in README.split("\n") if line.startswith(f"| `cu2mlx {verb} "))
    help_text = run(f"cu2mlx {verb} --help", tmp_path)
    assert help_text.returncode == 0
    for option in re.findall(r"\[(-{1,2}\w+)", row):
        assert re.search(rf"^\s.*{re.escape(option)}\b", help_text.stdout, re.MULTILINE), option
