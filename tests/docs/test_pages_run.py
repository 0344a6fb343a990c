"""What the pages under docs/ print is run: commands, Python, spec files, options."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cu2mlx.cli import main
from cu2mlx.runtime.cpu.executor import CpuExecutor
from cu2mlx.runtime.spec import parse_spec, resolve

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.glob("*.md"))
needs_compiler = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@needs_compiler
def test_verify_prints_what_is_shown(tmp_path: Path) -> None:
    shutil.copy(ROOT / "seeds/saxpy/saxpy.cu", tmp_path)
    (block,) = blocks("verify.md", "console")
    command, _, shown = block.removeprefix("$ ").partition("\n")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        command, shell=True, cwd=tmp_path, env={**os.environ, "PATH": path}, capture_output=True, text=True,
        timeout=120, check=True,
    )  # fmt: skip
    for line, start in zip(done.stdout.splitlines(), shown.splitlines(), strict=True):
        assert line.startswith(start.removesuffix("…"))


@needs_compiler
def test_verify_from_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("saxpy.cu", "task.toml", "reference.py"):
        shutil.copy(ROOT / "seeds/saxpy" / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    exec(compile(blocks("verify.md", "python")[0], "verify.md", "exec"), names)
    assert names["result"].same and names["result"].bitwise


def test_check_from_python(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, Any] = {"text": "kernel void k(device float* x) { x[0] = undeclared; }"}
    exec(compile(blocks("checking.md", "python")[0], "checking.md", "exec"), names)
    assert "undeclared" in capsys.readouterr().out


def test_the_spec_shown_is_one() -> None:
    spec = parse_spec(blocks("spec-files.md", "toml")[0])
    assert [case.name for case in spec.cases] == ["ragged", "half"]
    resolved = resolve(spec, spec.cases[0])
    assert (resolved.launch.grid, resolved.launch.block) == ((5, 1, 1), (256, 1, 1))


OPTIONS = sorted(
    {
        (verb, option)
        for page in [*PAGES, ROOT / "README.md"]
        for verb, line in re.findall(r"cu2mlx ([a-z]+)([^`\n]*)", page.read_text(encoding="utf-8"))
        for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", line.partition("#")[0].partition("'")[0])
    }
)


def test_options_are_shown() -> None:
    assert len(OPTIONS) > 10


@pytest.mark.parametrize(("verb", "option"), OPTIONS)
def test_each_option_shown_is_one(verb: str, option: str) -> None:
    result = CliRunner().invoke(main, [verb, "--help"])
    assert result.exit_code == 0
    assert re.search(rf"{re.escape(option)}\b", result.output)


@pytest.mark.parametrize("page", [*PAGES, ROOT / "README.md", ROOT / "CONTRIBUTING.md"], ids=lambda p: p.name)
def test_links_and_files_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
        assert target.startswith("http") or (page.parent / target).exists(), target
    rooms = "bench|cu2mlx|docs|grammars|refine|runtime|seeds|tests|transpiler"
    for path in re.findall(rf"`((?:{rooms})/[\w./-]+)`", text):
        assert "NAME" in path or (ROOT / path).exists(), path
