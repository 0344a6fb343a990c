"""docs/json.md says what `--json` prints: each verb's document has exactly the keys that the page shows."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cu2mlx.cli import VERBS, main
from cu2mlx.runtime.cpu.executor import CpuExecutor

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/json.md").read_text(encoding="utf-8")
SHOWN = {
    name: json.loads(text) for name, text in re.findall(r"^```json (\w+)\n(.*?)^```$", PAGE, re.M | re.S)
}
SAXPY = "seeds/saxpy/saxpy.cu"
LAYER_NORM = ("seeds/layer_norm/layer_norm.cu", "--gradient", "seeds/layer_norm/backward.toml")
FILES = {
    "k.cu": "__global__ void k(double* x) { x[threadIdx.x] = 1.0; }",
    "unclear.cu": "__global__ void k(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }",
    "race.cu": "__global__ void k(float* x) { x[0] = threadIdx.x; }",
    "race.toml": """kernel = "k"
source = "race.cu"
operation = "exact"
grid = [1]
block = [64]
[args.x]
dtype = "float32"
shape = [64]
output = true
[[cases]]
name = "one"
""",
    "empty.cu": "",
    "bad.metal": "kernel void k(device float* x [[buffer(0)]]) { x[0] = nothing; }",
}
needs_compiler = pytest.mark.skipif(
    CpuExecutor().unavailable() is not None, reason="no C++ compiler for the CPU machine"
)


def document(*arguments: object) -> Any:
    """What stands on standard output is one JSON document."""
    return json.loads(CliRunner().invoke(main, [*map(str, arguments), "--json"]).stdout)


def misfits(found: Any, shown: Any, place: str = "") -> list[str]:
    """Where a document has other keys than the page; what the page shows as empty may hold anything."""
    if isinstance(shown, dict) and shown and isinstance(found, dict):
        wrong = [f"{place}.{key}" for key in found.keys() ^ shown.keys()]
        both = [misfits(found[key], shown[key], f"{place}.{key}") for key in found.keys() & shown.keys()]
        return [*wrong, *(each for part in both for each in part)]
    if isinstance(shown, list) and shown and isinstance(found, list):
        return [wrong for each in found for wrong in misfits(each, shown[0], f"{place}[]")]
    return []


def test_every_verb_is_on_the_page() -> None:
    titles = {line.split()[1] for line in PAGE.splitlines() if line.startswith("## ")}
    assert set(VERBS) <= titles


@pytest.mark.parametrize(
    ("shown", "arguments"),
    [
        ("translate", ("translate", *LAYER_NORM)),
        ("translate", ("translate", "k.cu")),
        ("check", ("check", "bad.metal")),
        pytest.param("verify", ("verify", SAXPY), marks=needs_compiler),
        pytest.param("verify", ("verify", "k.cu"), marks=needs_compiler),
        pytest.param("verify", ("verify", "unclear.cu"), marks=needs_compiler),
        pytest.param("verify", ("verify", "race.cu", "--checked"), marks=needs_compiler),
        ("report", ("report", SAXPY, "k.cu", "empty.cu")),
        pytest.param("optimize", ("optimize", "seeds/saxpy", "--rounds", "1"), marks=needs_compiler),
        ("explain", ("explain", "CU3101")),
        ("query", ("query", "sinf")),
        ("query", ("query", "sinff")),
        pytest.param("doctor", ("doctor",), marks=needs_compiler),
    ],
)
def test_keys(
    shown: str, arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(ROOT / "seeds", tmp_path / "seeds", ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    found = document(*arguments)
    assert found and misfits(found, SHOWN[shown]) == []


@pytest.mark.parametrize("verb", sorted(VERBS))
@pytest.mark.parametrize("rest", [("none.cu",), ("--nonsense",)])
def test_errors_of_every_verb(verb: str, rest: tuple[str, ...]) -> None:
    found = document(verb, *rest)
    if verb == "query" and rest == ("none.cu",):
        assert found["entries"] == []
        return
    assert misfits(found, SHOWN["error"]) == [] and found["error"]["message"]


def test_a_verb_that_is_none() -> None:
    found = document("transalte")
    assert misfits(found, SHOWN["error"]) == [] and "transalte" in found["error"]["message"]


def test_a_missing_key_and_one_too_many_are_seen() -> None:
    assert sorted(misfits({"a": [{"c": 1}]}, {"a": [{"b": 1}]})) == [".a[].b", ".a[].c"]
