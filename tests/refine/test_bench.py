"""cu2mlx bench, on a machine without a GPU and with the CPU machine in its place."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from questions import SEEDS, task

from cu2mlx.cli.bench import bench
from cu2mlx.refine.best_module import module
from cu2mlx.refine.evaluate.device import TimedDevice
from cu2mlx.refine.evaluate.mlx_device import MlxLauncher
from cu2mlx.refine.evaluate.oracle import Oracle
from cu2mlx.refine.stored import StoredError, stored_candidate
from cu2mlx.runtime.cpu.executor import CpuExecutor

STEP = """
[[optimize.timed]]
name = "tiny"
rows = 3
cols = 40
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(bench, [str(each) for each in arguments])


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("mlx.core")
    if CpuExecutor().unavailable() is not None:
        pytest.skip("no C++ compiler for the CPU machine")
    from cu2mlx.runtime.emulate import metal_kernel

    launcher = MlxLauncher("the CPU machine", metal_kernel, head_start=None)
    monkeypatch.setattr(
        "cu2mlx.refine.evaluate.device.device_here", lambda: TimedDevice(launcher, Oracle(), pairs=2)
    )
    monkeypatch.setattr("cu2mlx.refine.evaluate.device.ROTATED_BYTES", 1)
    monkeypatch.setattr("cu2mlx.refine.arena.COPIED_BYTES", 1 << 16)
    monkeypatch.setattr("cu2mlx.refine.roofline.PROBE_BLOCKS", 1)


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """The softmax task with a tiny shape to time."""
    import shutil

    shutil.copytree(SEEDS / "softmax", tmp_path / "softmax")
    file = tmp_path / "softmax" / "task.toml"
    file.write_text(file.read_text() + STEP)
    return file


def test_without_a_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cu2mlx.refine.evaluate.device.device_here", lambda: None)
    result = run(SEEDS / "softmax")
    assert result.exit_code == 3 and "no GPU to time on" in result.output


def test_unusable_input(tmp_path: Path) -> None:
    assert run(tmp_path / "none.toml").exit_code == 2
    result = run(SEEDS / "softmax", "--candidate", tmp_path / "none.json")
    assert result.exit_code == 2 and "cannot be read" in result.output


@pytest.mark.usefixtures("device")
def test_table(small: Path) -> None:
    result = run(small)
    assert result.exit_code == 0, result.output
    assert "tiny on the CPU machine (inside MLX" in result.output
    assert "candidate" in result.output and "of what that allows" in result.output


@pytest.mark.usefixtures("device")
def test_json_of_a_candidate(small: Path, tmp_path: Path) -> None:
    candidate = task().seed.with_numbers({"BLOCK": 64})
    file = tmp_path / "candidate.json"
    file.write_text(json.dumps(candidate.as_json()))
    data = json.loads(run(small, "--candidate", file, "--json").output)
    assert data["candidate"] == candidate.key
    (shape,) = data["shapes"]
    assert [row["name"] for row in shape["rows"]] == ["candidate", "naive translation"]


@pytest.mark.usefixtures("device")
def test_a_wrong_candidate_is_not_timed(small: Path, tmp_path: Path) -> None:
    wrong = task().seed.as_json() | {"header": task().seed.header.replace("return a + b", "return a - b")}
    file = tmp_path / "wrong.json"
    file.write_text(json.dumps(wrong))
    result = run(small, "--candidate", file)
    assert result.exit_code == 1 and "not timed, since it is wrong" in result.output


@pytest.mark.parametrize("name", ["softmax", "mamba1_scan", "attention_decode"])
def test_a_module_is_read_back(name: str, tmp_path: Path) -> None:
    """With and without other numbers than the source's; several kernels in one file."""
    tunable = task(name).tunables[0]
    tuned = task(name).seed.with_numbers({tunable.name: tunable.values[-1]})
    for candidate in (task(name).seed, tuned):
        file = tmp_path / "kernel_mlx.py"
        file.write_text(module(task(name), candidate))
        assert stored_candidate(task(name), file).key == candidate.key


def a_run(folder: Path, best: str | None, *, is_baseline: bool) -> Path:
    (folder / "candidates").mkdir()
    (folder / "result.json").write_text(json.dumps({"best": best, "best_is_baseline": is_baseline}))
    return folder


def test_the_best_of_a_run(tmp_path: Path) -> None:
    best = task().seed.with_numbers({"BLOCK": 64})
    folder = a_run(tmp_path, best.key, is_baseline=False)
    (folder / "candidates" / f"{best.key}.json").write_text(json.dumps(best.as_json()))
    assert stored_candidate(task(), folder) == best


def test_a_run_that_found_nothing_better(tmp_path: Path) -> None:
    assert stored_candidate(task(), a_run(tmp_path, task().seed.key, is_baseline=True)) == task().seed


@pytest.mark.parametrize(
    ("name", "write", "message"),
    [
        ("a.json", lambda file: file.write_text("{}"), "holds no candidate"),
        ("a.json", lambda file: file.write_text("no JSON"), "holds no candidate"),
        ("a_mlx.py", lambda file: file.write_text("def f(:"), "is no Python module"),
        ("a_mlx.py", lambda file: file.write_text("x = 1"), "with a kernel softmax"),
        ("run", lambda file: (file.mkdir(), a_run(file, None, is_baseline=False)), "found no correct kernel"),
        ("run", lambda file: file.mkdir(), "result.json: cannot be read"),
    ],
)
def test_files_without_a_candidate(
    tmp_path: Path, name: str, write: Callable[[Path], object], message: str
) -> None:
    write(tmp_path / name)
    with pytest.raises(StoredError, match=message):
        stored_candidate(task(), tmp_path / name)


def test_a_folder_without_a_task_names_its_spec_files(tmp_path: Path) -> None:
    (tmp_path / "step.toml").touch()
    result = run(tmp_path)
    assert result.exit_code == 2 and "no task.toml in this folder" in result.output
    assert "step.toml" in result.output
